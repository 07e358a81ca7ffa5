/** Turns what zod finds wrong with a store into faults: one for each place. */
import type * as z from 'zod';
import { type FaultKind, fieldOf, type StoreFault, showValue } from './fault.ts';
import { sourceFields } from './source-schema.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What issues are that rules of the model do not name; all else is of a wrong form. */
const KINDS: Readonly<Partial<Record<Issue['code'], FaultKind>>> = {
  invalid_type: 'wrong_type',
  invalid_union: 'wrong_type',
  invalid_value: 'not_in_enumeration',
  too_small: 'out_of_range',
  too_big: 'out_of_range',
};

/**
 * Returns the faults that `issues` stand for; `store` is the value they were found in.
 * @param within path of the value that they were found in: their own begins there
 */
export function issueFaults(
  issues: readonly Issue[],
  store: unknown,
  within: Path = [],
): StoreFault[] {
  return issues.flatMap((issue) => {
    const path = [...within, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        return toFault('unknown_key', [...path, key], store, 'expected no such key');
      });
    }
    const inner = innerIssues(issue);
    if (inner) return issueFaults(inner, store, path);
    const kind = (issue.code === 'custom' && issue.params?.kind) || KINDS[issue.code];
    return [toFault(kind ?? 'bad_format', path, store, expectedBy(issue))];
  });
}

/** Returns the issues of a key, or of the branch of a union that is meant for a value of this type. */
function innerIssues(issue: Issue): readonly Issue[] | undefined {
  if (issue.code === 'invalid_key') return issue.issues;
  if (issue.code !== 'invalid_union') return undefined;
  return issue.errors.find(([first]) => first?.code !== 'invalid_type' || first.path.length > 0);
}

/** Returns what zod expected, in its words without those on what it got, which a fault shows itself. */
function expectedBy(issue: Issue): string {
  if (issue.code === 'invalid_format' && issue.format === 'datetime') {
    return 'expected a day and a time that exist, with T between them and Z or an offset, as 2026-11-01T08:30:00+01:00';
  }
  return issue.message.replaceAll(/^[A-Z][a-z ]+: |, received \w+$/g, '');
}

/** Paths of the fields that may be null. Made once there is a fault. */
let nullable: ReadonlySet<string> | undefined;

/** Returns the fault of a value that is not what was expected; where there is none, that is what is wrong. */
function toFault(kind: FaultKind, keys: Path, store: unknown, expected: string): StoreFault {
  const path = keys.join('.');
  const found = keys.reduce<unknown>((value, key) => Object(value)[key], store);
  nullable ??= new Set(sourceFields().flatMap((field) => (field.isNullable ? field.path : [])));
  const message = nullable.has(fieldOf(path)) ? `${expected}, or null` : expected;
  if (found === undefined) return { kind: 'missing_field', path, value: null, message };
  return { kind, path, value: showValue(found), message };
}
