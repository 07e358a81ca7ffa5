/**
 * Declarations of query parameters. What a parameter takes is written once: the parsers, the OpenAPI
 * document, the pages in /docs and typed clients all go by it.
 *
 * The zod schema is for documents alone. Values are read without zod, which makes an object for every
 * fault: 16 kB of bad items took it 25 ms, and `check` takes 1 ms.
 */
import { z } from 'zod';
import { quote } from '../shown-text.ts';
import type { FaultCode, FaultList } from './faults.ts';

/** The parts of a declaration that are words. */
export interface Wording<Name extends string = string> {
  readonly name: Name;
  /** For partner developers. */
  readonly description: string;
  readonly example: string;
  /** What other services call it, in lower case: callers who write that are told this name. */
  readonly usualNames?: readonly string[];
}

export interface Parameter<
  Name extends string = string,
  Value = unknown,
  Sent = unknown,
  IsArray extends boolean = boolean,
> extends Wording<Name> {
  /** Whether it takes an array, in any of the three ways to write one. */
  readonly array: IsArray;
  /** Whether a request has to have it; the operation checks that. */
  readonly required?: boolean;
  /** What a value is or, where the parameter takes an array, an item. */
  readonly schema: z.ZodType;
  /** What is wrong with a value or item that is not empty; null: nothing. */
  readonly check: (text: string) => FaultCode | null;
  /** Reads a text in which nothing is wrong. */
  readonly read: (text: string) => Value;
  /** The sentence about a text in which something is wrong. */
  readonly explain: Explain;
  /** Never there: carries the type of what a typed client writes. */
  readonly sent?: Sent;
}

/** @param faults those that are listed before this one */
export type Explain = (code: FaultCode, text: string, faults: FaultList) => string;

/** A parameter that takes an array of words or other texts. */
export type ArrayParameter<Name extends string, Item> = Parameter<Name, Item, Item, true>;

/** What was asked for, by the names of parameters. */
export type Asked<Parameters extends readonly Parameter[]> = {
  readonly [Each in Parameters[number] as Each['name']]?: Each extends Parameter<
    string,
    infer Value,
    unknown,
    infer IsArray
  >
    ? IsArray extends true
      ? readonly Value[]
      : Value
    : never;
};

/** What a typed client sends, by the names of parameters. */
export type Sent<Parameters extends readonly Parameter[]> = {
  [Each in Parameters[number] as Each['name']]?:
    | (Each extends Parameter<string, unknown, infer Value, infer IsArray>
        ? IsArray extends true
          ? Value | readonly Value[]
          : Value
        : never)
    | undefined;
};

/** One of a closed set of words; upper and lower case matter. */
export function wordParameter<const Name extends string, const Word extends string>(
  wording: Wording<Name>,
  words: readonly Word[],
): Parameter<Name, Word, Word, false> {
  return { ...wording, array: false, ...oneOf(words) };
}

/** Some of a closed set of words. */
export function wordsParameter<const Name extends string, const Word extends string>(
  wording: Wording<Name>,
  words: readonly Word[],
  faultOf?: (text: string) => FaultCode,
  explain?: Explain,
): ArrayParameter<Name, Word> {
  const word = oneOf(words, faultOf);
  return { ...wording, array: true, ...word, explain: explain ?? word.explain };
}

/** A text of a pattern. */
export function patternParameter<const Name extends string>(
  wording: Wording<Name>,
  pattern: Pattern,
): Parameter<Name, string, string, false> {
  return { ...wording, array: false, ...matching(pattern) };
}

/** Some texts of a pattern. */
export function patternsParameter<const Name extends string>(
  wording: Wording<Name>,
  pattern: Pattern,
): ArrayParameter<Name, string> {
  return { ...wording, array: true, ...matching(pattern) };
}

/** Any text. */
export function textParameter<const Name extends string>(
  wording: Wording<Name>,
): Parameter<Name, string, string, false> {
  const schema = z.string().min(1);
  return { ...wording, array: false, schema, check: () => null, read, explain: (code) => code };
}

/** How a text is written. */
export interface Pattern {
  readonly pattern: RegExp;
  /** The code of the fault of other texts. */
  readonly fault: FaultCode;
  /** For the sentence about them: `an id of 24 hexadecimal digits`. */
  readonly expected: string;
}

const read = (text: string): string => text;

function matching({ pattern, fault, expected }: Pattern) {
  const check = (text: string) => (pattern.test(text) ? null : fault);
  const explain: Explain = (_, text) => `Expected ${expected}, got ${quote(text)}.`;
  return { schema: z.string().regex(pattern), check, read, explain };
}

function oneOf<Word extends string>(
  words: readonly Word[],
  faultOf: (text: string) => FaultCode = () => 'unknown_value',
) {
  const known: ReadonlySet<string> = new Set(words);
  const check = (text: string) => (known.has(text) ? null : faultOf(text));
  const explain: Explain = (_, text) => `Expected one of ${words.join(', ')}, got ${quote(text)}.`;
  return { schema: z.enum(words), check, read: read as (text: string) => Word, explain };
}
