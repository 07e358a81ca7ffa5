/**
 * The query of `GET /v2/external/stores`. A condition of stores is declared in `query/conditions`,
 * then added to `CONDITIONS` and, with its parameters, to a group of `LIST_GROUPS`. CONTRIBUTING.md has what else it touches.
 */
import * as z from 'zod';
import { selectFields } from '../../model/field-paths.ts';
import { AFTER, checkAfter } from '../../query/conditions/after.ts';
import { BBOX } from '../../query/conditions/bbox.ts';
import { DELIVERY } from '../../query/conditions/delivery.ts';
import { FACET_COUNTS } from '../../query/conditions/facets.ts';
import { ID_IN } from '../../query/conditions/id-in.ts';
import { AT, OPEN_AT } from '../../query/conditions/open-at.ts';
import { POSITION } from '../../query/conditions/position.ts';
import { Q } from '../../query/conditions/q.ts';
import { SETTING_FILTERS } from '../../query/conditions/settings.ts';
import { COUNTRY_IN, LANGUAGE_IN } from '../../query/conditions/terms.ts';
import { VERTICALE } from '../../query/conditions/verticale.ts';
import { type Declaration, isAnySent } from '../../query/parameters.ts';
import type { Condition, ListQuery, ParsedQuery } from '../../query/queries.ts';
import { querySchema } from './query-schema.ts';
import {
  canonicalContent,
  DEFAULT_LIMIT,
  DEFAULT_SKIP,
  FIELDS,
  LANG,
  limitParameter,
  RENTAL_POINT_SLUG,
  skipParameter,
} from './shared-parameters.ts';
import { checkSort, SORT, toSort } from './sort-parameter.ts';

export const MAX_LIMIT = 100;

/**
 * All conditions, in the order of canonical texts; `KEEPS` says in which one they are tried. If several order the list,
 * the first one does: a position or delivery point comes before `q`.
 */
export const CONDITIONS: readonly Declaration[] = [
  AFTER,
  VERTICALE,
  LANGUAGE_IN,
  COUNTRY_IN,
  OPEN_AT,
  ID_IN,
  BBOX,
  POSITION,
  DELIVERY,
  Q,
  SETTING_FILTERS,
  FACET_COUNTS,
];

/**
 * All parameters by the groups in which the documentation lists them. `OBJECT` takes each group: a new one needs a line
 * there.
 */
export const LIST_GROUPS = {
  paging: {
    skip: skipParameter('stores'),
    ...AFTER.shape,
    limit: limitParameter(
      'Maximum number of stores returned; with 0, `total` comes with an empty `docs`.',
      MAX_LIMIT,
      '20',
    ),
  },
  'order and fields': { sort: SORT, fields: FIELDS },
  where: { ...BBOX.shape, ...POSITION.shape },
  when: { ...OPEN_AT.shape, at: AT },
  words: Q.shape,
  properties: {
    ...VERTICALE.shape,
    ...LANGUAGE_IN.shape,
    ...COUNTRY_IN.shape,
    ...ID_IN.shape,
  },
  'counts and language': { ...FACET_COUNTS.shape, lang: LANG },
  delivery: DELIVERY.shape,
  settings: SETTING_FILTERS.shape,
};

const OBJECT = z.strictObject({
  ...LIST_GROUPS.paging,
  ...LIST_GROUPS['order and fields'],
  ...LIST_GROUPS.where,
  ...LIST_GROUPS.when,
  ...LIST_GROUPS.words,
  ...LIST_GROUPS.properties,
  ...LIST_GROUPS['counts and language'],
  ...LIST_GROUPS.delivery,
  ...LIST_GROUPS.settings,
});

type Values = z.output<typeof OBJECT>;

export const LIST_SHAPE = OBJECT.shape;

export const LIST_QUERY = querySchema(
  // Whatever else is wrong: all faults are told at once.
  OBJECT.superRefine(checkTogether, { when: () => true }),
  toParsedQuery,
  {
    shape: { rentalPointSlug: RENTAL_POINT_SLUG },
    detail: 'Only a single store takes it, not lists.',
  },
);

const ORDERING = CONDITIONS.flatMap(({ isOrdering, shape }) =>
  isOrdering ? Object.keys(shape) : [],
);

/**
 * Adds the faults of several parameters together.
 * @param sent values may have faults of their own
 */
function checkTogether(sent: Values, context: z.RefinementCtx): void {
  checkSort(sent, context);
  checkAfter(sent, ['skip', 'sort', ...ORDERING], context);
  for (const each of CONDITIONS) if (isAnySent(each.shape, sent)) each.check?.(sent, context);
}

function toParsedQuery(values: Values): ParsedQuery<ListQuery> {
  const conditions = CONDITIONS.flatMap((each) =>
    isAnySent(each.shape, values) ? each.toCondition(values) : [],
  );
  const query = {
    skip: values.skip ?? DEFAULT_SKIP,
    limit: values.limit ?? DEFAULT_LIMIT,
    conditions,
    sort: toSort(values.sort, conditions),
    fields: values.fields ? selectFields(values.fields) : null,
    language: values.lang ?? null,
    at: values.at ?? null,
  };
  const canonical = canonicalText(query, ({ text }) => text);
  if (!conditions.some(({ logged }) => logged)) return { query, canonical };
  return { query, canonical, logged: canonicalText(query, (each) => each.logged ?? each.text) };
}

/**
 * Returns a text that is equal for equal queries. Defaults are written out. The order of
 * parameters, the way arrays are written, and fields that others contain leave no trace.
 */
function canonicalText(query: ListQuery, textOf: (condition: Condition) => string): string {
  const { skip, limit, conditions, sort } = query;
  const keys = sort.map(({ column, descending }) => column + (descending ? '-' : '+'));
  return [
    `skip=${skip}&limit=${limit}&sort=${keys.join() || 'id+'}`,
    canonicalContent(query),
    ...conditions.map(textOf),
  ].join('&');
}
