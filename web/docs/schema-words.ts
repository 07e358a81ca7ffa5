/** Says in words what a schema of the document takes. */
import { ID_PATTERN } from '../../src/model/store.ts';
import type { Schema } from '../openapi/schemas.ts';
import { follow } from './openapi.ts';

/** Larger maximums are not shown: they only say up to where numbers are exact. */
const MAX_TOLD = 1e9;

/** Returns what a value is, in words, and how large it may be: `array of integer, 0 to 50`. */
export function describeType(schema: Schema): string {
  const { core, depth } = unwrap(schema);
  return `${'array of '.repeat(depth)}${typeName(core)}${limitsOf(core)}`;
}

/** Returns the legal values where they are listed. */
export function valuesOf(schema: Schema): readonly string[] {
  const { enum: words, const: word } = unwrap(schema).core;
  return (words ?? (word === undefined ? [] : [word])).map(String);
}

interface Unwrapped {
  /** The schema without its name, its null and its arrays: what one item is. */
  readonly core: Schema;
  readonly nullable: boolean;
  /** How many arrays are around it. */
  readonly depth: number;
}

export function unwrap(schema: Schema): Unwrapped {
  const whole = follow(schema);
  const [first, ...others] = whole.anyOf ?? [];
  if (first) return { ...unwrap(first), nullable: others.some(({ type }) => type === 'null') };
  const nullable = typesOf(whole).includes('null');
  if (!whole.items) return { core: whole, nullable, depth: 0 };
  const { core, depth } = unwrap(whole.items);
  return { core, nullable, depth: depth + 1 };
}

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat();

function typeName(schema: Schema): string {
  if (schema.pattern === ID_PATTERN.source) return '24 hexadecimal digits';
  if (schema.format === 'date-time') return 'date-time';
  return typesOf(schema)
    .filter((name) => name !== 'null')
    .join(' or ');
}

function limitsOf({ minimum, maximum = Number.POSITIVE_INFINITY, default: usual }: Schema): string {
  const range = maximum > MAX_TOLD ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
  const limits = minimum === undefined || minimum < -MAX_TOLD ? '' : range;
  return `${limits}${usual === undefined ? '' : `, default ${usual}`}`;
}
