/**
 * Declarations of query parameters. One declaration serves the parser, the OpenAPI document and
 * the page in /docs.
 */
import { z } from 'zod';
import { quote } from '../shown-text.ts';
import type { Explain, ValueFault } from './faults.ts';

/** The value that a text stands for, or the reason why it stands for none. */
export type Reading<Value> = { readonly value: Value } | { readonly explain: Explain };

export interface Parameter<Value = unknown> {
  readonly name: string;
  /** Whether it takes an array, in any of the three ways to write one. */
  readonly array: boolean;
  /** For partner developers. */
  readonly description: string;
  readonly example: string;
  /** Describes a value or, where the parameter takes an array, an item. */
  readonly schema: z.ZodType;
  /** Reads one value. It is never called with an empty text. */
  readonly read: (text: string) => Reading<Value>;
}

/** The parts of a declaration that documentation shows. */
export interface Wording {
  readonly name: string;
  readonly array?: boolean;
  readonly description: string;
  readonly example: string;
}

/** A number as JSON writes it: no leading plus or zeros, no hexadecimal; exponents are fine. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** A whole number in digits alone. A minus passes here, so that -1 is reported as out of range. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

/** A number within the limits of `schema`; a whole one if `schema` comes from `z.int()`. */
export function numberParameter(wording: Wording, schema: z.ZodNumber): Parameter<number> {
  return { array: false, ...wording, schema, read: (text) => readNumber(text, schema) };
}

/** One of a closed set of words; upper and lower case matter. */
export function wordParameter<Word extends string>(
  wording: Wording,
  words: readonly Word[],
): Parameter<Word> {
  const known = new Map<string, Word>(words.map((word) => [word, word]));
  return {
    array: false,
    ...wording,
    schema: z.enum(words),
    read: (text) => {
      const value = known.get(text);
      return value === undefined ? { explain: () => unknownValue(text, words) } : { value };
    },
  };
}

/** Any text. */
export function textParameter(wording: Wording): Parameter<string> {
  return { array: false, ...wording, schema: z.string().min(1), read: (text) => ({ value: text }) };
}

function unknownValue(text: string, words: readonly string[]): ValueFault {
  const detail = `Expected one of ${words.join(', ')}, got ${quote(text)}.`;
  return { code: 'unknown_value', detail };
}

function readNumber(text: string, schema: z.ZodNumber): Reading<number> {
  const grammar = isWhole(schema) ? WHOLE_NUMBER : JSON_NUMBER;
  const value = Number(text);
  if (!grammar.test(text) || !schema.safeParse(value).success) {
    return { explain: () => faultyNumber(text, schema) };
  }
  // Minus zero becomes zero: equal queries have equal values.
  return { value: value === 0 ? 0 : value };
}

function faultyNumber(text: string, schema: z.ZodNumber): ValueFault {
  const got = `got ${quote(text)}.`;
  if (!JSON_NUMBER.test(text)) {
    return { code: 'not_a_number', detail: `Expected a number such as 12, -0.5 or 1e-7, ${got}` };
  }
  if (isWhole(schema) && !WHOLE_NUMBER.test(text)) {
    const detail = `Expected a whole number, written in digits alone, ${got}`;
    return { code: 'not_an_integer', detail };
  }
  return { code: 'out_of_range', detail: `Expected ${limitsOf(schema, Number(text))}, ${got}` };
}

/** Whether `schema` comes from `z.int()`. */
function isWhole(schema: z.ZodNumber): boolean {
  return schema.format === 'safeint';
}

/** What the limits that `value` breaks are, in words. */
function limitsOf({ minValue, maxValue }: z.ZodNumber, value: number): string {
  // `z.int()` sets this limit, where numbers stop being exact. Only larger values are told of it.
  const isOpen = maxValue === Number.MAX_SAFE_INTEGER && value < maxValue;
  return isOpen ? `an integer from ${minValue}` : `${minValue} to ${maxValue}`;
}
