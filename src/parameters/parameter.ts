/**
 * Declarations of query parameters. What a parameter takes is written once: the parsers, the OpenAPI
 * document and the pages in /docs all go by it.
 *
 * The zod schema is for documents alone. Values are read without zod, which makes an object for every
 * fault: 16 kB of bad items took it 25 ms, and `read` takes 1 ms.
 */
import * as z from 'zod';
import { quote } from '../shown-text.ts';
import type { FaultCode } from './faults.ts';

/** The parts of a declaration that are words. */
export interface Wording<Name extends string = string> {
  readonly name: Name;
  /** For partner developers. */
  readonly description: string;
  readonly example: string;
  /** What other services call it, in lower case: callers who write that are told this name. */
  readonly usualNames?: readonly string[];
  /** What they are told besides, where it takes something else than those. */
  readonly usage?: string;
}

/**
 * Takes the code of what is wrong with a text, and what puts it into a sentence: that is called for
 * faults that are shown, not for thousands of others. It returns null, in the place of a value.
 */
export type Refuse<Code extends string = FaultCode> = (code: Code, explain: () => string) => null;

/** A kind of value, or of item of an array. */
export interface Kind<Value = unknown> {
  /** For documents. */
  readonly schema: z.ZodType;
  /** The value of a text that is not empty; null when `refuse` was told that something is wrong. */
  readonly read: (text: string, refuse: Refuse<string>) => Value | null;
  /** Whether a text means another value at another time. */
  readonly isFleeting?: (text: string) => boolean;
}

export interface Parameter<
  Name extends string = string,
  Value = unknown,
  IsArray extends boolean = boolean,
> extends Wording<Name>,
    Kind<Value> {
  /** Whether it takes an array, in any of the three ways to write one. */
  readonly array: IsArray;
  /** Whether a request has to have it; the operation checks that. */
  readonly required?: boolean;
}

/** A parameter that takes one value. */
export function one<const Name extends string, Value>(
  wording: Wording<Name>,
  kind: Kind<Value>,
): Parameter<Name, Value, false> {
  return { ...wording, ...kind, array: false };
}

/** A parameter that takes an array. */
export function many<const Name extends string, Value>(
  wording: Wording<Name>,
  kind: Kind<Value>,
): Parameter<Name, Value, true> {
  return { ...wording, ...kind, array: true };
}

/** What was asked for, by the names of parameters. */
export type Asked<Parameters extends readonly Parameter[]> = {
  readonly [Each in Parameters[number] as Each['name']]?: Each extends Parameter<
    string,
    infer Value,
    infer IsArray
  >
    ? IsArray extends true
      ? readonly Value[]
      : Value
    : never;
};

/**
 * One of a closed set of words; upper and lower case matter.
 * @param refuseOther refuses any other text
 */
export function word<const Word extends string>(
  words: readonly Word[],
  refuseOther = (text: string, refuse: Refuse) =>
    refuse('unknown_value', () => explainWord(text, words)),
): Kind<Word> {
  const known: ReadonlySet<string> = new Set(words);
  return {
    schema: z.enum(words),
    read: (text, refuse) => (known.has(text) ? (text as Word) : refuseOther(text, refuse)),
  };
}

function explainWord(text: string, words: readonly string[]): string {
  // In another case, or with more behind it, as `it-IT` has.
  const known = [text, text.split(/[-_]/, 1)[0]].map((each) => each?.toLowerCase());
  const meant = words.find((each) => known.includes(each.toLowerCase()));
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `Expected one of ${words.join(', ')}, got ${quote(text)}.${hint}`;
}

/** @param expected for the sentence about other texts: `an id of 24 hexadecimal digits` */
export function textLike(pattern: RegExp, fault: FaultCode, expected: string): Kind<string> {
  return {
    schema: z.string().regex(pattern),
    read: (text, refuse) =>
      pattern.test(text) ? text : refuse(fault, () => `Expected ${expected}, got ${quote(text)}.`),
  };
}

export const ANY_TEXT: Kind<string> = { schema: z.string().min(1), read: (text) => text };
