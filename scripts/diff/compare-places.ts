/** What was added, removed, moved and changed between two snapshots, by their index parts alone. */

import { compareReleases } from '../../src/query/compare-releases.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { sortOut } from './diff-releases.ts';
import { kilometresBetween, type MainPoint, readMainPoints } from './main-points.ts';

interface MovedStore {
  /** In lower case, as are all ids here. */
  readonly id: string;
  /** Degrees. */
  readonly from: NonNullable<MainPoint>;
  readonly kilometres: number;
}

export interface PlaceChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stores whose main location is elsewhere; where an address is hidden that is unknown. */
  readonly moved: readonly MovedStore[];
  /** Stores that differ in anything else, those that are `shown` among them. */
  readonly changed: readonly string[];
  /** Stores that show an address that was hidden. */
  readonly shown: readonly string[];
}

/** @throws CommandError release_damaged */
export async function comparePlaces(
  before: CompiledRelease,
  after: CompiledRelease,
): Promise<PlaceChanges> {
  const [was, is] = [new ReleaseReader(before), new ReleaseReader(after)];
  const found = sortOut(compareReleases(await was.compared(), await is.compared()));
  const [pointsBefore, pointsAfter] = [await readMainPoints(was), await readMainPoints(is)];
  const [idsBefore, ids] = [await was.table(IDS_PART), await is.table(IDS_PART)];
  const moved: MovedStore[] = [];
  const changed: string[] = [];
  const shown: string[] = [];
  for (const { live, next } of found.changed) {
    const id = ids.text(next);
    const from = pointsBefore[live] ?? null;
    const to = pointsAfter[next] ?? null;
    const kilometres = kilometresBetween(from, to);
    if (!from && to) shown.push(id);
    if (from && kilometres > 0) {
      moved.push({ id, from, kilometres: Math.round(kilometres * 1000) / 1000 });
    } else changed.push(id);
  }
  return {
    added: found.added.map((store) => ids.text(store)),
    removed: found.removed.map((store) => idsBefore.text(store)),
    moved,
    changed,
    shown,
  };
}
