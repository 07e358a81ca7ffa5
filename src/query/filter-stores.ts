/** The stores of a release that pass conditions of a list. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import {
  type Condition,
  KEEPS,
  type KeptStores,
  type NearStores,
  type StoreCondition,
  type StoreTest,
} from './conditions/condition.ts';
import type { Scratch } from './scratch.ts';

/** Runs the conditions of one request, each of them once. */
export class StoreFilter {
  /** What the search around a point found, once `passing` was called. */
  near: NearStores | null = null;
  private readonly release: LoadedRelease;
  private readonly scratch: Scratch;
  /** Conditions that no facet of the request leaves aside. */
  private readonly always: readonly Condition[];
  /** Ordinals of the stores that pass these. */
  private passingAlways: Uint32Array | undefined;
  private readonly opened = new Map<StoreCondition, KeptStores>();

  /** @param conditions of the request */
  constructor(release: LoadedRelease, conditions: readonly Condition[], scratch: Scratch) {
    this.release = release;
    this.scratch = scratch;
    const isCounting = conditions.some(({ kind }) => kind === 'count');
    this.always = conditions.filter(
      (each) => !isCounting || each.kind !== 'stores' || !each.counted,
    );
  }

  /** Returns what a condition keeps. */
  kept(condition: StoreCondition): KeptStores {
    const known = this.opened.get(condition);
    if (known) return known;
    const kept = condition.open(this.release, this.scratch);
    this.opened.set(condition, kept);
    return kept;
  }

  /**
   * Returns the ordinals of the stores that pass all of `conditions`, ascending. Only stores that pass what
   * no facet leaves aside are tried by what one does.
   * @param conditions of the request, but for those that a facet leaves aside
   */
  passing(conditions: readonly Condition[]): Uint32Array {
    this.passingAlways ??= this.search();
    const others = conditions.filter((each) => !this.always.includes(each));
    return this.narrowed(this.passingAlways, this.keptBy(others));
  }

  /** Returns the stores that pass the conditions which no facet leaves aside. */
  private search(): Uint32Array {
    const { release, scratch, always } = this;
    const kept = this.keptBy(always);
    const near = always.find((each) => each.kind === 'near');
    if (near) {
      const accepts: StoreTest = (store) => kept.every(({ test }) => test(store));
      this.near = near.search(release, kept.length > 0 ? accepts : null, scratch);
      return this.near.stores;
    }
    const [first, ...others] = kept;
    if (first?.stores) return this.narrowed(first.stores, others);
    const all = new Uint32Array(release.storeCount);
    for (let store = 0; store < all.length; store++) all[store] = store;
    return this.narrowed(all, kept);
  }

  /** Of the conditions that filter; first those that leave few stores to the others. */
  private keptBy(conditions: readonly Condition[]): KeptStores[] {
    return conditions
      .filter((each) => each.kind === 'stores')
      .toSorted((a, b) => KEEPS.indexOf(a.keeps) - KEEPS.indexOf(b.keeps))
      .map((condition) => this.kept(condition));
  }

  /** Returns those of `stores` that all of `kept` keep, in the same order. */
  private narrowed(stores: Uint32Array, kept: readonly KeptStores[]): Uint32Array {
    return kept.reduce((left, { test }) => passingAmong(left, test, this.scratch), stores);
  }
}

/** Returns those of `stores` that pass a test, in the same order. */
function passingAmong(stores: Uint32Array, passes: StoreTest, scratch: Scratch): Uint32Array {
  const passing = scratch.passing.room(stores.length);
  let count = 0;
  for (let index = 0; index < stores.length; index++) {
    const store = stores[index] as number;
    if (passes(store)) passing[count++] = store;
  }
  return passing.slice(0, count);
}
