/**
 * The query of `GET /v2/external/stores`. What it may ask of stores lies in `query/conditions`: a new
 * condition is added to the list here.
 */

import { selectFields } from '../../model/field-paths.ts';
import { FACETS } from '../../model/term-fields.ts';
import { wholeNumberWithin } from '../../parameters/number-kinds.ts';
import { many, one, word } from '../../parameters/parameter.ts';
import { type JointFault, ParameterSet } from '../../parameters/parameter-set.ts';
import type { SentTexts } from '../../parameters/query-text.ts';
import { AFTER, notBesideAfter } from '../../query/conditions/after.ts';
import { BBOX } from '../../query/conditions/bbox.ts';
import type { Condition, Declaration } from '../../query/conditions/condition.ts';
import { ID_IN } from '../../query/conditions/id-in.ts';
import { OPEN_AT, shownInstant } from '../../query/conditions/open-at.ts';
import { POSITION } from '../../query/conditions/position.ts';
import { Q } from '../../query/conditions/q.ts';
import { TERMS } from '../../query/conditions/terms.ts';
import { VERTICALE } from '../../query/conditions/verticale.ts';
import type { ListQuery, ParsedQuery } from '../../query/queries.ts';
import {
  canonicalContent,
  FIELDS,
  LANG,
  RENTAL_POINT_SLUG,
  STANDARD_SKIP,
  skipParameter,
  USUAL_LIMITS,
} from './shared-parameters.ts';
import { canonicalSort, checkSort, decideSort, SORT } from './sort-parameter.ts';

const STANDARD_LIMIT = 100;
const MAX_LIMIT = 100;

const SKIP = skipParameter('stores');
const LIMIT = one(
  {
    name: 'limit',
    description: 'Maximum number of stores returned; with 0, `total` comes with an empty `docs`.',
    example: '20',
    usualNames: USUAL_LIMITS,
  },
  wholeNumberWithin({ least: 0, most: MAX_LIMIT, standard: STANDARD_LIMIT }),
);

const FACETS_PARAMETER = many(
  {
    name: 'facets',
    description:
      'Adds `facets` to the answer: how many of the stores that match have each verticale, each language (in `localization.available`) or each country (of a main location that is shown). Each facet ignores the `in` and `equals` filters on what it counts: with `verticale.in=BIKE` you still learn how many stores rent skis, so one request has the numbers for every box of a filter.',
    example: 'verticales,countries',
    usualNames: ['facet', 'counts', 'aggregations', 'aggs'],
  },
  word(FACETS),
);

/**
 * In the order of the contract, in which `after` comes earlier than the others. Of two that order the
 * list the first does: a position comes before `q`.
 */
const FILTERS = [VERTICALE, ...TERMS, OPEN_AT, ID_IN, BBOX, POSITION, Q] as const;

/** All conditions. */
export const CONDITIONS: readonly Declaration[] = [AFTER, ...FILTERS];

/** In the order of the contract, which prints `verticale.in` as `{base_url}` by mistake. */
export const LIST_PARAMETERS = new ParameterSet({
  parameters: [
    SKIP,
    ...AFTER.parameters,
    LIMIT,
    SORT,
    FIELDS,
    ...FILTERS.flatMap(({ parameters }): readonly FilterParameter[] => parameters),
    FACETS_PARAMETER,
    LANG,
  ],
  elsewhere: {
    parameters: [RENTAL_POINT_SLUG],
    detail: 'Only a single store takes it, not lists.',
  },
  checkTogether,
  decide(asked): ParsedQuery<ListQuery> {
    const conditions = CONDITIONS.flatMap((each) => each.decide(asked) ?? []);
    const query = {
      skip: asked.skip ?? STANDARD_SKIP,
      limit: asked.limit ?? STANDARD_LIMIT,
      conditions,
      sort: decideSort(asked.sort, conditions),
      openAt: asked.openAt === undefined ? null : shownInstant(asked.openAt),
      facets: FACETS.filter((each) => asked.facets?.includes(each)),
      fields: asked.fields ? selectFields(asked.fields) : null,
      language: asked.lang ?? null,
    };
    const logged = canonicalText(query, (each) => each.logged ?? each.text);
    return { query, canonical: canonicalText(query, ({ text }) => text), logged };
  },
});

type FilterParameter = (typeof FILTERS)[number]['parameters'][number];

function checkTogether(texts: SentTexts): JointFault[] {
  const hasPosition = POSITION.parameters.some(({ name }) => texts.has(name));
  return [
    ...checkSort(texts.get(SORT.name) ?? [], hasPosition),
    ...notBesideAfter(texts, [SKIP, SORT]),
    ...CONDITIONS.flatMap((each) => each.checkTogether?.(texts) ?? []),
  ];
}

/**
 * Equal for equal queries: defaults are written out, while the order of parameters, the way arrays
 * are written and fields that others contain leave no trace.
 */
function canonicalText(query: ListQuery, textOf: (condition: Condition) => string): string {
  const { skip, limit, conditions, sort, facets, fields, language } = query;
  return [
    `skip=${skip}&limit=${limit}&sort=${canonicalSort(sort)}`,
    canonicalContent(fields, language),
    ...conditions.map(textOf),
    ...(facets.length > 0 ? [`facets=${facets}`] : []),
  ].join('&');
}
