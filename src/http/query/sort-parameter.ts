/** The `sort` parameter: `field`, `field__asc`, `field__desc`. */
import { z } from 'zod';
import { SORT_FIELDS } from '../../model/sort-fields.ts';
import type { SortKey } from '../../query/queries.ts';
import { quote } from '../shown-text.ts';
import type { FaultList, ValueFault } from './faults.ts';
import type { Parameter } from './parameter.ts';

const SEPARATOR = '__';

const DIRECTIONS = [
  { suffix: '', descending: false },
  { suffix: '__asc', descending: false },
  { suffix: '__desc', descending: true },
] as const;

/** Every legal entry with the key it stands for. */
const SORT_KEYS: ReadonlyMap<string, SortKey> = new Map(
  Object.entries(SORT_FIELDS).flatMap(([field, column]) =>
    DIRECTIONS.map(({ suffix, descending }) => [field + suffix, { column, descending }] as const),
  ),
);

const FIELD_NAMES = Object.keys(SORT_FIELDS);

export const SORT: Parameter<SortKey> = {
  name: 'sort',
  array: true,
  description: `Sort order, most important key first: a field with the suffix __asc or __desc; without one, ascending. Stores without a value come last either way, ties are broken by id. Default: distance with a position, else id. Sortable: ${FIELD_NAMES.join(', ')} (distance with a position only).`,
  example: 'profile.name__asc',
  schema: z.enum([...SORT_KEYS.keys()]),
  read: (text) => {
    const key = SORT_KEYS.get(text);
    return key ? { value: key } : { explain: (faults) => explain(text, faults) };
  },
};

/** Keys in order of weight: only the first of a column decides anything, twins share a column. */
export function distinctColumns(keys: readonly SortKey[]): SortKey[] {
  return keys.filter(
    ({ column }, index) => keys.findIndex((other) => other.column === column) === index,
  );
}

function explain(text: string, faults: FaultList): ValueFault {
  const separator = text.indexOf(SEPARATOR);
  // Where nothing stands before the separator, there is no field to name: the whole text is shown.
  const field = separator <= 0 ? text : text.slice(0, separator);
  if (SORT_KEYS.has(field)) {
    const detail = `Expected ${field}__asc or ${field}__desc, got ${quote(text)}.`;
    return { code: 'unknown_direction', detail };
  }
  const code = 'unsortable_field';
  // One answer lists the sortable fields once, however many others it was asked for.
  const alternatives = faults.shows(code) ? '' : `, only by ${FIELD_NAMES.join(', ')}`;
  return { code, detail: `Stores cannot be sorted by ${quote(field)}${alternatives}.` };
}
