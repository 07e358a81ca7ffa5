/** What was added, removed, moved and changed between two snapshots, by their index parts alone. */
import { matchStores } from '../diff/match-stores.ts';
import { kilometresBetween, readComparedStores } from '../guards/measure-change.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import { ReleaseReader } from '../release/release-reader.ts';

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
  /** Stores whose main location is elsewhere; where an address is hidden nobody knows. */
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
    readComparedStores(new ReleaseReader(before)),
    readComparedStores(new ReleaseReader(after)),
  ]);
  const found = matchStores(was, is);
  const moved: MovedStore[] = [];
  const changed: string[] = [];
  for (const { live, next } of found.changed) {
    const id = is.ids.id(next).toLowerCase();
    const kilometres = kilometresBetween(was.points, live, is.points, next);
    const from = { lat: was.points.lat[live] as number, lng: was.points.lng[live] as number };
    if (kilometres > 0) moved.push({ id, from, kilometres: Math.round(kilometres * 1000) / 1000 });
    else changed.push(id);
  }
  return {
    added: found.added.map((store) => is.ids.id(store).toLowerCase()),
    removed: found.removed.map((store) => was.ids.id(store).toLowerCase()),
    moved,
    changed,
  };
}
