/**
 * The query of `GET /v2/external/stores`. What it may ask of stores lies in `query/conditions`: a new
 * condition is added to the list here.
 */

import { selectFields } from '../../model/field-paths.ts';
import { PARAMETER_FAULTS } from '../../parameters/faults.ts';
import { parameterSet } from '../../parameters/parameter-set.ts';
import type { SentTexts } from '../../parameters/query-text.ts';
import type { ParameterFault } from '../../problem.ts';
import { AFTER, notBesideAfter } from '../../query/conditions/after.ts';
import { BBOX } from '../../query/conditions/bbox.ts';
import type { Condition, Declaration } from '../../query/conditions/condition.ts';
import { FACET_COUNTS } from '../../query/conditions/facets.ts';
import { ID_IN } from '../../query/conditions/id-in.ts';
import { OPEN_AT } from '../../query/conditions/open-at.ts';
import { POSITION } from '../../query/conditions/position.ts';
import { Q } from '../../query/conditions/q.ts';
import { TERMS } from '../../query/conditions/terms.ts';
import { VERTICALE } from '../../query/conditions/verticale.ts';
import type { ListQuery, ParsedQuery } from '../../query/queries.ts';
import {
  canonicalContent,
  FIELDS,
  LANG,
  limitParameter,
  RENTAL_POINT_SLUG,
  STANDARD_LIMIT,
  STANDARD_SKIP,
  skipParameter,
} from './shared-parameters.ts';
import { canonicalSort, checkSort, decideSort, SORT } from './sort-parameter.ts';

export const MOST_STORES = 100;

const SKIP = skipParameter('stores');
const LIMIT = limitParameter(
  'Maximum number of stores returned; with 0, `total` comes with an empty `docs`.',
  MOST_STORES,
  '20',
);

/**
 * All but `after`, which comes earlier in the contract, in its order. Of two that order the list the
 * first does: a position comes before `q`.
 */
const OTHERS = [VERTICALE, ...TERMS, OPEN_AT, ID_IN, BBOX, POSITION, Q, FACET_COUNTS] as const;

/** All conditions. */
export const CONDITIONS: readonly Declaration[] = [AFTER, ...OTHERS];

/** What each code in the `errors` of a 400 means. */
export const FAULTS: Readonly<Record<string, string>> = Object.assign(
  {},
  PARAMETER_FAULTS,
  ...CONDITIONS.map(({ faults }) => faults),
);

/** In the order of the contract, which prints `verticale.in` as `{base_url}` by mistake. */
export const LIST_PARAMETERS = parameterSet({
  parameters: [
    SKIP,
    ...AFTER.parameters,
    LIMIT,
    SORT,
    FIELDS,
    ...OTHERS.flatMap(({ parameters }): readonly OtherParameter[] => parameters),
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
      fields: asked.fields ? selectFields(asked.fields) : null,
      language: asked.lang ?? null,
    };
    const logged = canonicalText(query, (each) => each.logged ?? each.text);
    return { query, canonical: canonicalText(query, ({ text }) => text), logged };
  },
});

type OtherParameter = (typeof OTHERS)[number]['parameters'][number];

function checkTogether(texts: SentTexts): ParameterFault[] {
  const ordering = CONDITIONS.filter(({ isOrdering }) => isOrdering);
  const hasPosition = POSITION.parameters.some(({ name }) => texts.has(name));
  return [
    ...checkSort(texts.get(SORT.name) ?? [], hasPosition),
    ...notBesideAfter(texts, [SKIP, SORT, ...ordering.flatMap(({ parameters }) => parameters)]),
    ...CONDITIONS.flatMap((each) => each.checkTogether?.(texts) ?? []),
  ];
}

/**
 * Equal for equal queries: defaults are written out, while the order of parameters, the way arrays
 * are written and fields that others contain leave no trace.
 */
function canonicalText(query: ListQuery, textOf: (condition: Condition) => string): string {
  const { skip, limit, conditions, sort, fields, language } = query;
  return [
    `skip=${skip}&limit=${limit}&sort=${canonicalSort(sort)}`,
    canonicalContent(fields, language),
    ...conditions.map(textOf),
  ].join('&');
}
