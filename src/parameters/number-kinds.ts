/** Numbers in queries: how they are written, and their limits. */
import { z } from 'zod';
import { quote } from '../shown-text.ts';
import type { FaultCode } from './faults.ts';
import type { Kind } from './parameter.ts';

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
  return kind(z.number(), limits, (text) => (JSON_NUMBER.test(text) ? null : 'not_a_number'));
}

export function wholeNumberWithin(limits: Limits): Kind<number> {
  return kind(z.int(), limits, (text) => {
    if (WHOLE_NUMBER.test(text)) return null;
    return JSON_NUMBER.test(text) ? 'not_an_integer' : 'not_a_number';
  });
}

function kind(
  number: z.ZodNumber,
  { least, most, standard }: Limits,
  checkWriting: (text: string) => FaultCode | null,
): Kind<number> {
  const bounded = number.min(least);
  const limited = most === undefined ? bounded : bounded.max(most);
  const greatest = most ?? Number.MAX_SAFE_INTEGER;
  return {
    schema: standard === undefined ? limited : limited.meta({ default: standard }),
    check: (text) => {
      const value = Number(text);
      return checkWriting(text) ?? (value >= least && value <= greatest ? null : 'out_of_range');
    },
    // Minus zero becomes zero: equal queries have equal values.
    read: (text) => Number(text) + 0,
    explain: (code, text) => {
      const got = `got ${quote(text)}.`;
      if (code === 'not_a_number') return `Expected a number such as 12, -0.5 or 1e-7, ${got}`;
      if (code === 'not_an_integer') {
        return `Expected a whole number, written in digits alone, ${got}`;
      }
      // Only values above the largest exact integer are told of that limit.
      const isOpen = most === undefined && Number(text) < greatest;
      return `Expected ${isOpen ? `an integer from ${least}` : `${least} to ${greatest}`}, ${got}`;
    },
  };
}
