/** What can be wrong with a parameter, and the list of all that is wrong with one request. */
import { type ParameterFault, ProblemError } from '../problem.ts';
import { jsonWithoutMarkup, quote, shorten } from '../shown-text.ts';

/** The stable codes of `errors`, with what each means. Those of one condition alone are in its file. */
export const PARAMETER_FAULTS = {
  unknown_parameter: 'The operation has no such parameter.',
  duplicate_parameter: 'A parameter that takes one value was given more than once.',
  missing_parameter: 'A parameter is needed, or needed along with another one that was given.',
  malformed_encoding: 'The value is not percent-encoded UTF-8.',
  empty_value: 'The value, or an item of the array, is empty.',
  not_a_number: 'The value is not a number as JSON writes it, such as 12, -0.5 or 1e-7.',
  not_an_integer: 'The value is not a whole number in digits alone.',
  out_of_range: 'The value is below or above what the parameter takes.',
  unknown_value: 'The value is not one of those allowed; upper and lower case matter.',
  unknown_field: 'The store has no such field.',
  unsortable_field: 'Stores cannot be sorted by this field.',
  unknown_direction: 'The suffix is neither __asc nor __desc.',
  not_an_id: 'The value is not an id of 24 hexadecimal digits.',
  not_a_release: 'The value is not the name of a release.',
  not_beside_after: 'The parameter cannot be combined with after.',
  release_before_since: 'until is an earlier release than since.',
  too_many_keys: 'More than four different fields to sort by.',
  position_required: 'The value needs a position.',
} as const;

export type FaultCode = keyof typeof PARAMETER_FAULTS;

/** Most faults of one parameter that are shown. The others are only counted. */
const SHOWN_PER_PARAMETER = 20;

/**
 * Bytes of faults after which only the first one of a parameter is shown. Real mistakes do not come
 * near it. With those first ones and the rest of a problem document, no answer passes 64 kB.
 */
const BYTES_SHOWN = 40_000;

/** The faults of one parameter, or of all that the operation does not have. */
interface FaultGroup {
  readonly shown: ParameterFault[];
  /** Number of those that are not shown. */
  others: number;
}

/** In the place of a parameter: all that the operation does not have count as one. */
export const UNKNOWN = '';

const encoder = new TextEncoder();

/** The faults of one request. */
export class FaultList {
  /** By the names of parameters, in the order in which the answer has them. */
  private readonly groups = new Map<string, FaultGroup>();
  private bytes = 0;

  /**
   * @param explain puts the fault into a sentence
   * @param parameter what it counts as a fault of
   * @returns null
   */
  add(name: string, code: string, explain: () => string, parameter = name): null {
    const group = this.groups.get(parameter) ?? { shown: [], others: 0 };
    this.groups.set(parameter, group);
    const { length } = group.shown;
    if (length === SHOWN_PER_PARAMETER || (length > 0 && this.bytes > BYTES_SHOWN)) {
      group.others++;
      return null;
    }
    const fault = { parameter: shorten(name), code, detail: explain() };
    this.bytes += encoder.encode(jsonWithoutMarkup(fault)).byteLength;
    group.shown.push(fault);
    return null;
  }

  /** @throws ProblemError invalid_parameters if there is any */
  expectNone(): void {
    const groups = [...this.groups.values()];
    const errors = groups.flatMap(shownFaults);
    const [first] = errors;
    if (first === undefined) return;
    const count = groups.reduce((sum, { others }) => sum + others, errors.length);
    const detail =
      count === 1 ? `${quote(first.parameter)}: ${first.detail}` : `${count} faults, see errors.`;
    throw new ProblemError('invalid_parameters', detail, { errors });
  }
}

/** What is shown of a group. The last detail tells the number of the others. */
function shownFaults({ shown, others }: FaultGroup): ParameterFault[] {
  if (others === 0) return shown;
  const last = shown.at(-1) as ParameterFault;
  return [...shown.slice(0, -1), { ...last, detail: `${last.detail} ${others} more not shown.` }];
}
