/** What was added, removed, moved and changed between two snapshots, by their index parts alone. */
import { compareReleases } from '../../src/query/compare-releases.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { sortOut } from '../diff/diff-releases.ts';
import { kilometresBetween, type PlacedStores, readPlacedStores } from '../guards/placed-stores.ts';

export interface MovedStore {
  /** In lower case, as are all ids here. */
  readonly id: string;
  /** Degrees. */
  readonly from: { readonly lat: number; readonly lng: number };
  readonly kilometres: number;
}

export interface PlaceChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stores whose main location is elsewhere; where an address is hidden that is unknown. */
  readonly moved: readonly MovedStore[];
  /** Stores that differ in anything else. */
  readonly changed: readonly string[];
}

/** @throws CommandError release_damaged */
export async function comparePlaces(
  before: CompiledRelease,
  after: CompiledRelease,
): Promise<PlaceChanges> {
  const [was, is] = await Promise.all([
    readPlacedStores(new ReleaseReader(before)),
    readPlacedStores(new ReleaseReader(after)),
  ]);
  const found = sortOut(compareReleases(was.stores, is.stores));
  const idOf = ({ stores }: PlacedStores, store: number) => stores.names.ids.text(store);
  const moved: MovedStore[] = [];
  const changed: string[] = [];
  for (const { live, next } of found.changed) {
    const id = idOf(is, next);
    const kilometres = kilometresBetween(was.points, live, is.points, next);
    const from = { lat: was.points.lat[live] as number, lng: was.points.lng[live] as number };
    if (kilometres > 0) moved.push({ id, from, kilometres: Math.round(kilometres * 1000) / 1000 });
    else changed.push(id);
  }
  return {
    added: found.added.map((store) => idOf(is, store)),
    removed: found.removed.map((store) => idOf(was, store)),
    moved,
    changed,
  };
}
