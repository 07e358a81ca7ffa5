/** Values for what the stores of an export do not have: a partial store, which `--defaults` names. */
import { readFile } from 'node:fs/promises';
import { CommandError, messageOf, reasonOf, UsageError } from '../cli/command-error.ts';
import { plural, visible } from '../cli/output.ts';
import { sourceStoreSchema } from '../compile/source-store.ts';
import { type FaultKind, fieldOf, type StoreFault, showValue } from './fault.ts';
import type { TakenDefaults } from './fault-report.ts';
import { issueFaults } from './issue-faults.ts';
import { textFaults } from './read-source.ts';
import { isObject, type JsonObject } from './values-in.ts';

/** What each store has for itself. */
const OWN_FIELDS = { id: true, slug: true, geo: true } as const;

const sharedSchema = sourceStoreSchema.omit(OWN_FIELDS);

/**
 * Reads a file of defaults.
 * @throws UsageError defaults_unreadable; CommandError faulty_defaults, with every fault
 */
export async function readDefaults(file: string): Promise<JsonObject> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const message = `cannot read defaults "${file}": ${reasonOf(cause)}`;
    throw new UsageError(message, 'defaults_unreadable', { cause });
  });
  const { values, faults } = parseDefaults(bytes);
  if (faults.length === 0) return values;
  const message = `defaults "${file}" have ${plural(faults.length, 'fault')}, nothing was read`;
  throw new CommandError(message, 'faulty_defaults', {
    details: { file, faults },
    explanation: faults.map(formatFault).join('\n'),
  });
}

function parseDefaults(bytes: Uint8Array): { values: JsonObject; faults: StoreFault[] } {
  const none = (kind: FaultKind, message: string, value: string | null = null) => {
    return { values: {}, faults: [{ kind, path: '', value, message }] };
  };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const values: unknown = JSON.parse(text);
    if (isObject(values)) {
      return { values, faults: [...ownFaults(values), ...textFaults(text, values)] };
    }
    const message = 'expected an object: a store of which fields are missing';
    return none('wrong_type', message, showValue(values));
  } catch (error) {
    return none('invalid_json', `expected JSON: ${messageOf(error)}`);
  }
}

/** Returns the faults of a partial store. Fields may be missing, but not in elements of lists, which are taken whole. */
function ownFaults(values: JsonObject): StoreFault[] {
  const { error } = sharedSchema.safeParse(values);
  const found = issueFaults(error?.issues ?? [], values).filter(
    ({ kind, path }) => kind !== 'missing_field' || fieldOf(path) !== path,
  );
  const { own = [], others = [] } = Object.groupBy(found, ({ path }) => {
    return Object.hasOwn(OWN_FIELDS, path) ? 'own' : 'others';
  });
  const message = 'expected no such key: each store of the export has its own';
  return [...own.map((fault) => ({ ...fault, message })), ...others];
}

function formatFault({ kind, path, value, message }: StoreFault): string {
  const state = kind === 'missing_field' ? 'is missing' : value;
  const found = [path, state].filter(Boolean).join('  ');
  return `  ${visible(found === '' ? message : `${found}: ${message}`)}`;
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
