/** The stores that pass all conditions of a list that keep some of the stores. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Condition, KeptStores, StoreCondition } from './conditions/condition.ts';
import type { StoreTest } from './nearest.ts';

/** What conditions keep, as far as they were asked for. */
export type Opened = Map<StoreCondition, KeptStores>;

/** A condition with what it keeps of the release. */
export interface Filter {
  readonly condition: StoreCondition;
  readonly kept: KeptStores;
}

/** Those that keep few stores come first: the others then look at those alone. */
export function filtersOf(
  release: LoadedRelease,
  conditions: readonly Condition[],
  opened: Opened,
): Filter[] {
  return conditions
    .filter((each) => each.kind === 'stores')
    .sort((one, other) => Number(other.isFew ?? false) - Number(one.isFew ?? false))
    .map((condition) => {
      const kept = opened.get(condition) ?? condition.open(release);
      opened.set(condition, kept);
      return { condition, kept };
    });
}

/** Ordinals of the stores that pass all of `filters`, ascending. */
export function matching(release: LoadedRelease, filters: readonly Filter[]): Uint32Array {
  const [first, ...others] = filters;
  if (!first) return new Uint32Array(release.storeCount).map((_, store) => store);
  const stores = first.kept.stores();
  const accepts = testOf(others);
  return accepts ? stores.filter(accepts) : stores;
}

/** Whether a store passes all of `filters`; null: there are none. */
export function testOf(filters: readonly Filter[]): StoreTest | null {
  const [first, ...others] = filters.map(({ kept }) => kept.test());
  if (!first) return null;
  return others.length === 0
    ? first
    : (store) => first(store) && others.every((test) => test(store));
}
