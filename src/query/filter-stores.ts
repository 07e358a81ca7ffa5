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
export class StoreFilter {
  readonly release: LoadedRelease;
  /** Those of all conditions of the request that keep some of the stores. */
  readonly filters: readonly Filter[];
  /** Conditions that no count of the request leaves aside. */
  private readonly always: readonly Condition[];
  /** Ordinals of the stores that pass these. */
  private shared: Uint32Array | undefined;
  /** The filters of conditions, as far as they were asked for. */
  private readonly opened = new Map<StoreCondition, Filter>();

  /** @param conditions of the request */
  constructor(release: LoadedRelease, conditions: readonly Condition[]) {
    this.release = release;
    const isCounting = conditions.some(({ kind }) => kind === 'count');
    this.always = conditions.filter(
      (each) => !isCounting || each.kind !== 'stores' || !each.counted,
    );
    this.filters = this.filtersOf(conditions);
  }

  /**
   * Ordinals of the stores that pass all of `conditions`, each once. What no count leaves aside is
   * worked out once, and only the stores that pass it are tried by the others.
   * @param conditions those of the request, but for what a count leaves aside
   */
  passing(conditions: readonly Condition[]): Uint32Array {
    this.shared ??= this.searchAll(this.always);
    const others = conditions.filter((each) => !this.always.includes(each));
    return narrowed(this.shared, this.filtersOf(others));
  }

  /** Of the conditions that keep some of the stores; first those that leave few to the others. */
  private filtersOf(conditions: readonly Condition[]): Filter[] {
    return conditions
      .filter((each) => each.kind === 'stores')
      .toSorted((a, b) => KEEPS.indexOf(a.keeps) - KEEPS.indexOf(b.keeps))
      .map((condition) => {
        const filter = this.opened.get(condition) ?? openFilter(condition, this.release);
        this.opened.set(condition, filter);
        return filter;
      });
  }

  private searchAll(conditions: readonly Condition[]): Uint32Array {
    const filters = this.filtersOf(conditions);
    const place = placeOf(conditions);
    if (!place) return matching(this.release, filters);
    const found = place.search(this.release, testOf(filters));
    return found.all().map((slot) => found.store(slot));
  }
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

/** Ordinals of the stores that pass all of `filters`, ascending. */
function matching(release: LoadedRelease, filters: readonly Filter[]): Uint32Array {
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
