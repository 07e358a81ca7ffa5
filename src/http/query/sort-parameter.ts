/** The `sort` parameter (`field`, `field__asc`, `field__desc`), and the order a list comes in. */
import { z } from 'zod';
import { SORT_FIELDS, type SortColumn } from '../../model/sort-fields.ts';
import type { SortKey } from '../../query/queries.ts';
import { quote } from '../shown-text.ts';
import type { FaultList, ValueFault } from './faults.ts';
import type { Parameter } from './parameter.ts';
import type { ParameterReader } from './parameter-reader.ts';

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

/** More keys hardly ever decide anything, but each is a pass over all stores. */
const MOST_KEYS = 4;

const UNIQUE_COLUMNS: ReadonlySet<SortColumn> = new Set(['id', 'slug']);

const NEAREST_FIRST: SortKey = { column: 'distance', descending: false };

export const SORT: Parameter<SortKey> = {
  name: 'sort',
  array: true,
  description: `Sort order, most important key first: a field with the suffix __asc or __desc; without one, ascending. Stores without a value come last either way, ties are broken by id. At most ${MOST_KEYS} different fields; those after id or slug decide nothing. Default: distance with a position, else id. Sortable: ${FIELD_NAMES.join(', ')} (distance with a position only).`,
  example: 'profile.name__asc',
  schema: z.enum([...SORT_KEYS.keys()]),
  read: (text) => {
    const key = SORT_KEYS.get(text);
    return key ? { value: key } : { explain: (faults) => explain(text, faults) };
  },
};

/**
 * The order of a list, as `ListQuery.sort` describes it: what was asked for, or the default.
 * @param hasPosition whether the list has a position, even an incomplete one
 */
export function readSort(reader: ParameterReader, hasPosition: boolean): SortKey[] {
  if (!reader.has(SORT)) return hasPosition ? [NEAREST_FIRST] : [];
  const asked = firstOfEachColumn(reader.many(SORT));
  if (!hasPosition && asked.some(({ column }) => column === 'distance')) {
    const detail = 'Sorting by distance needs a position.';
    reader.faults.add(SORT.name, () => ({ code: 'position_required', detail }));
  }
  const keys = untilUnique(asked);
  if (keys.length > MOST_KEYS) {
    const detail = `Lists are sorted by at most ${MOST_KEYS} fields, got ${keys.length}.`;
    reader.faults.add(SORT.name, () => ({ code: 'too_many_keys', detail }));
  }
  return keys.filter(({ column, descending }) => column !== 'id' || descending);
}

/** A second key of a column decides nothing. A field and its deprecated twin are one column. */
function firstOfEachColumn(keys: readonly SortKey[]): SortKey[] {
  const columns = new Set<SortColumn>();
  return keys.filter(({ column }) => !columns.has(column) && columns.add(column));
}

/** No two stores are equal in a unique column, so that the keys after it decide nothing. */
function untilUnique(keys: readonly SortKey[]): readonly SortKey[] {
  const unique = keys.findIndex(({ column }) => UNIQUE_COLUMNS.has(column));
  return unique < 0 ? keys : keys.slice(0, unique + 1);
}

function explain(text: string, faults: FaultList): ValueFault {
  const separator = text.indexOf(SEPARATOR);
  // `__asc` has nothing before the separator: then the whole text is named as the field.
  const field = separator <= 0 ? text : text.slice(0, separator);
  if (SORT_KEYS.has(field)) {
    const detail = `Expected ${field}__asc or ${field}__desc, got ${quote(text)}.`;
    return { code: 'unknown_direction', detail };
  }
  const code = 'unsortable_field';
  // Only the first such fault of an answer lists the sortable fields.
  const alternatives = faults.shows(code) ? '' : `, only by ${FIELD_NAMES.join(', ')}`;
  return { code, detail: `Stores cannot be sorted by ${quote(field)}${alternatives}.` };
}
