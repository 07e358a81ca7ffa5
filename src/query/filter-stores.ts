/** The stores that pass all conditions of a list that keep some of the stores. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import {
  type Condition,
  KEEPS,
  type KeptStores,
  type PlaceCondition,
  type StoreCondition,
} from './conditions/condition.ts';
import type { StoreTest } from './nearest.ts';
import { passingAmong, passingOf } from './store-column.ts';

/** A condition with what it keeps of the release. */
export interface Filter {
  readonly condition: StoreCondition;
  readonly kept: KeptStores;
  /** Tells of single stores whether they are kept. It is made when it is first needed. */
  test(): StoreTest;
}

/** The stores of a release that pass some conditions of one request, or all of them. */
export type StoreFilter = ReturnType<typeof storeFilter>;

/** @param conditions of the request */
export function storeFilter(release: LoadedRelease, conditions: readonly Condition[]) {
  const isCounting = conditions.some(({ kind }) => kind === 'count');
  /** Conditions that no count of the request leaves aside. */
  const always = conditions.filter(
    (each) => !isCounting || each.kind !== 'stores' || !each.counted,
  );
  /** Ordinals of the stores that pass these. */
  let shared: Uint32Array | undefined;
  /** The filters of conditions, as far as they were asked for. */
  const opened = new Map<StoreCondition, Filter>();

  /** Of the conditions that keep some of the stores; first those that leave few to the others. */
  function filtersOf(some: readonly Condition[]): Filter[] {
    return some
      .filter((each) => each.kind === 'stores')
      .toSorted((a, b) => KEEPS.indexOf(a.keeps) - KEEPS.indexOf(b.keeps))
      .map((condition) => {
        const filter = opened.get(condition) ?? openFilter(condition, release);
        opened.set(condition, filter);
        return filter;
      });
  }

  /**
   * Ordinals of the stores that pass all of `some`, each once. What no count leaves aside is worked out
   * once, and only the stores that pass it are tried by the others.
   * @param some conditions of the request, but for what a count leaves aside
   */
  function passing(some: readonly Condition[]): Uint32Array {
    shared ??= searchAll(release, placeOf(always), filtersOf(always));
    return narrowed(shared, filtersOf(some.filter((each) => !always.includes(each))));
  }

  return { release, filters: filtersOf(conditions), passing };
}

function openFilter(condition: StoreCondition, release: LoadedRelease): Filter {
  const kept = condition.open(release);
  let test: StoreTest | undefined;
  return {
    condition,
    kept,
    test() {
      test ??= kept.test();
      return test;
    },
  };
}

/** The condition that has the list searched by places, if there is one. */
export function placeOf(conditions: readonly Condition[]): PlaceCondition | undefined {
  return conditions.find((each) => each.kind === 'place');
}

/** Ordinals of the stores that pass all of `filters`, ascending but where they are searched by places. */
function searchAll(
  release: LoadedRelease,
  place: PlaceCondition | undefined,
  filters: readonly Filter[],
): Uint32Array {
  if (place) {
    const found = place.search(release, testOf(filters));
    return found.all().map((slot) => found.store(slot));
  }
  const [first, ...others] = filters;
  if (first) {
    const stores = first.kept.stores?.() ?? passingOf(release.storeCount, first.test());
    return narrowed(stores, others);
  }
  const all = new Uint32Array(release.storeCount);
  for (let store = 0; store < all.length; store++) all[store] = store;
  return all;
}

/** Those of `stores` that pass all of `filters`, in the same order. */
function narrowed(stores: Uint32Array, filters: readonly Filter[]): Uint32Array {
  return filters.reduce((left, filter) => passingAmong(left, filter.test()), stores);
}

/** Whether a store passes all of `filters`; null: there are none. */
export function testOf(filters: readonly Filter[]): StoreTest | null {
  return filters
    .map((filter) => filter.test())
    .reduceRight<StoreTest | null>(
      (next, test) => (next === null ? test : (store) => test(store) && next(store)),
      null,
    );
}
