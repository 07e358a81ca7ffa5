/** Checks the stores of a source, each on its own and against those before it. */
import { type SourceStore, sourceStoreSchema } from '../compile/source-store.ts';
import { type Fault, recordFault } from './fault.ts';
import type { FaultReport } from './fault-report.ts';
import { issueFaults } from './issue-faults.ts';
import type { SourceRecord } from './read-source.ts';
import { StoreUniqueness } from './store-uniqueness.ts';

/** A valid store: its keys in contract order, its language maps as they were. */
export interface LocatedStore {
  readonly line: number;
  readonly store: SourceStore;
}

/** Yields the good stores of a source in order, and tells `report` what is wrong with the others. */
export async function* validateSource(
  records: AsyncIterable<SourceRecord | Fault>,
  report: Pick<FaultReport, 'add' | 'addLate'>,
): AsyncGenerator<LocatedStore> {
  const uniqueness = new StoreUniqueness();
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    if ('kind' in record) {
      report.add([record]);
      continue;
    }
    const { store, faults, earlier } = validateStore(record, uniqueness);
    for (const fault of earlier) report.addLate(fault);
    if (faults.length > 0) report.add(faults);
    else if (store) yield { line: record.line, store };
  }
  if (isEmpty) report.add([recordFault('no_stores', 1, 'expected at least one store')]);
}

function validateStore(record: SourceRecord, uniqueness: StoreUniqueness) {
  const { line, element, value } = record;
  const result = sourceStoreSchema.safeParse(value, { reportInput: true });
  const found = [...issueFaults(result.error?.issues ?? [], value), ...record.faults];
  const place = { line, element, store: nameOf(value) };
  // An id or slug that is faulty in itself is not compared.
  const faulty = new Set(found.map(({ path }) => path));
  const names = (['id', 'slug'] as const).flatMap((field) => {
    const name = faulty.has(field) ? null : textAt(value, field);
    return name === null ? [] : [{ field, name }];
  });
  const { own, earlier } = uniqueness.check(names, place, found.length === 0);
  const faults: Fault[] = [...found, ...own].map((fault) => ({ ...place, ...fault }));
  return { store: result.data, faults, earlier };
}

/** What a store is called in a report. */
function nameOf(value: unknown): string | null {
  const { profile } = (value ?? {}) as { profile?: unknown };
  return textAt(value, 'id') || textAt(value, 'slug') || textAt(profile, 'name') || null;
}

function textAt(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Readonly<Record<string, unknown>>)[key];
  return typeof text === 'string' ? text : null;
}
