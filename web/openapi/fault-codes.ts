/** What each code in the `errors` of a 400 means. */
import type { FaultCode } from '../../src/model/problem.ts';

export const FAULTS: Readonly<Record<FaultCode, string>> = {
  unknown_parameter: 'The operation has no such parameter.',
  duplicate_parameter: 'A parameter that takes one value was given more than once.',
  missing_parameter: 'A parameter is needed, or needed along with another one that was given.',
  malformed_encoding: 'The value is not percent-encoded UTF-8.',
  empty_value: 'The value, or an item of the array, is empty.',
  malformed_value:
    'The value is not written as the parameter takes it: a number as JSON writes it, an id, an instant with its offset and so on.',
  out_of_range: 'The value is below or above what the parameter takes.',
  unknown_value: 'The value is not one of those allowed; upper and lower case matter.',
  too_many: 'More items, words or fields to sort by than the parameter takes.',
  too_long: 'The text is longer than the parameter takes.',
  not_together: 'The parameter cannot be combined with another one that was given.',
  position_required: 'The value needs a position or a delivery point.',
  delivery_point_required: 'The value needs a delivery point.',
  more_faults:
    'The parameter has more faults than are shown; the detail tells how many. Of unknown parameters, the parameter is "?".',
};
