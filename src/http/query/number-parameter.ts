/** Query parameters that are numbers: how they are written, and their limits. */
import { z } from 'zod';
import { quote } from '../shown-text.ts';
import {
  type Explain,
  fault,
  type One,
  one,
  type Parameter,
  someText,
  type Wording,
} from './parameter.ts';

/** A number as JSON writes it: no leading plus or zeros, no hexadecimal; exponents are fine. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** A whole number in digits alone. A minus passes here, so that -1 is reported as out of range. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

const numberText = someText.pipe(z.string().regex(JSON_NUMBER, fault('not_a_number')));

const digits = someText.pipe(
  z.string().regex(WHOLE_NUMBER, {
    error: ({ input }) =>
      fault(JSON_NUMBER.test(String(input)) ? 'not_an_integer' : 'not_a_number'),
  }),
);

/** Both ends are allowed. Without `most`, a whole number ends where numbers stop being exact. */
interface Limits {
  readonly least: number;
  readonly most?: number;
}

/** What a typed client writes. */
type SentNumber = number | `${number}`;

/** A number, whole or not. */
export function numberParameter<const Name extends string>(
  wording: Wording<Name>,
  limits: Required<Limits>,
): Parameter<Name, One<number, SentNumber>> {
  const schema = within(z.number(fault('out_of_range')), limits);
  return parameter(wording, schema, readNumber(numberText, schema).optional());
}

/** A whole number. */
export function wholeParameter<const Name extends string>(
  wording: Wording<Name>,
  limits: Limits,
): Parameter<Name, One<number, SentNumber>> {
  const schema = within(z.int(fault('out_of_range')), limits);
  return parameter(wording, schema, readNumber(digits, schema).optional());
}

/** A whole number that has a default. */
export function wholeParameterOr<const Name extends string>(
  standard: number,
  wording: Wording<Name>,
  limits: Limits,
): Parameter<Name, z.ZodDefault<z.ZodType<number, SentNumber>>> {
  const schema = within(z.int(fault('out_of_range')), limits).meta({ default: standard });
  return parameter(wording, schema, readNumber(digits, schema).default(standard));
}

function within(number: z.ZodNumber, { least, most }: Limits): z.ZodNumber {
  const bounded = number.min(least, fault('out_of_range'));
  return most === undefined ? bounded : bounded.max(most, fault('out_of_range'));
}

function parameter<Name extends string, Reader extends z.ZodType>(
  wording: Wording<Name>,
  schema: z.ZodNumber,
  reader: Reader,
): Parameter<Name, Reader> {
  return { ...wording, array: false, schema, reader, explain: explainNumber(schema) };
}

function readNumber(
  text: z.ZodType<string, string>,
  schema: z.ZodNumber,
): z.ZodType<number, SentNumber> {
  // Minus zero becomes zero: equal queries have equal values.
  return one(text.transform((written) => Number(written) + 0).pipe(schema));
}

function explainNumber(schema: z.ZodNumber): Explain {
  return (code, text) => {
    const got = `got ${quote(text)}.`;
    if (code === 'not_a_number') return `Expected a number such as 12, -0.5 or 1e-7, ${got}`;
    if (code === 'not_an_integer')
      return `Expected a whole number, written in digits alone, ${got}`;
    return `Expected ${limitsOf(schema, Number(text))}, ${got}`;
  };
}

/** What the limits that `value` breaks are, in words. */
function limitsOf({ minValue, maxValue }: z.ZodNumber, value: number): string {
  // Only values above the largest exact integer are told of that limit.
  const isOpen = maxValue === Number.MAX_SAFE_INTEGER && value < maxValue;
  return isOpen ? `an integer from ${minValue}` : `${minValue} to ${maxValue}`;
}
