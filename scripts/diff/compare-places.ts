/** What was added, removed, moved and changed between two snapshots, by their index parts alone. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { kilometresBetween, listStores, type MainPoint, pairStores } from './pair-stores.ts';

/** Ids are in lower case. */
export interface PlaceChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Stores whose main location is elsewhere; where an address is hidden that is unknown. */
  readonly moved: readonly { readonly id: string; readonly from: NonNullable<MainPoint> }[];
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
  const pairs = await pairStores(was, is);
  const [live, next] = [await listStores(was), await listStores(is)];
  const idOf = ({ id }: StoreName) => id.toLowerCase();
  const moved: PlaceChanges['moved'][number][] = [];
  const changed: string[] = [];
  const shown: string[] = [];
  for (const pair of pairs.changed) {
    const id = idOf(pair);
    const [from, to] = [live(pair.live).point, next(pair.next).point];
    if (!from && to) shown.push(id);
    if (from && kilometresBetween(from, to) > 0) moved.push({ id, from });
    else changed.push(id);
  }
  return {
    added: pairs.added.map(idOf),
    removed: pairs.removed.map(idOf),
    moved,
    changed,
    shown,
  };
}
