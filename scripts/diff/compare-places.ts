/** What was added, removed, moved and changed between two snapshots, by their index parts alone. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { kilometresBetween, type MainPoint, pairStores } from './pair-stores.ts';

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
  const pairs = await pairStores(new ReleaseReader(before), new ReleaseReader(after));
  const idOf = ({ id }: StoreName) => id.toLowerCase();
  const moved: MovedStore[] = [];
  const changed: string[] = [];
  const shown: string[] = [];
  for (const [was, is] of pairs.changed) {
    const { point: from } = was;
    const kilometres = kilometresBetween(from, is.point);
    if (!from && is.point) shown.push(idOf(is));
    if (from && kilometres > 0) {
      moved.push({ id: idOf(is), from, kilometres: Math.round(kilometres * 1000) / 1000 });
    } else changed.push(idOf(is));
  }
  return {
    added: pairs.added.map(idOf),
    removed: pairs.removed.map(idOf),
    moved,
    changed,
    shown,
  };
}
