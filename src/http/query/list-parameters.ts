/** The query of `GET /v2/external/stores`. */
import { z } from 'zod';
import { VERTICALES, verticaleMask } from '../../model/enumerations.ts';
import { selectFields } from '../../model/field-paths.ts';
import type { ListQuery, PositionFilter, VerticaleFilter } from '../../query/queries.ts';
import { AFTER, ID_IN, readAfter, readIds } from './copy-parameters.ts';
import { numberParameter, wordParameter } from './parameter.ts';
import { ParameterReader, ParameterSet } from './parameter-reader.ts';
import { FIELDS, LANG, RENTAL_POINT_SLUG } from './shared-parameters.ts';
import { readSort, SORT } from './sort-parameter.ts';

const MAX_LIMIT = 100;
/** Kilometres. */
const MAX_RADIUS = 50;

const SKIP = numberParameter(
  { name: 'skip', description: 'Number of stores to skip.', example: '100' },
  z.int().min(0).meta({ default: 0 }),
);
const LIMIT = numberParameter(
  { name: 'limit', description: 'Maximum number of stores returned.', example: '20' },
  z.int().min(0).max(MAX_LIMIT).meta({ default: MAX_LIMIT }),
);

const VERTICALE_IN = wordParameter(
  {
    name: 'verticale.in',
    array: true,
    description: 'Keep the stores that have any of these verticales.',
    example: 'BIKE,ELECTRIC_BIKE',
  },
  VERTICALES,
);
const VERTICALE_NOT_IN = wordParameter(
  {
    name: 'verticale.notIn',
    array: true,
    description: 'Keep the stores that have none of these verticales.',
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
    description: 'Keep the stores that do not have this verticale.',
    example: 'BOAT',
  },
  VERTICALES,
);

const RADIUS = numberParameter(
  {
    name: 'position.radius',
    description:
      'Search radius in km, inclusive. Latitude, longitude and radius are given together. A store matches when its main location or any rental point lies within the radius; it then has distance, and geo.location is the nearest of its locations.',
    example: '25',
  },
  z.number().min(0).max(MAX_RADIUS),
);
const LATITUDE = numberParameter(
  {
    name: 'position.latitude',
    description: 'Latitude of the search position in degrees.',
    example: '48.8566',
  },
  z.number().min(-90).max(90),
);
const LONGITUDE = numberParameter(
  {
    name: 'position.longitude',
    description: 'Longitude of the search position in degrees.',
    example: '2.3522',
  },
  z.number().min(-180).max(180),
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
    ID_IN,
    VERTICALE_IN,
    VERTICALE_NOT_IN,
    VERTICALE_EQUALS,
    VERTICALE_NOT_EQUALS,
    ...POSITION,
    LANG,
  ],
  { parameters: [RENTAL_POINT_SLUG], detail: 'Only a single store takes it, not lists.' },
);

/**
 * What the query of a list asks for.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function parseListQuery(query: string): ListQuery {
  const reader = new ParameterReader(query, LIST_PARAMETERS);
  const parsed: ListQuery = {
    skip: reader.one(SKIP) ?? 0,
    limit: reader.one(LIMIT) ?? MAX_LIMIT,
    after: readAfter(reader, [SKIP, SORT, ...POSITION]),
    ids: readIds(reader),
    sort: readSort(
      reader,
      POSITION.some((parameter) => reader.has(parameter)),
    ),
    fields: reader.has(FIELDS) ? selectFields(reader.many(FIELDS)) : null,
    verticales: readVerticales(reader),
    position: readPosition(reader),
    language: reader.one(LANG) ?? null,
  };
  reader.faults.throwIfAny();
  return parsed;
}

function readVerticales(reader: ParameterReader): VerticaleFilter {
  const equals = reader.one(VERTICALE_EQUALS);
  const notEquals = reader.one(VERTICALE_NOT_EQUALS);
  return {
    allOf: equals ? verticaleMask([equals]) : 0,
    anyOf: verticaleMask(reader.many(VERTICALE_IN)),
    noneOf: verticaleMask([...reader.many(VERTICALE_NOT_IN), ...(notEquals ? [notEquals] : [])]),
  };
}

function readPosition(reader: ParameterReader): PositionFilter | null {
  const missing = POSITION.filter((parameter) => !reader.has(parameter));
  if (missing.length === POSITION.length) return null;
  for (const { name } of missing) {
    const detail = 'Latitude, longitude and radius of a position are given together.';
    reader.faults.add(name, () => ({ code: 'missing_parameter', detail }));
  }
  const radius = reader.one(RADIUS);
  const latitude = reader.one(LATITUDE);
  const longitude = reader.one(LONGITUDE);
  if (radius === undefined || latitude === undefined || longitude === undefined) return null;
  return { radius, latitude, longitude };
}
