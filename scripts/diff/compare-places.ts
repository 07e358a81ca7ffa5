/** What was added, removed, moved, shown and changed between two releases, by their index parts alone. */
import { compareReleases } from '../../src/query/compare-releases.ts';
import { DistanceFrom } from '../../src/query/great-circle.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { sortOut } from './diff-releases.ts';

/** The main location of a store, in degrees; null: its address is hidden. */
export type MainPoint = { readonly lat: number; readonly lng: number } | null;

/** The main location of each store, by ordinal. @throws CommandError release_damaged */
export async function readMainPoints(reader: ReleaseReader): Promise<MainPoint[]> {
  const { tree, store, number } = await reader.places();
  const points = Array<MainPoint>(reader.manifest.storeCount).fill(null);
  store.forEach((ordinal, place) => {
    const [lng, lat] = tree.coords.subarray(2 * place) as unknown as [number, number];
    if (number[place] === 0) points[ordinal] = { lat, lng };
  });
  return points;
}

/** Kilometres from one main location to another; 0 when one of the two is hidden. */
export function kilometresBetween(from: MainPoint, to: MainPoint): number {
  return from && to ? new DistanceFrom(from.lat, from.lng).to(to.lat, to.lng) : 0;
}

export interface MovedStore {
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
  const [idsBefore, ids] = [await was.ids(), await is.ids()];
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
