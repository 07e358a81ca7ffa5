/**
 * Declares parameters: zod schemas that read numbers, words and arrays from the text of a query, and the
 * declarations of conditions. Each condition is declared in one file of `conditions`: its parameters,
 * its faults, and what a request asks for by them. `http/query/list-query.ts` makes the schema of lists of
 * the declarations.
 *
 * The message of an issue says what is expected: `Expected one of BIKE, CAR`.
 * `http/query/hints/faults.ts` adds what was sent, and a hint. A message of words that `isSentence`
 * has both.
 */
import * as z from 'zod';
import { quote } from '../auth/redact.ts';
import type { FaultCode } from '../model/problem.ts';
import type { Condition } from './queries.ts';

declare module 'zod' {
  /** The words of a parameter, for the documentation and hints; `parameterSchema` keeps them out of its schema there. */
  interface GlobalMeta {
    example?: string | undefined;
    /** Names that other services use, in lower case: a hint leads from them to this parameter. */
    usualNames?: readonly string[];
    /** Added to that hint if the parameter takes something else than theirs. */
    usage?: string;
    /** The value without the parameter. */
    default?: number;
  }
}

/** A number as JSON writes it: no leading plus or zeros, no hexadecimal; exponents are fine. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** A whole number in digits alone. A minus passes here, so that -1 is reported as out of range. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

const MAX_ITEMS = 300;

/** Code points, without white space at the ends. */
export const MAX_TEXT = 100;

/** Returns whether a message is a whole sentence, with what was sent and what may have been meant. */
export function isSentence(message: string): boolean {
  return message.endsWith('.');
}

/** A name or value as it was sent, decoded; null when it cannot be decoded. */
export type SentText = string | null;

/** Declares a parameter, which requests may leave out. @param words for the documentation and hints */
export function parameter<Value extends z.ZodType>(value: Value, words: z.GlobalMeta) {
  return value.optional().meta(words);
}

/** A text that is not empty. */
export const TEXT = z.string().min(1);

/** A text of words that people type. */
export const SHORT_TEXT = TEXT.superRefine((text, context) => {
  const { length } = Array.from(text.trim());
  const detail = `Expected at most ${MAX_TEXT} characters, got ${length}.`;
  if (length > MAX_TEXT) addFault(context, 'too_long', detail);
});

/** Reads a number, whole or not. */
export function numberBetween(min: number, max: number) {
  const range = `Expected ${min} to ${max}`;
  return z.codec(
    z.string().regex(JSON_NUMBER, 'Expected a number such as 12, -0.5 or 1e-7'),
    z.number(range).min(min, range).max(max, range),
    // Minus zero becomes zero: equal queries have equal values.
    { decode: (text) => Number(text) + 0, encode: String },
  );
}

/** Reads a whole number; without `max`, up to the largest that is exact. */
export function wholeNumberFrom(min: number, max = Number.MAX_SAFE_INTEGER) {
  const range = `Expected ${min} to ${max}`;
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  return z.codec(
    z.string().regex(WHOLE_NUMBER, 'Expected a whole number, written in digits alone'),
    // No `z.int()`, which has a second fault of a number that is too large.
    z
      .number(range)
      .min(min, isOpen ? `Expected an integer from ${min}` : range)
      .max(max, range)
      .meta({ type: 'integer' }),
    { decode: Number, encode: String },
  );
}

/** Reads one of a closed set of words. Upper and lower case matter. */
export function word<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `Expected one of ${words.join(', ')}`);
}

/**
 * Reads a text of a pattern.
 * @param expected for the sentence about other texts: `an id of 24 hexadecimal digits`
 */
export function textLike(pattern: RegExp, expected: string) {
  const error = `Expected ${expected}`;
  return z.string(error).regex(pattern, error);
}

/**
 * Reads an array, in any of the three ways to write one. Its items are counted before they are
 * read.
 */
export function arrayOf<Item extends z.ZodType<unknown, string>>(item: Item, max = MAX_ITEMS) {
  return z.preprocess(
    (sent, context) => {
      const items = itemsOf(sent);
      const detail = `Takes at most ${max} items, got ${items.length}.`;
      if (items.length > max) addFault(context, 'too_many', detail);
      return items;
    },
    z.array(item).meta({ maxItems: max }),
  );
}

/** Returns whether a parameter takes an array. */
export function isArray(parameter: z.core.$ZodType | undefined): boolean {
  return parameter instanceof z.ZodOptional && parameter.unwrap() instanceof z.ZodPreprocess;
}

/**
 * Returns the items of an array, each once, without white space around them.
 * @param sent one text, or several; null stands for one that cannot be decoded
 */
export function itemsOf(sent: unknown): SentText[] {
  const items = new Set<SentText>();
  for (const text of [sent].flat()) {
    if (typeof text === 'string') for (const item of text.split(',')) items.add(item.trim());
    else items.add(null);
  }
  return [...items];
}

/**
 * Adds the fault of a value that cannot be read, a sentence such as `Expected an id, got "x".`
 * @param expected its beginning
 * @param got the text that was sent, or how many values were
 * @param end what follows
 */
export function unread(
  context: z.RefinementCtx,
  code: FaultCode,
  expected: string,
  got: string | number,
  end = '.',
): never {
  const shown = typeof got === 'string' ? quote(got) : got;
  addFault(context, code, `${expected}, got ${shown}${end}`);
  return z.NEVER;
}

/**
 * Adds a fault that zod has no issue for.
 * @param detail a whole sentence
 * @param parameter its name, if the context is the whole query
 */
export function addFault(
  context: z.RefinementCtx,
  code: FaultCode,
  detail: string,
  parameter?: string,
): void {
  const path = parameter === undefined ? [] : [parameter];
  context.addIssue({ code: 'custom', params: { code }, message: detail, path });
}

/** A condition as it is declared. */
export interface Declaration<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Its parameters. */
  readonly shape: Shape;
  /** Whether it orders the list: its parameters are refused beside `after`. */
  readonly isOrdering?: boolean;
  /**
   * Adds the faults that its parameters have together, or beside others.
   * @param sent has every parameter that was sent; values may have faults of their own
   */
  check?(sent: object, context: z.RefinementCtx): void;
  /**
   * Returns the condition that a request asks for; several, if counts ignore one of them alone.
   * @param values without faults, of the parameters that were sent: at least one, and all that
   * `check` wants together
   */
  toCondition(values: ValuesOf<Shape>): Condition | readonly Condition[];
}

type ValuesOf<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]-?: Exclude<z.output<Shape[Name]>, undefined>;
};

/** Returns whether one of these parameters was sent. */
export function isAnySent(shape: z.ZodRawShape, sent: object): boolean {
  for (const name in shape) if (name in sent) return true;
  return false;
}
