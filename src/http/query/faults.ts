/** What can be wrong with a parameter, and the collection of all that is wrong with a request. */
import { type ParameterFault, ProblemError } from '../../problem.ts';
import { redact } from '../shown-text.ts';
import { suggestion } from './closest-word.ts';

/** The stable codes of `errors`, with what each means. */
export const PARAMETER_FAULTS = {
  unknown_parameter: 'The operation has no such parameter.',
  duplicate_parameter: 'A parameter that takes one value was given more than once.',
  missing_parameter: 'A parameter is needed along with another one that was given.',
  malformed_encoding: 'The value is not percent-encoded UTF-8.',
  empty_value: 'The value, or an item of the array, is empty.',
  not_a_number: 'The value is no number as JSON writes it, such as 12, -0.5 or 1e-7.',
  not_an_integer: 'The value is not a whole number in digits alone.',
  out_of_range: 'The number is too small or too large.',
  unknown_value: 'The value is none of those allowed; upper and lower case matter.',
  unknown_field: 'The store has no such field.',
  unsortable_field: 'Stores cannot be sorted by this field.',
  unknown_direction: 'The suffix is neither __asc nor __desc.',
  position_required: 'The value makes sense with a position only.',
} as const;

export type FaultCode = keyof typeof PARAMETER_FAULTS;

/** What is wrong with one value. */
export interface ValueFault {
  readonly code: FaultCode;
  readonly detail: string;
}

/** Longest piece of a request that is quoted back. */
const QUOTE_LENGTH = 60;

/** Suggestions a request gets at most: each compares a text with some two hundred others. */
const SUGGESTIONS = 20;

/** The faults of one request, in the order they were found, each once. */
export class FaultList {
  private readonly faults = new Map<string, ParameterFault>();
  private suggestions = 0;

  /** @param name of the parameter, be it one of ours or not */
  add(name: string, { code, detail }: ValueFault): void {
    const parameter = redact(name);
    this.faults.set(`${code} ${parameter} ${detail}`, { parameter, code, detail });
  }

  /** ` Did you mean "…"?` with the word of `words` closest to `text`; nothing if none is close. */
  suggestion(text: string, words: readonly string[]): string {
    if (this.suggestions === SUGGESTIONS) return '';
    this.suggestions++;
    return suggestion(text, words);
  }

  /** @throws ProblemError invalid_parameters, if there is any fault */
  throwIfAny(): void {
    const errors = [...this.faults.values()];
    const [first] = errors;
    if (!first) return;
    const detail =
      errors.length === 1
        ? `${quote(first.parameter)}: ${first.detail}`
        : `${errors.length} faults, see errors.`;
    throw new ProblemError('invalid_parameters', detail, { errors });
  }
}

/** `text` of a request in quotes, cut where it is very long, without the secret of a token. */
export function quote(text: string): string {
  const safe = redact(text);
  return safe.length > QUOTE_LENGTH ? `"${safe.slice(0, QUOTE_LENGTH)}…"` : `"${safe}"`;
}
