/**
 * Declarations of query parameters. One declaration serves the parser, the OpenAPI document and
 * the page in /docs.
 */
import { z } from 'zod';
import { type FaultList, quote, type ValueFault } from './faults.ts';

/** What a text stands for, or why it stands for nothing. */
export type Reading<Value> = { readonly value: Value } | { readonly fault: ValueFault };

export interface Parameter<Value = unknown> {
  readonly name: string;
  /** Whether it takes an array, in any of the three ways to write one. */
  readonly array: boolean;
  /** For partner developers. */
  readonly description: string;
  readonly example: string;
  /** One value as it is written; an item, where the parameter takes an array. */
  readonly schema: z.ZodType;
  /** Reads one value, never an empty one. */
  readonly read: (text: string, faults: FaultList) => Reading<Value>;
}

/** The parts of a declaration that are there to be read by people. */
export interface Wording {
  readonly name: string;
  readonly array?: boolean;
  readonly description: string;
  readonly example: string;
}

/** A number as JSON writes it: no leading plus or zeros, no hexadecimal; exponents are fine. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** Digits alone. The minus passes, so that a negative number is said to be out of range. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

/** A number within the limits of `schema`; a whole one if `schema` comes from `z.int()`. */
export function numberParameter(wording: Wording, schema: z.ZodNumber): Parameter<number> {
  return { array: false, ...wording, schema, read: (text) => readNumber(text, schema) };
}

/** One of a closed set of words, in exactly this case. */
export function wordParameter<Word extends string>(
  wording: Wording,
  words: readonly Word[],
): Parameter<Word> {
  const schema = z.enum(words);
  return {
    array: false,
    ...wording,
    schema,
    read: (text) => {
      const { success, data } = schema.safeParse(text);
      if (success) return { value: data };
      const detail = `Expected one of ${words.join(', ')}, got ${quote(text)}.`;
      return { fault: { code: 'unknown_value', detail } };
    },
  };
}

/** Any text. */
export function textParameter(wording: Wording): Parameter<string> {
  return { array: false, ...wording, schema: z.string().min(1), read: (text) => ({ value: text }) };
}

function readNumber(text: string, schema: z.ZodNumber): Reading<number> {
  if (!JSON_NUMBER.test(text)) {
    const detail = `Expected a number such as 12, -0.5 or 1e-7, got ${quote(text)}.`;
    return { fault: { code: 'not_a_number', detail } };
  }
  if (isWhole(schema) && !WHOLE_NUMBER.test(text)) {
    const detail = `Expected a whole number, written in digits alone, got ${quote(text)}.`;
    return { fault: { code: 'not_an_integer', detail } };
  }
  const { success, data } = schema.safeParse(Number(text));
  if (success) return { value: data };
  const detail = `Expected ${limitsOf(schema, Number(text))}, got ${quote(text)}.`;
  return { fault: { code: 'out_of_range', detail } };
}

/** Whether `schema` comes from `z.int()`. */
function isWhole(schema: z.ZodNumber): boolean {
  return schema.format === 'safeint';
}

/** The limits that `value` breaks, in words. */
function limitsOf(schema: z.ZodNumber, value: number): string {
  const { minValue, maxValue } = schema;
  // Nobody set this limit: it is where numbers end, of no interest to whom it does not stop.
  const isOpen = maxValue === Number.MAX_SAFE_INTEGER && value < maxValue;
  return isOpen ? `an integer from ${minValue}` : `${minValue} to ${maxValue}`;
}
