/**
 * The stores of a source as the snapshot commands take them: each is checked on its own and against earlier ones,
 * and all are good, or it is said which are not.
 */
import { CommandError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { formatCount } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type SourceStore, sourceStoreSchema } from '../compile/source-store.ts';
import { fillStores, readDefaults, type TakenDefaults } from './defaults.ts';
import { type Fault, type RecordLocation, recordFault, type StoreFault } from './fault.ts';
import { type FaultReport, faultData, formatFaultCount, formatFaults } from './fault-report.ts';
import { issueFaults } from './issue-faults.ts';
import { openSource } from './open-source.ts';
import { readSource, type SourceRecord } from './read-source.ts';

/**
 * Yields the good stores of `source`; faults go to `report`.
 * @throws UsageError, CommandError when the source or the defaults cannot be read
 */
export async function* readGoodStores(
  { source, defaults, expectStores }: SourceChoice,
  report: FaultReport,
  { progress, signal }: CommandContext,
): AsyncGenerator<SourceStore> {
  const values = defaults === undefined ? null : await readDefaults(defaults);
  progress.begin('Reading', null, 'bytes');
  const { chunks, isGzip } = await openSource(source, { signal, progress });
  const records = readSource(chunks, isGzip);
  const taken: TakenDefaults = new Map();
  if (values) report.taken = taken;
  const filled = values ? fillStores(records, values, taken) : records;
  for await (const { store } of validateSource(filled, report)) {
    report.goodStores++;
    yield store;
  }
  const { stores } = report;
  // What is faulty as a whole may not have been read to its end.
  if (report.isSourceFaulty || expectStores === undefined || stores === expectStores) return;
  report.add([otherStoreCount(stores, expectStores)]);
}

function otherStoreCount(stores: number, expected: number): Fault {
  const count = `expected ${formatCount(expected)} stores, as --expect-stores says`;
  const message = stores < expected ? `${count}: the source may be cut off` : count;
  return recordFault('other_store_count', 1, message, { value: formatCount(stores) });
}

/**
 * Yields the stores to compile, and throws after the last one unless they may be compiled: there
 * must be some, and none may be faulty unless `skipInvalid` leaves those out. A source that is
 * faulty as a whole is refused in any case.
 */
export async function* readStoresToCompile(
  choice: SourceChoice,
  context: CommandContext,
  report: FaultReport,
): AsyncGenerator<SourceStore> {
  const { source, skipInvalid = false } = choice;
  for await (const store of readGoodStores(choice, report, context)) {
    // After the first fault the rest is read for the report only.
    if (skipInvalid || report.count === 0) yield store;
  }
  const isWhole = !report.isSourceFaulty && !report.mayBeCutOff;
  const isRefused = !isWhole || report.goodStores === 0 || !skipInvalid;
  if (report.count === 0 || !isRefused) return;
  const remark = report.isSourceFaulty ? '' : describeRest(report, skipInvalid);
  const title = `"${source}" has ${formatFaultCount(report)}, nothing was built${remark}`;
  throw new CommandError(title, 'faulty_source', {
    details: faultData(source, report),
    explanation: formatFaults(report),
  });
}

/** Says what to do about a source of which only some stores are faulty. */
function describeRest({ goodStores, mayBeCutOff }: FaultReport, skipInvalid: boolean): string {
  // Stores after the cut would be left out without a word.
  if (mayBeCutOff) return ': its last line may be cut off, and stores after it missing';
  if (skipInvalid) return ': no store is left without the faulty ones';
  return goodStores > 0 ? '; --skip-invalid leaves them out' : '';
}

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
  const result = sourceStoreSchema.safeParse(value);
  const { issues } = result.error ?? {};
  const found = [...(issues ? issueFaults(issues, value) : []), ...record.faults];
  const location = { line, element, store: nameOf(value) };
  // An id or slug that is faulty in itself is not compared.
  const faulty = new Set(found.map(({ path }) => path));
  const names = (['id', 'slug'] as const).flatMap((field) => {
    const name = faulty.has(field) ? null : textAt(value, field);
    return name === null ? [] : [{ field, name }];
  });
  const { own, earlier } = uniqueness.check(names, location, found.length === 0);
  const faults: Fault[] = [...found, ...own].map((fault) => ({ ...location, ...fault }));
  return { store: result.data, faults, earlier };
}

/** Returns what a store is called in a report. */
function nameOf(value: unknown): string | null {
  const { profile } = Object(value);
  return textAt(value, 'id') || textAt(value, 'slug') || textAt(profile, 'name') || null;
}

function textAt(value: unknown, key: string): string | null {
  const text: unknown = Object(value)[key];
  return typeof text === 'string' ? text : null;
}

interface Use extends RecordLocation {
  readonly isGood: boolean;
}

/** An id or a slug of a store. */
interface TakenName {
  readonly field: 'id' | 'slug';
  readonly name: string;
}

/**
 * Remembers ids and slugs with where they were used; nothing else of the stores.
 *
 * A store that is good but for that is not blamed for what a faulty one has: the faulty one is, even
 * if it came before.
 */
class StoreUniqueness {
  private readonly uses = new Map<string, Use>();

  /**
   * Compares a store with those before it, and returns what is wrong with it, and with earlier ones.
   * @param names its id and slug, as far as they are sound
   * @param isGood whether nothing else is wrong with it
   */
  check(names: readonly TakenName[], location: RecordLocation, isGood: boolean) {
    const own = names.flatMap((name) => {
      const before = this.uses.get(keyOf(name));
      return before && (before.isGood || !isGood) ? [duplicate(name, before, 'already')] : [];
    });
    const staysGood = isGood && own.length === 0;
    const earlier: Fault[] = [];
    for (const name of names) {
      const before = this.uses.get(keyOf(name));
      // A faulty store, whose name this good one has.
      if (before && staysGood) {
        const { line, element, store } = before;
        earlier.push({ line, element, store, ...duplicate(name, location, 'too') });
      }
      if (!before || staysGood) this.uses.set(keyOf(name), { ...location, isGood: staysGood });
    }
    return { own, earlier };
  }
}

/** Ids are the same in whatever case, slugs are not. */
function keyOf({ field, name }: TakenName): string {
  return `${field} ${field === 'id' ? name.toLowerCase() : name}`;
}

function duplicate(
  { field, name }: TakenName,
  other: RecordLocation,
  when: 'already' | 'too',
): StoreFault {
  const what = field === 'id' ? 'an id' : 'a slug';
  const message = `expected ${what} of its own: ${describe(other)} has it ${when}`;
  return { kind: `duplicate_${field}`, path: field, value: JSON.stringify(name), message };
}

function describe({ line, element }: RecordLocation): string {
  return element === null ? `line ${line}` : `element ${element}`;
}
