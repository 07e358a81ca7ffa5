/** Turns unknown parameters, and the issues of zod, into the `errors` of a 400. */
import * as z from 'zod';
import { quote, shorten } from '../../../auth/redact.ts';
import { type FaultCode, type ParameterFault, ProblemError } from '../../../model/problem.ts';
import { isSentence, type SentText } from '../../../query/parameters.ts';
import { jsonWithoutMarkup } from '../../problem-body.ts';
import { parameterName, type QuerySchema } from '../query-schema.ts';
import { suggestion } from './closest-word.ts';

/** Faults of one parameter that are shown. The others are only counted. */
const MAX_SHOWN = 20;

/**
 * Bytes of faults after which each parameter shows its first fault alone. Real mistakes do not come
 * near it. So no problem document passes 64 kB.
 */
const MAX_SHOWN_BYTES = 32_000;

/** What was sent, by parameter: one text, or several (an array, or a mistake). */
export type Sent = Readonly<Record<string, SentText | readonly SentText[]>>;

/** Returns the problem of a query that has unknown parameters, or issues. */
export function problemOfFaults(
  schema: QuerySchema,
  sent: Sent,
  unknown: readonly string[],
  issues: readonly z.core.$ZodIssue[],
): ProblemError {
  const { shape } = schema;
  // A fault is explained only if it is shown.
  const found = new Map<string, (() => ParameterFault)[]>();
  const strange = unknown.map((name) => () => {
    const detail = explainUnknown(name, schema);
    return { parameter: shorten(name), code: 'unknown_parameter', detail };
  });
  // Their name in `more_faults`.
  found.set('?', strange);
  for (const name of Object.keys(shape)) found.set(name, []);
  for (const issue of issues.flatMap((each) => withValues(each, sent, shape))) {
    found.get(issue.path[0] as string)?.push(() => explain(issue, sent));
  }
  const errors: ParameterFault[] = [];
  let [count, bytes] = [0, 0];
  for (const [name, faults] of found) {
    count += faults.length;
    let others = faults.length;
    for (const explained of faults.slice(0, MAX_SHOWN)) {
      if (others < faults.length && bytes > MAX_SHOWN_BYTES) break;
      const fault = explained();
      errors.push(fault);
      others--;
      bytes += new TextEncoder().encode(jsonWithoutMarkup(fault)).length;
    }
    if (others === 0) continue;
    errors.push({ parameter: name, code: 'more_faults', detail: `${others} more not shown.` });
  }
  const [{ parameter, detail }] = errors as [ParameterFault];
  const whole = count === 1 ? `${quote(parameter)}: ${detail}` : `${count} faults, see errors.`;
  return new ProblemError('invalid_parameters', whole, { errors });
}

/**
 * Returns an issue and, if its parameter takes one value and was sent a few times, the issues of
 * each value.
 */
function withValues(issue: z.core.$ZodIssue, sent: Sent, shape: z.ZodRawShape) {
  const [name, index] = issue.path as [string, number?];
  const value = sent[name];
  const isTwice = issue.code !== 'custom' && index === undefined && Array.isArray(value);
  if (!isTwice || value.length > MAX_SHOWN) return [issue];
  const { error } = z.array(shape[name] as z.ZodType).safeParse([...new Set(value)]);
  const ofValues = (error?.issues ?? []).map((each) => ({ ...each, path: [name, ...each.path] }));
  return [issue, ...ofValues];
}

function explain(issue: z.core.$ZodIssue, sent: Sent): ParameterFault {
  const { message } = issue;
  const [parameter, index] = issue.path as [string, number?];
  // The index counts different values. Items of arrays are different already.
  const text = index === undefined ? sent[parameter] : [...new Set(sent[parameter])][index];
  const fault = (code: FaultCode, detail: string) => ({ parameter, code, detail });
  if (issue.code === 'custom') return fault(issue.params?.code, message);
  if (text === undefined) return fault('missing_parameter', `${message}.`);
  if (text === null) return fault('malformed_encoding', 'Expected percent-encoded UTF-8.');
  if (text === '') return fault('empty_value', 'Expected a value, got none.');
  if (typeof text !== 'string') {
    return fault('duplicate_parameter', `Takes one value, got ${text.length}.`);
  }
  if (issue.code === 'invalid_value') {
    if (isSentence(message)) return fault('unknown_value', message);
    const hint = suggestion(text, issue.values as string[]);
    return fault('unknown_value', `${message}, got ${quote(text)}.${hint}`);
  }
  const code = issue.code === 'invalid_format' ? 'malformed_value' : 'out_of_range';
  return fault(code, `${message}, got ${quote(text)}.`);
}

/** Returns why there is no such parameter, with a hint. @param name as it was sent */
function explainUnknown(name: string, schema: QuerySchema): string {
  const { shape } = schema;
  const { shape: others = {}, detail } = schema.elsewhere ?? {};
  if (detail && Object.hasOwn(others, parameterName(name, others))) return detail;
  const single = name.endsWith('[]') ? name.slice(0, -2) : '';
  return Object.hasOwn(shape, single)
    ? `${single} takes one value, not an array. Did you mean "${single}"?`
    : `There is no such parameter.${hintFor(name.toLowerCase(), shape, others)}`;
}

/**
 * Returns a hint: the first parameter that ends with what was written, then those that it means to
 * other services. By letters alone `lng` would lead to `lang`, not to `position.longitude`.
 */
function hintFor(written: string, shape: z.ZodRawShape, others: z.ZodRawShape): string {
  const names = Object.keys(shape);
  const ending = names.find((name) => `.${name.toLowerCase()}`.endsWith(`.${written}`));
  const hints = new Map(ending ? [[ending, '']] : []);
  // Some parameters are in both shapes.
  const meant = Object.entries({ ...shape, ...others }).filter(([, parameter]) =>
    (parameter as z.ZodType).meta()?.usualNames?.includes(written),
  );
  for (const [name, parameter] of meant) {
    const usage = (parameter as z.ZodType).meta()?.usage;
    if (Object.hasOwn(shape, name)) hints.set(name, usage ? ` ${usage}` : '');
  }
  if (hints.size === 0) return meant.length === 0 ? suggestion(written, names) : '';
  const quoted = Array.from(hints.keys(), (name) => `"${name}"`);
  return ` Did you mean ${quoted.join(' or ')}?${[...hints.values()].join('')}`;
}
