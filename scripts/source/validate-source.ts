/** Checks the stores of a source, each on its own and against those before it. */
import { type SourceStore, sourceStoreSchema } from '../../src/model/source-store.ts';
import { type Fault, recordFault } from './fault.ts';
import { issueFaults, type StoreFault } from './issue-faults.ts';
import type { SourceRecord } from './read-source.ts';
import { StoreUniqueness } from './store-uniqueness.ts';

/** A valid store: its keys in contract order, its language maps as they were. */
export interface LocatedStore {
  readonly line: number;
  readonly store: SourceStore;
}

/**
 * Yields the good stores of a source in order.
 * @param onFaults called for every store that is not good, with all that is wrong with it, and for
 *   faults of the source as a whole
 */
export async function* validateSource(
  records: AsyncIterable<SourceRecord | Fault>,
  onFaults: (faults: readonly Fault[]) => void,
): AsyncGenerator<LocatedStore> {
  const uniqueness = new StoreUniqueness();
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    if ('kind' in record) {
      onFaults([record]);
      continue;
    }
    const { store, faults } = validateStore(record, uniqueness);
    if (faults.length > 0) onFaults(faults);
    else if (store) yield { line: record.line, store };
  }
  if (isEmpty) onFaults([recordFault('no_stores', 1, 'expected at least one store')]);
}

function validateStore(
  { line, value }: SourceRecord,
  uniqueness: StoreUniqueness,
): { store: SourceStore | null; faults: Fault[] } {
  const result = sourceStoreSchema.safeParse(value);
  const found = result.success ? [] : issueFaults(result.error.issues, value);
  found.push(...checkUniqueness(value, line, found, uniqueness));
  const store = nameOf(value);
  return {
    store: result.success ? result.data : null,
    faults: found.map((fault) => ({ line, store, ...fault })),
  };
}

/** An id or slug that is faulty in itself is not compared. */
function checkUniqueness(
  value: unknown,
  line: number,
  found: readonly StoreFault[],
  uniqueness: StoreUniqueness,
): StoreFault[] {
  const faulty = new Set(found.map(({ path }) => path));
  const id = textAt(value, 'id');
  const slug = textAt(value, 'slug');
  return [
    id === null || faulty.has('id') ? null : uniqueness.checkId(id, line),
    slug === null || faulty.has('slug') ? null : uniqueness.checkSlug(slug, line),
  ].filter((fault) => fault !== null);
}

/** What a store is called in a report. */
function nameOf(value: unknown): string | null {
  return textAt(value, 'id') || textAt(value, 'slug') || null;
}

function textAt(value: unknown, key: 'id' | 'slug'): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Readonly<Record<string, unknown>>)[key];
  return typeof text === 'string' ? text : null;
}
