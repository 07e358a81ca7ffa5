/** Values for what the stores of an export do not have: a partial store, which `--defaults` names. */
import { readFile } from 'node:fs/promises';
import { CommandError, reasonOf, UsageError } from '../cli/command-error.ts';
import { plural } from '../cli/output.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';
import { type Fault, fieldOf, issueFaults } from './fault.ts';
import { FaultReport, formatFaults, type TakenDefaults } from './fault-report.ts';
import { parseRecord, type SourceRecord } from './read-source.ts';
import { isObject, type JsonObject } from './values-in.ts';

/** Without what each store has for itself. */
const sharedSchema = sourceStoreSchema.omit({ id: true, slug: true, geo: true });

/**
 * Reads a file of defaults.
 * @throws UsageError defaults_unreadable; CommandError faulty_defaults, with every fault
 */
export async function readDefaults(file: string): Promise<JsonObject> {
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
export function fillStore(
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
