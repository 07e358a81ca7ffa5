/**
 * The stores of a source as the snapshot commands take them: each is checked on its own and against earlier ones,
 * and all are good, or it is said which are not. What stores do not have comes from a partial store, which `--defaults`
 * names.
 */
import { readFile } from 'node:fs/promises';
import { CommandError, reasonOf, UsageError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { formatCount, plural } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type SourceStore, sourceStoreSchema } from '../compile/source-store.ts';
import {
  type Fault,
  fieldOf,
  issueFaults,
  type RecordLocation,
  recordFault,
  type StoreFault,
} from './fault.ts';
import {
  FaultReport,
  faultData,
  formatFaultCount,
  formatFaults,
  type TakenDefaults,
} from './fault-report.ts';
import { openSource } from './open-source.ts';
import { parseRecord, readSource, type SourceRecord } from './read-source.ts';
import { isObject, type JsonObject } from './values-in.ts';

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
  if (values) report.taken = new Map();
  progress.begin('Reading', null, 'bytes');
  const { chunks, isGzip } = await openSource(source, { signal, progress });
  for await (const store of validateSource(readSource(chunks, isGzip), report, values)) {
    report.goodStores++;
    yield store;
  }
  const { stores } = report;
  // What is faulty as a whole may not have been read to its end.
  if (report.isSourceFaulty || expectStores === undefined || stores === expectStores) return;
  const expected = `expected ${formatCount(expectStores)} stores, as --expect-stores says`;
  const message = stores < expectStores ? `${expected}: the source may be cut off` : expected;
  report.add([recordFault('other_store_count', 1, message, { value: formatCount(stores) })]);
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
  const remark = remarkOn(report, skipInvalid);
  if (remark === null) return;
  const title = `"${source}" has ${formatFaultCount(report)}, nothing was built${remark}`;
  throw new CommandError(title, 'faulty_source', {
    details: faultData(source, report),
    explanation: formatFaults(report),
  });
}

/** Says what to do about a faulty source; null when it may be compiled, without its faulty stores if it has any. */
function remarkOn(
  { count, goodStores, isSourceFaulty }: FaultReport,
  skipInvalid: boolean,
): string | null {
  if (count === 0) return null;
  if (isSourceFaulty) return '';
  if (skipInvalid) return goodStores > 0 ? null : ': no store is left without the faulty ones';
  return goodStores > 0 ? '; --skip-invalid leaves them out' : '';
}

/**
 * Yields the good stores of a source in order, their keys in contract order, their language maps as they were, and tells
 * `report` what is wrong with the others.
 * @param defaults for what a store does not have; the report then counts what is taken
 */
export async function* validateSource(
  records: AsyncIterable<SourceRecord | Fault>,
  report: Pick<FaultReport, 'add' | 'addLate' | 'taken'>,
  defaults: JsonObject | null = null,
): AsyncGenerator<SourceStore> {
  const uses: Uses = new Map();
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    if ('kind' in record) report.add([record]);
    else {
      const value = defaults ? fillStore(record.value, defaults, report.taken) : record.value;
      const { store, faults, earlier } = validateStore({ ...record, value }, uses);
      for (const fault of earlier) report.addLate(fault);
      if (faults.length > 0) report.add(faults);
      else if (store) yield store;
    }
  }
  if (isEmpty) report.add([recordFault('no_stores', 1, 'expected at least one store')]);
}

/** Where ids and slugs were used, and whether by a store that is good; nothing else of the stores. */
type Uses = Map<string, { readonly location: RecordLocation; readonly isGood: boolean }>;

/**
 * Validates a store by itself and against those before it, and returns what is wrong with it, and with earlier ones.
 *
 * A store that is good but for its names is not blamed for what a faulty one has: the faulty one is, even
 * if it came before.
 */
