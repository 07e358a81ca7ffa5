/** The query of `GET /v2/external/stores`. */
import type { z } from 'zod';
import { VERTICALES, verticaleMask } from '../../model/enumerations.ts';
import { selectFields } from '../../model/field-paths.ts';
import { ESTIMATE_REACH } from '../../query/great-circle.ts';
import type { ListQuery, PositionFilter, VerticaleFilter } from '../../query/queries.ts';
import {
  AFTER,
  afterIssues,
  decideIds,
  ID_IN,
  idsIssues,
  skipOf,
  skipParameter,
} from './copy-parameters.ts';
import { numberParameter, wholeParameterOr } from './number-parameter.ts';
import { wordParameter, wordsParameter } from './parameter.ts';
import { ParameterSet } from './parameter-set.ts';
import { QueryReader } from './query-reader.ts';
import { issueOf } from './refusal.ts';
import { FIELDS, LANG, RENTAL_POINT_SLUG } from './shared-parameters.ts';
import { decideSort, SORT, sortIssues } from './sort-parameter.ts';

const MAX_LIMIT = 100;
/** Kilometres: further away, estimates do not tell which of two stores is nearer. */
const MAX_RADIUS = ESTIMATE_REACH;

const SKIP = skipParameter('stores');
const LIMIT = wholeParameterOr(
  MAX_LIMIT,
  {
    name: 'limit',
    description: 'Maximum number of stores returned; with 0 the answer is `total` alone.',
    example: '20',
  },
  { least: 0, most: MAX_LIMIT },
);

const VERTICALE_IN = wordsParameter(
  {
    name: 'verticale.in',
    description: 'Keep the stores that have any of these verticales in `profile.verticales`.',
    example: 'BIKE,ELECTRIC_BIKE',
  },
  VERTICALES,
);
const VERTICALE_NOT_IN = wordsParameter(
  {
    name: 'verticale.notIn',
    description:
      'Keep the stores that have none of these verticales, also those that have none at all.',
    example: 'CAR,MOTORCYCLE',
  },
  VERTICALES,
);
const VERTICALE_EQUALS = wordParameter(
  {
    name: 'verticale.equals',
    description: 'Keep the stores that have this verticale.',
    example: 'SKI',
  },
  VERTICALES,
);
const VERTICALE_NOT_EQUALS = wordParameter(
  {
    name: 'verticale.notEquals',
    description:
      'Keep the stores that do not have this verticale, also those that have none at all.',
    example: 'BOAT',
  },
  VERTICALES,
);

const RADIUS = numberParameter(
  {
    name: 'position.radius',
    description:
      'Search radius in km, inclusive; 0 finds what lies at the position itself. Given together with `position.latitude` and `position.longitude`. A store matches when its main location or any rental point lies within the radius; it then has `distance`, and `geo.location` is the nearest of its locations.',
    example: '25',
  },
  { least: 0, most: MAX_RADIUS },
);
const LATITUDE = numberParameter(
  {
    name: 'position.latitude',
    description:
      'Latitude of the search position in degrees, positive to the north. Given together with `position.longitude` and `position.radius`.',
    example: '48.8566',
  },
  { least: -90, most: 90 },
);
const LONGITUDE = numberParameter(
  {
    name: 'position.longitude',
    description:
      'Longitude of the search position in degrees, positive to the east. Given together with `position.latitude` and `position.radius`.',
    example: '2.3522',
  },
  { least: -180, most: 180 },
);

const POSITION = [RADIUS, LATITUDE, LONGITUDE] as const;

/** In the order of the contract, which prints `verticale.in` as `{base_url}` by mistake. */
export const LIST_PARAMETERS = new ParameterSet(
  [
    SKIP,
    AFTER,
    LIMIT,
    SORT,
    FIELDS,
    VERTICALE_IN,
    VERTICALE_NOT_IN,
    VERTICALE_EQUALS,
    VERTICALE_NOT_EQUALS,
    ID_IN,
    ...POSITION,
    LANG,
  ],
  { parameters: [RENTAL_POINT_SLUG], detail: 'Only a single store takes it, not lists.' },
);

const INCOMPLETE = {
  detail: 'Latitude, longitude and radius of a position are given together.',
  before: RADIUS.name,
};

const askedSchema = LIST_PARAMETERS.schema();

type Asked = z.output<typeof askedSchema>;

export const LIST_QUERY = new QueryReader(
  LIST_PARAMETERS,
  // Whatever else is wrong: callers are told of everything at once.
  askedSchema.superRefine(lookAtAll, { when: () => true }).transform(decide),
);

/**
 * What the query of a list asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export const parseListQuery = (query: string): ListQuery => LIST_QUERY.parse(query);

/** Finds what is wrong with several parameters together. */
function lookAtAll(asked: Asked, context: z.core.$RefinementCtx): void {
  const missing = POSITION.filter(({ name }) => !(name in asked));
  const hasPosition = missing.length < POSITION.length;
  const names = hasPosition ? missing.map(({ name }) => name) : [];
  for (const name of names) context.addIssue(issueOf(name, 'missing_parameter', INCOMPLETE));
  const issues = [
    ...sortIssues(asked.sort ?? [], hasPosition),
    ...afterIssues(asked, [SKIP, SORT, ...POSITION]),
    ...idsIssues(asked['id.in']),
  ];
  for (const issue of issues) context.addIssue(issue);
}

function decide(asked: Asked): ListQuery {
  const position = decidePosition(asked);
  return {
    skip: skipOf(asked.skip),
    limit: asked.limit,
    after: asked.after ?? null,
    ids: decideIds(asked['id.in']),
    sort: decideSort(asked.sort, position !== null),
    fields: asked.fields ? selectFields(asked.fields) : null,
    verticales: decideVerticales(asked),
    position,
    language: asked.lang ?? null,
  };
}

function decideVerticales(asked: Asked): VerticaleFilter {
  const { 'verticale.equals': equals, 'verticale.notEquals': notEquals } = asked;
  const noneOf = asked['verticale.notIn'] ?? [];
  return {
    allOf: equals ? verticaleMask([equals]) : 0,
    anyOf: verticaleMask(asked['verticale.in'] ?? []),
    noneOf: verticaleMask(notEquals ? [...noneOf, notEquals] : noneOf),
  };
}

function decidePosition(asked: Asked): PositionFilter | null {
  const {
    'position.radius': radius,
    'position.latitude': latitude,
    'position.longitude': longitude,
  } = asked;
  if (radius === undefined || latitude === undefined || longitude === undefined) return null;
  return { radius, latitude, longitude };
}
