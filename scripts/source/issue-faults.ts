/** Turns what zod finds wrong with a store into faults: one for each place, in our own words. */
import type * as z from 'zod';
import { timestampSchema } from '../../src/model/timestamp.ts';
import { type FaultKind, fieldOf, type StoreFault, showValue } from './fault.ts';
import { type SourceField, sourceFields } from './source-schema.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Returns the faults that `issues` stand for; `store` is the value they were found in.
 * @param within path of the union that they were found in: their own begins there
 */
export function issueFaults(
  issues: readonly Issue[],
  store: unknown,
  within: Path = [],
): StoreFault[] {
  return issues.flatMap((issue) => faultsOf(issue, [...within, ...issue.path], store));
}

function faultsOf(issue: Issue, path: Path, store: unknown): StoreFault[] {
  const found = valueAt(path, store);
  const tell = (kind: FaultKind, message = issue.message) => [fault(kind, path, store, message)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        return fault('unknown_key', [...path, key], store, 'expected no such key');
      });
    case 'invalid_union': {
      const types = issue.errors.map(typeRefused);
      // The branch that is meant for a value of this type.
      const meant = issue.errors[types.indexOf(null)];
      return meant ? issueFaults(meant, store, path) : [typeFault(path, store, types.join(' or '))];
    }
    case 'invalid_key':
      return issueFaults(issue.issues, store, path);
    case 'invalid_type':
      return [typeFault(path, store, article(issue.expected))];
    case 'invalid_value': {
      const isText = typeof found === 'string' || found === undefined;
      const words = issue.values.map((word) => (isText ? String(word) : JSON.stringify(word)));
      const oneOf = words.length > 1 ? 'one of ' : '';
      return tell('not_in_enumeration', `expected ${oneOf}${words.join(', ')}`);
    }
    case 'too_small':
      return tell('out_of_range', `expected at least ${issue.minimum}`);
    case 'too_big':
      return tell('out_of_range', `expected at most ${issue.maximum}`);
    case 'invalid_format': {
      const isTime = issue.format === 'datetime';
      return tell('bad_format', isTime ? timeAdvice(String(found)) : undefined);
    }
    default:
      // Rules of the model that name no kind ask for a form.
      return tell((issue.code === 'custom' && issue.params?.kind) || 'bad_format');
  }
}

/** Returns what a branch of a union is for, if it refused a value for its type; else null. */
function typeRefused([first]: readonly Issue[]): string | null {
  return first?.code === 'invalid_type' && first.path.length === 0 ? article(first.expected) : null;
}

function typeFault(path: Path, store: unknown, expected: string): StoreFault {
  const found = valueAt(path, store);
  const { pattern = '', minimum, maximum } = fieldAt(path)?.schema ?? {};
  if (typeof found === 'number' && !Number.isFinite(found)) {
    const range = `from ${minimum ?? -Number.MAX_VALUE} to ${maximum ?? Number.MAX_VALUE}`;
    return fault('out_of_range', path, store, `expected ${expected} ${range}`);
  }
  const form = new RegExp(pattern);
  const example = form.test('text') ? undefined : EXAMPLES.find((each) => form.test(each));
  const asked = `expected ${withQuotes(expected, found)}`;
  return fault('wrong_type', path, store, example ? `${asked}, as ${example}` : asked);
}

/** Texts of which a form is asked that other types are taken for: numbers, dates of databases. */
const EXAMPLES = ['2026-11-01T00:00:00Z', '09:00'];

/** Adds what is to be done about the quotes of a value that is else as expected. */
function withQuotes(expected: string, found: unknown): string {
  if (typeof found === 'number' || typeof found === 'boolean') {
    return expected.replace('a string', 'a string, in quotes').replace('quotes or', 'quotes, or');
  }
  const isQuoted = typeof found === 'string' && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(found);
  return isQuoted && /number|true/.test(expected) ? `${expected}, without quotes` : expected;
}

const REAL_TIME = 'a day and a time that exist, with T between them and Z or an offset, as';

/** Says what to write in the place of a text that is no date-time, with what it has. */
function timeAdvice(text: string): string {
  const time = text.replace(' ', 'T');
  const meant = [time, `${time}Z`, `${time}T00:00:00Z`].find((each) => {
    return timestampSchema.safeParse(each).success;
  });
  return `expected ${REAL_TIME} ${meant ?? '2026-11-01T08:30:00+01:00'}`;
}

/** Returns the fault of a value that is not what was expected; where there is none, that is what is wrong. */
function fault(kind: FaultKind, keys: Path, store: unknown, expected: string): StoreFault {
  const path = keys.join('.');
  const found = valueAt(keys, store);
  // Null is allowed there, too.
  const isShort = /^expected an? (whole )?\w+$/.test(expected);
  const orNull = fieldAt(keys)?.isNullable ? `${isShort ? '' : ','} or null` : '';
  const message = expected + orNull;
  if (found === undefined) return { kind: 'missing_field', path, value: null, message };
  return { kind, path, value: showValue(found), message };
}

function valueAt(path: Path, store: unknown): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key], store);
}

/** Made once there is a fault. */
let fields: ReadonlyMap<string, SourceField> | undefined;

function fieldAt(path: Path): SourceField | undefined {
  fields ??= new Map(sourceFields().map((field) => [field.path, field]));
  return fields.get(fieldOf(path.join('.')));
}

function article(type: string): string {
  if (type === 'record') return 'a language map';
  if (type === 'int') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