function validateStore({ line, element, value, faults }: SourceRecord, uses: Uses) {
  const { data, error } = sourceStoreSchema.safeParse(value);
  const found = [...(error ? issueFaults(error.issues, value) : []), ...faults];
  const location = { line, element, store: nameOf(value) };
  const names = (['id', 'slug'] as const).flatMap((field) => {
    const name = textAt(value, field);
    // One that is faulty in itself is not compared.
    if (name === null || found.some(({ path }) => path === field)) return [];
    // Ids are the same in whatever case, slugs are not.
    const key = `${field} ${field === 'id' ? name.toLowerCase() : name}`;
    return [{ field, name, key, before: uses.get(key) }];
  });
  const isSound = found.length === 0;
  const own: StoreFault[] = [];
  const earlier: Fault[] = [];
  for (const { field, name, before } of names) {
    if (!before) continue;
    if (before.isGood || !isSound) own.push(duplicate(field, name, before.location, 'already'));
    else earlier.push({ ...before.location, ...duplicate(field, name, location, 'too') });
  }
  const isGood = isSound && own.length === 0;
  for (const { key, before } of names) if (!before || isGood) uses.set(key, { location, isGood });
  const all = [...found, ...own].map((fault): Fault => ({ ...location, ...fault }));
  return { store: data, faults: all, earlier: isGood ? earlier : [] };
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

function duplicate(
  field: 'id' | 'slug',
  name: string,
  { line, element }: RecordLocation,
  when: 'already' | 'too',
): StoreFault {
  const what = field === 'id' ? 'an id' : 'a slug';
  const other = element === null ? `line ${line}` : `element ${element}`;
  const message = `expected ${what} of its own: ${other} has it ${when}`;
  return { kind: `duplicate_${field}`, path: field, value: JSON.stringify(name), message };
}

/** Without what each store has for itself. */
const sharedSchema = sourceStoreSchema.omit({ id: true, slug: true, geo: true });

/**
 * Reads a file of defaults.
 * @throws UsageError defaults_unreadable; CommandError faulty_defaults, with every fault
 */
async function readDefaults(file: string): Promise<JsonObject> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const message = `cannot read defaults "${file}": ${reasonOf(cause)}`;
    throw new UsageError(message, 'defaults_unreadable', { cause });
  });
  const record = parseRecord({ line: 1, element: null, bytes });
  const faults = 'kind' in record ? [record] : faultsOf(record);
  if ('value' in record && faults.length === 0) return record.value as JsonObject;
  const report = new FaultReport(false);
  report.add(faults);
  const message = `defaults "${file}" have ${plural(faults.length, 'fault')}, nothing was read`;
  throw new CommandError(message, 'faulty_defaults', {
    details: { file, faults },
    explanation: formatFaults(report),
  });
}

/** Returns the faults of a partial store. Fields may be missing, but not in elements of lists, which are taken whole. */
function faultsOf({ value, faults, line, element }: SourceRecord): Fault[] {
  const { error } = sharedSchema.safeParse(value);
  const found = issueFaults(error?.issues ?? [], value).filter(
    ({ kind, path }) => kind !== 'missing_field' || fieldOf(path) !== path,
  );
  return [...found, ...faults].map((fault) => ({ ...fault, line, element, store: null }));
}

/**
 * Returns a store with the defaults for what it does not have, and counts these in `taken`. The defaults come last: in a
 * language map that a store has, its own first text stays the first.
 */
function fillStore(
  store: unknown,
  defaults: JsonObject,
  taken: TakenDefaults | null,
  prefix = '',
): unknown {
  if (!isObject(store)) return store;
  const filled = { ...store };
  for (const [key, value] of Object.entries(defaults)) {
    const path = prefix + key;
    if (!Object.hasOwn(store, key)) {
      filled[key] = value;
      taken?.set(path, (taken.get(path) ?? 0) + 1);
    } else if (isObject(value)) filled[key] = fillStore(store[key], value, taken, `${path}.`);
  }
  return filled;
}
