/**
 * The stores of a source as the snapshot commands take them: each is checked on its own and against earlier ones,
 * and all are good, or it is said which are not.
 */
import { CommandError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { formatCount } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type SourceStore, sourceStoreSchema } from '../compile/source-store.ts';
import { fillStore, readDefaults } from './defaults.ts';
import { type Fault, recordFault } from './fault.ts';
import { type FaultReport, faultData, formatFaultCount, formatFaults } from './fault-report.ts';
import { issueFaults } from './issue-faults.ts';
import { openSource } from './open-source.ts';
import { readSource, type SourceRecord } from './read-source.ts';
import type { JsonObject } from './values-in.ts';

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
  yield* validateSource(readSource(chunks, isGzip), report, values);
  const { stores } = report;
  // What is faulty as a whole may not have been read to its end.
  if (report.isSourceFaulty || expectStores === undefined || stores === expectStores) return;
  const message = `expected ${formatCount(expectStores)} stores, as --expect-stores says`;
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
  const remark = report.count === 0 ? null : remarkOn(report, skipInvalid);
  if (remark === null) return;
  const title = `"${source}" has ${formatFaultCount(report)}, nothing was built${remark}`;
  throw new CommandError(title, 'faulty_source', {
    details: faultData(source, report),
    explanation: formatFaults(report),
  });
}

/** Says what to do about a faulty source; null when it may be compiled without its faulty stores. */
function remarkOn(
  { goodStores, isSourceFaulty }: FaultReport,
  skipInvalid: boolean,
): string | null {
  if (isSourceFaulty) return '';
  if (skipInvalid) return goodStores > 0 ? null : ': no store is left without the faulty ones';
  return goodStores > 0 ? '; --skip-invalid leaves them out' : '';
}

/**
 * Yields the good stores of a source in order, their keys in contract order and their language maps as they were, and
 * tells `report` what is wrong with the others.
 * @param defaults for what a store does not have; the report then counts what is taken
 */
export async function* validateSource(
  records: AsyncIterable<SourceRecord | Fault>,
  report: FaultReport,
  defaults: JsonObject | null = null,
): AsyncGenerator<SourceStore> {
  const names: Names = new Map();
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    if ('kind' in record) report.add([record]);
    else {
      const value = defaults ? fillStore(record.value, defaults, report.taken) : record.value;
      const { store, faults } = validateStore({ ...record, value }, names);
      if (faults.length > 0) report.add(faults);
      else if (store) {
        report.goodStores++;
        yield store;
      }
    }
  }
  if (isEmpty) report.add([recordFault('no_stores', 1, 'expected at least one store')]);
}

/** Where good stores are that have an id or a slug: `line 7`. */
type Names = Map<string, string>;

/** Validates a store by itself and, when it is good, against the good ones before it; returns what is wrong with it. */
function validateStore({ line, element, value, faults }: SourceRecord, names: Names) {
  const { data, error } = sourceStoreSchema.safeParse(value);
  const found = [...issueFaults(error?.issues ?? [], value), ...faults];
  if (data && found.length === 0) {
    // Ids are the same in whatever case, slugs are not.
    const [id, slug] = [`id ${data.id.toLowerCase()}`, `slug ${data.slug}`];
    const taken = { id: names.get(id), slug: names.get(slug) };
    for (const field of ['id', 'slug'] as const) {
      if (taken[field] === undefined) continue;
      const message = `expected one of its own: ${taken[field]} has it already`;
      const shown = JSON.stringify(data[field]);
      found.push({ kind: `duplicate_${field}`, path: field, value: shown, message });
    }
    const where = element === null ? `line ${line}` : `element ${element}`;
    if (found.length === 0) names.set(id, where).set(slug, where);
  }
  const location = { line, element, store: nameOf(value) };
  return { store: data, faults: found.map((fault): Fault => ({ ...location, ...fault })) };
}

/** Returns what a store is called in a report: its id, else its slug, else its name. */
function nameOf(value: unknown): string | null {
  const { id, slug, profile } = Object(value);
  const names = [id, slug, Object(profile).name];
  return names.find((name) => typeof name === 'string' && name !== '') ?? null;
}
