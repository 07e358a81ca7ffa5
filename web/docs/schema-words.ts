/** Says in words what a schema of the document takes. */
import { ID_PATTERN } from '../../src/model/store.ts';
import type { Schema } from '../openapi/schemas.ts';
import { follow } from './openapi.ts';

/** Larger maximums are not shown: they only say up to where numbers are exact. */
const MAX_TOLD = 1e9;

/** Returns what a value is, in words, and how large it may be: `array of integer, 0 to 50`. */
export function describeType(schema: Schema): string {
  const { items } = withoutNull(schema);
  if (items) return `array of ${describeType(items)}`;
  const item = itemOf(schema);
  return typeName(item) + limitsOf(item);
}

/** Returns the legal values where they are listed. */
export function valuesOf(schema: Schema): readonly string[] {
  const { enum: words, const: word } = itemOf(schema);
  return [words ?? word ?? []].flat().map(String);
}

/** Returns the schema of a single item: without its name, its null and its arrays. */
export function itemOf(schema: Schema): Schema {
  const whole = withoutNull(schema);
  return whole.items ? itemOf(whole.items) : whole;
}

export function isNullable(schema: Schema): boolean {
  const { anyOf = [], type } = follow(schema);
  return [type, ...anyOf.map((each) => each.type)].flat().includes('null');
}

/** Returns the first of several schemas: the others are null, or what `fields` chose of it. */
function withoutNull(schema: Schema): Schema {
  const whole = follow(schema);
  return whole.anyOf?.[0] ? withoutNull(whole.anyOf[0]) : whole;
}

function typeName({ type = [], pattern, format }: Schema): string {
  if (pattern === ID_PATTERN.source) return '24 hexadecimal digits';
  if (format === 'date-time') return format;
  return [type]
    .flat()
    .filter((name) => name !== 'null')
    .join(' or ');
}

function limitsOf({ minimum, maximum = Number.POSITIVE_INFINITY, default: usual }: Schema): string {
  const range = maximum > MAX_TOLD ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
  const limits = minimum === undefined ? '' : range;
  return `${limits}${usual === undefined ? '' : `, default ${usual}`}`;
}
