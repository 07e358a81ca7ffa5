/**
 * Compares two releases and keeps what came of it, so that the pages of a walk, and partners who ask
 * for the same, cost one comparison. Of a comparison little is left: its parts, 6 MB a release of
 * 100,000 stores, are given back at once, and one pair is compared at a time.
 */

import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import { awaitStorage, type Background } from '../load/background.ts';
import type { ObjectReads, WantedObject } from '../load/object-reader.ts';
import { type BeginReads, SharedLoads } from '../load/shared-loads.ts';
import type { SnapshotMemory } from '../load/snapshot-memory.ts';
import {
  COMPARED_STORES_PART,
  ComparedSlugs,
  ComparedStores,
  comparedSlugsPart,
  SLUGS_PER_PART,
  slugsIn,
} from '../snapshot/compared-stores.ts';
import type { Comparison } from '../snapshot/comparison.ts';
import { expectEqual } from '../snapshot/format-error.ts';
import { copyIdText, ID_DIGITS } from '../snapshot/id-text.ts';
import { compareReleases, type Differences, REMOVED } from './compare-releases.ts';
import { StoreChanges } from './store-changes.ts';

/** Bytes of changes that are kept: those of 100,000 stores that all have changed. */
const CHANGES_BYTES = 8 * 1024 * 1024;

export class ChangeFinder {
  private readonly memory: SnapshotMemory;
  private readonly known = new ByteBudgetCache<StoreChanges>(CHANGES_BYTES, ({ bytes }) => bytes);
  private readonly loads: SharedLoads<StoreChanges>;

  constructor(memory: SnapshotMemory) {
    this.memory = memory;
    this.loads = new SharedLoads((key) => this.known.get(key), memory.objects.room);
  }

  /**
   * What changed from `before` to `after`; at once when it is known.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  find(
    before: Comparison,
    after: Comparison,
    background: Background,
  ): StoreChanges | Promise<StoreChanges> {
    if (hasSameStores(before, after)) return StoreChanges.NONE;
    const key = `${before.stores.hash} ${after.stores.hash}`;
    const known = this.known.get(key);
    if (known) return known;
    const begin: BeginReads<StoreChanges> = (_, wake) => {
      const found = this.compare(before, after, background, wake);
      return found && new Map([[key, found.then((changes) => this.keep(key, changes))]]);
    };
    const load = this.loads.load([key], begin, background);
    return awaitStorage(load, background).then((found) => found.get(key) as StoreChanges);
  }

  private keep(key: string, changes: StoreChanges): StoreChanges {
    this.known.set(key, changes);
    this.memory.setAside(this.known.bytes);
    return changes;
  }

  /**
   * All parts are read at once: their bytes take less time than a second wait for storage. Null: there
   * is no room for them at present.
   */
  private compare(
    before: Comparison,
    after: Comparison,
    background: Background,
    wake: () => void,
  ): Promise<StoreChanges> | null {
    // Releases may share parts.
    const refs = new Map([...refsOf(before), ...refsOf(after)].map((ref) => [ref.hash, ref]));
    const reads = this.memory.objects.readApart([...refs.values()], background, wake);
    return reads && comparisonOfParts(before, after, reads);
  }
}

async function comparisonOfParts(
  before: Comparison,
  after: Comparison,
  reads: ObjectReads,
): Promise<StoreChanges> {
  const parts = new Map<string, ArrayBuffer>();
  await Promise.all([...reads].map(async ([hash, read]) => parts.set(hash, await read)));
  return changesOf(before, after, parts);
}

type Parts = ReadonlyMap<string, ArrayBuffer>;

/** What changed, copied out of the parts. @throws SnapshotFormatError */
function changesOf(before: Comparison, after: Comparison, parts: Parts): StoreChanges {
  const tables = { before: openStores(before, parts), after: openStores(after, parts) };
  const slugs = { before: openSlugs(before, parts), after: openSlugs(after, parts) };
  const { kinds, stores } = compareReleases(tables.before, tables.after);
  const ids = idTexts({ kinds, stores }, tables);
  const names = kinds.map((kind, place) => {
    const store = stores[place] as number;
    const part = slugs[sideOf(kind)][Math.floor(store / SLUGS_PER_PART)] as ComparedSlugs;
    return part.slug(store % SLUGS_PER_PART);
  });
  return new StoreChanges(kinds, ids, names);
}

function refsOf({ stores, slugs }: Comparison): WantedObject[] {
  const names = [COMPARED_STORES_PART, ...slugs.map((_, number) => comparedSlugsPart(number))];
  return [stores, ...slugs].map((ref, index) => ({ ...ref, what: `part ${names[index]}` }));
}

/** @throws SnapshotFormatError */
function openStores({ stores, storeCount }: Comparison, parts: Parts): ComparedStores {
  return new ComparedStores(parts.get(stores.hash) as ArrayBuffer, storeCount);
}

/** @throws SnapshotFormatError */
function openSlugs({ slugs, storeCount }: Comparison, parts: Parts): ComparedSlugs[] {
  const count = Math.ceil(storeCount / SLUGS_PER_PART);
  expectEqual('parts of slugs', slugs.length, count);
  return slugs.map(
    ({ hash }, number) =>
      new ComparedSlugs(parts.get(hash) as ArrayBuffer, slugsIn(number, storeCount)),
  );
}

type Side = 'before' | 'after';
type Sides<Value> = Readonly<Record<Side, Value>>;

const sideOf = (kind: number): Side => (kind === REMOVED ? 'before' : 'after');

/** Slugs are part of every answer: where all fingerprints are the same, the slugs are. */
function hasSameStores(before: Comparison, after: Comparison): boolean {
  return before.stores.hash === after.stores.hash;
}

/** The ids of the stores that differ, as texts one after another. */
function idTexts({ kinds, stores }: Differences, tables: Sides<ComparedStores>): Uint8Array {
  const ids = new Uint8Array(ID_DIGITS * kinds.length);
  kinds.forEach((kind, place) => {
    copyIdText(tables[sideOf(kind)].id(stores[place] as number), ids, place * ID_DIGITS);
  });
  return ids;
}
