/** The `sort` parameter (`field`, `field__asc`, `field__desc`), and the order of a list. */
import * as z from 'zod';
import { quote } from '../../auth/redact.ts';
import { SORT_FIELDS, type SortColumn, type SortField } from '../../model/sort-fields.ts';
import { DELIVERY } from '../../query/conditions/delivery.ts';
import { POSITION } from '../../query/conditions/position.ts';
import { addFault, arrayOf, isAnySent, parameter } from '../../query/parameters.ts';
import type { Condition, SortKey } from '../../query/queries.ts';

/** Suffixes of a field, and whether they make an order descend. */
const SUFFIXES = { '': false, __asc: false, __desc: true };

const FIELD_NAMES = Object.keys(SORT_FIELDS) as SortField[];

/** Every legal entry with the key it stands for. */
const SORT_KEYS: ReadonlyMap<string, SortKey> = new Map(
  FIELD_NAMES.flatMap((field) =>
    Object.entries(SUFFIXES).map(([suffix, descending]) => [
      field + suffix,
      { column: SORT_FIELDS[field], descending },
    ]),
  ),
);

/** Every legal entry. */
export const SORT_ENTRIES = [...SORT_KEYS.keys()] as readonly string[];

/** Keys of an order. More hardly ever decide anything, but each is a pass over all stores. */
const MAX_KEYS = 4;

const UNIQUE_COLUMNS: readonly SortColumn[] = ['id', 'slug'];

export const SORT = parameter(
  arrayOf(z.enum(SORT_ENTRIES, { error: ({ input }) => explain(String(input)) })),
  {
    description: `Sort order, most important field first. The suffix \`__asc\` or \`__desc\` sets the direction; a field without a suffix is ascending. Stores without a value come last in both directions, and equal stores are ordered by \`id\`. At most ${MAX_KEYS} different fields; fields after \`id\` or \`slug\` have no effect, as no two stores are equal in those. Default: \`distance\` with a position or a delivery point, else the best matches first with \`q\`, else \`id\`. Sortable: ${FIELD_NAMES.map((field) => `\`${field}\``).join(', ')}; \`distance\` with a position or a delivery point only, \`deliveryPrice\` with a delivery point only. Prices compare as numbers, whatever their currencies.`,
    example: 'profile.name__asc',
    usualNames: ['order', 'order_by', 'orderby', 'sort_by', 'sortby'],
  },
);

/** Returns the sentence about an entry that is not legal. */
function explain(text: string): string {
  const field = fieldOf(text);
  const other = SORT_KEYS.has(field) ? `${field}__asc or ${field}__desc` : null;
  const fields = `one of ${FIELD_NAMES.join(', ')}, with __asc or __desc`;
  return `Expected ${entryMeantBy(text) ?? other ?? fields}, got ${quote(text)}.`;
}

/**
 * Adds the faults that legal entries have together.
 * @param sent values may have faults of their own; an incomplete position is one
 */
export function checkSort(
  sent: { readonly sort?: readonly string[] | undefined },
  context: z.RefinementCtx,
): void {
  const { sort = [] } = sent;
  const isSortedBy = (column: SortColumn) =>
    sort.some((entry) => SORT_KEYS.get(entry)?.column === column);
  const hasPoint = isAnySent(DELIVERY.shape, sent);
  if (isSortedBy('distance') && !hasPoint && !isAnySent(POSITION.shape, sent)) {
    const detail = 'Sorting by distance needs a position or a delivery point.';
    addFault(context, 'position_required', detail, 'sort');
  }
  if (isSortedBy('deliveryPrice') && !hasPoint) {
    const detail = 'Sorting by deliveryPrice needs a delivery point.';
    addFault(context, 'delivery_point_required', detail, 'sort');
  }
  const { length } = keysOf(sort);
  if (length > MAX_KEYS) {
    const detail = `Lists are sorted by at most ${MAX_KEYS} fields, got ${length}.`;
    addFault(context, 'too_many', detail, 'sort');
  }
}

/**
 * Returns the order of a list, as `ListQuery.sort` describes it.
 * @param entries undefined: the order of the conditions, or by id
 */
export function toSort(
  entries: readonly string[] | undefined,
  conditions: readonly Condition[],
): readonly SortKey[] {
  if (entries === undefined) return conditions.find(({ order }) => order)?.order ?? [];
  return keysOf(entries).filter(({ column, descending }) => column !== 'id' || descending);
}

/**
 * Returns the keys of entries, without those that decide nothing: the second one of a column (a field
 * and its deprecated twin are one), and what follows a column in which no two stores are equal.
 */
function keysOf(entries: readonly string[]): SortKey[] {
  const keys = new Map<SortColumn, SortKey>();
  for (const entry of entries) {
    const key = SORT_KEYS.get(entry);
    if (!key || keys.has(key.column)) continue;
    keys.set(key.column, key);
    if (UNIQUE_COLUMNS.includes(key.column)) break;
  }
  return [...keys.values()];
}

/** How other services write a direction: `-name`, `name:desc`, `name desc`. */
const OTHER_FORMS = /^(?:([-+])([^: ]+)|([^: ]+)[: ](asc|desc))$/i;

/** Returns the entry that a text in the form of another service means; null if it is in none. */
function entryMeantBy(text: string): string | null {
  const [, sign, signed, written, direction] = OTHER_FORMS.exec(text) ?? [];
  const key = SORT_KEYS.get(fieldOf(signed ?? written ?? ''));
  if (key === undefined) return null;
  // The first of several names is the one that is not deprecated.
  const field = FIELD_NAMES.find((name) => SORT_FIELDS[name] === key.column);
  const descends = sign === '-' || direction?.toLowerCase() === 'desc';
  return `${field}__${descends ? 'desc' : 'asc'}`;
}

/** Returns the field that an entry names; an entry like `__asc`, without one, is returned whole. */
function fieldOf(text: string): string {
  return text.split(/(?<=.)__/s, 1)[0] as string;
}
