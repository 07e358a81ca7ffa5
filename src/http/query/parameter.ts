/**
 * Declarations of query parameters. What a parameter takes is written once, as a zod schema: the
 * validator, the OpenAPI document and the page in /docs all go by it.
 *
 * The messages of these schemas are codes of `PARAMETER_FAULTS`. The sentence for the caller is made
 * from the code later, for the faults that are shown and not for thousands of others.
 */
import { z } from 'zod';
import { quote } from '../shown-text.ts';
import type { FaultCode, FaultList } from './faults.ts';
import type { SentText } from './query-text.ts';

/** The parts of a declaration that documentation shows. */
export interface Wording<Name extends string = string> {
  readonly name: Name;
  /** For partner developers. */
  readonly description: string;
  readonly example: string;
}

export interface Parameter<Name extends string = string, Reader extends z.ZodType = z.ZodType>
  extends Wording<Name> {
  /** Whether it takes an array, in any of the three ways to write one. */
  readonly array: boolean;
  /** Whether a request has to have it, which is looked at when all parameters are. */
  readonly required?: boolean;
  /** What a value is or, where the parameter takes an array, an item. */
  readonly schema: z.ZodType;
  /** Reads what was sent by that schema: what the validator runs. */
  readonly reader: Reader;
  /** The sentence about a value or item that the schema refuses. */
  readonly explain: Explain;
}

/** @param faults those that are listed before this one */
export type Explain = (code: FaultCode, text: string, faults: FaultList) => string;

/** Reads one value, if it was sent. `Sent` is what a typed client writes. */
export type One<Value, Sent> = z.ZodOptional<z.ZodType<Value, Sent>>;

/** Reads the items of an array, each once. */
export type Many<Item, Sent> = z.ZodOptional<z.ZodType<Item[], Sent | readonly Sent[]>>;

/** The code of a fault as the message of a schema. */
export const fault = (code: FaultCode): FaultCode => code;

/** What every value and item is at least. What could not be decoded is null, and no string. */
export const someText = z.string(fault('malformed_encoding')).min(1, fault('empty_value'));

/** One of a closed set of words; upper and lower case matter. */
export function wordParameter<const Name extends string, const Word extends string>(
  wording: Wording<Name>,
  words: readonly Word[],
): Parameter<Name, One<Word, Word>> {
  const { schema, explain } = oneOf(words);
  const reader = one<Word, Word>(someText.pipe(schema)).optional();
  return { ...wording, array: false, schema, reader, explain };
}

/** Some of a closed set of words. */
export function wordsParameter<const Name extends string, const Word extends string>(
  wording: Wording<Name>,
  words: readonly Word[],
): Parameter<Name, Many<Word, Word>> {
  const { schema, explain } = oneOf(words);
  return arrayParameter(wording, schema, explain);
}

/** Some of the texts that `schema` takes. */
export function arrayParameter<const Name extends string, Item extends string>(
  wording: Wording<Name>,
  schema: z.ZodType<Item>,
  explain: Explain,
): Parameter<Name, Many<Item, Item>> {
  const reader = many(someText.pipe(schema as z.ZodType<Item, string>)).optional();
  return { ...wording, array: true, schema, reader, explain };
}

/** A text that `schema` takes. */
export function patternParameter<const Name extends string>(
  wording: Wording<Name>,
  schema: z.ZodString,
  explain: Explain,
): Parameter<Name, One<string, string>> {
  const reader = one<string, string>(someText.pipe(schema)).optional();
  return { ...wording, array: false, schema, reader, explain };
}

/** Any text. */
export function textParameter<const Name extends string>(
  wording: Wording<Name>,
): Parameter<Name, One<string, string>> {
  const reader = one<string, string>(someText).optional();
  return { ...wording, array: false, schema: someText, reader, explain: (code) => code };
}

/** Reads a parameter that takes one value. Several are a fault, and their own faults are told too. */
export function one<Value, Sent>(item: z.ZodType<Value, string>): z.ZodType<Value, Sent> {
  // Not by `max`, which leaves the values of a list that is too long unread.
  const values = z.array(item).refine(({ length }) => length <= 1, {
    error: fault('duplicate_parameter'),
    when: () => true,
  });
  const reader = z.preprocess(asList, values).transform(([value]) => value as Value);
  return reader as z.ZodType<Value> as z.ZodType<Value, Sent>;
}

function many<Item>(item: z.ZodType<Item, string>): z.ZodType<Item[], Item | readonly Item[]> {
  const reader = z.preprocess(itemsOf, z.array(item));
  return reader as z.ZodType<Item[]> as z.ZodType<Item[], Item | readonly Item[]>;
}

/** What Hono shows of a parameter: a text alone is no list. */
export type ShownTexts = SentText | readonly SentText[];

/** The values of a parameter that takes one. */
export function asList(shown: ShownTexts): readonly SentText[] {
  return Array.isArray(shown) ? shown : [shown as SentText];
}

/** The items of a parameter that takes an array, each once. A text that cannot be decoded is one. */
export function itemsOf(shown: ShownTexts): readonly SentText[] {
  return [...new Set(asList(shown).flatMap((text) => text?.split(',') ?? [text]))];
}

function oneOf<Word extends string>(words: readonly Word[]) {
  const schema = z.enum(words, fault('unknown_value'));
  const explain: Explain = (_, text) => `Expected one of ${words.join(', ')}, got ${quote(text)}.`;
  return { schema, explain };
}
