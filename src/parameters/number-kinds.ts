/** Numbers in queries: how they are written, and their limits. */
import * as z from 'zod';
import { quote } from '../shown-text.ts';
import type { Kind, Refuse } from './parameter.ts';

/** A number as JSON writes it: no leading plus or zeros, no hexadecimal; exponents are fine. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** A whole number in digits alone. A minus passes here, so that -1 is reported as out of range. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d*)$/;

/** Both ends are allowed. Without `most`, a whole number ends where numbers stop being exact. */
interface Limits {
  readonly least: number;
  readonly most?: number;
  /** What a request asks for that does not say; documents show it. */
  readonly standard?: number;
}

/** A number, whole or not. */
export function numberWithin(limits: Limits): Kind<number> {
  return kind(z.number(), limits, false);
}

export function wholeNumberWithin(limits: Limits): Kind<number> {
  return kind(z.int(), limits, true);
}

function kind(
  number: z.ZodNumber,
  { least, most, standard }: Limits,
  isWhole: boolean,
): Kind<number> {
  const bounded = number.min(least);
  const limited = most === undefined ? bounded : bounded.max(most);
  const greatest = most ?? Number.MAX_SAFE_INTEGER;
  return {
    schema: standard === undefined ? limited : limited.meta({ default: standard }),
    read(text, refuse: Refuse) {
      const explain = (expected: string) => () => `Expected ${expected}, got ${quote(text)}.`;
      if (!JSON_NUMBER.test(text)) {
        return refuse('not_a_number', explain('a number such as 12, -0.5 or 1e-7'));
      }
      if (isWhole && !WHOLE_NUMBER.test(text)) {
        return refuse('not_an_integer', explain('a whole number, written in digits alone'));
      }
      // Minus zero becomes zero: equal queries have equal values.
      const value = Number(text) + 0;
      if (value >= least && value <= greatest) return value;
      // Only values above the largest exact integer are told of that limit.
      const isOpen = most === undefined && value < greatest;
      return refuse(
        'out_of_range',
        explain(isOpen ? `an integer from ${least}` : `${least} to ${greatest}`),
      );
    },
  };
}
