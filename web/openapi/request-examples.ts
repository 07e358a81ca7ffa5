/**
 * Requests with what they answer where EXAMPLE_STORE is the only store, and others that are refused. A
 * test sends every one of them, and compares.
 */

import { CHANGES_PATH, HEALTH_PATH, LIST_PATH } from '../../src/http/paths.ts';
import { problemBody } from '../../src/http/problem-body.ts';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { HEALTH_QUERY } from '../../src/http/query/health-query.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../src/http/query/query-schema.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import { ProblemError } from '../../src/model/problem.ts';
import { EXAMPLE_STORE } from './example-store.ts';

export interface ShownExample {
  /** Stable, within its operation. */
  readonly name: string;
  readonly summary: string;
  /** Path and query, as in a URL. Some problems need none of their own to be understood. */
  readonly request?: string;
  readonly answer: unknown;
}

export type RequestExample = Required<ShownExample>;

const { since, until } = CHANGES_QUERY.shape;
export const SINCE = since.meta()?.example ?? '';
export const UNTIL = until.meta()?.example ?? '';

const { id, slug, profile, localization, geo } = EXAMPLE_STORE;
const [rentalPoint] = geo.locations ?? [];
const EXAMPLE_PATH = `${LIST_PATH}/${slug}`;

export const LIST_EXAMPLES: readonly RequestExample[] = [
  {
    name: 'page',
    summary: 'Stores that rent bikes, by name, in English: the first twenty',
    request: `${LIST_PATH}?verticale.in=BIKE,ELECTRIC_BIKE&sort=profile.name&lang=en&limit=20`,
    answer: { total: 1, docs: [EXAMPLE_STORE] },
  },
  {
    name: 'near',
    summary: 'Stores within 25 km of a position, nearest first, with the distance',
    request: `${LIST_PATH}?position.latitude=48.585&position.longitude=7.75&position.radius=25&fields=id,slug,geo.location.point,distance`,
    answer: {
      total: 1,
      docs: [{ id, slug, geo: { location: { point: geo.location?.point } }, distance: 0.6 }],
    },
  },
  {
    name: 'delivered',
    summary: 'Stores that deliver to a hotel, from where and for how much, the cheapest first',
    request: `${LIST_PATH}?delivery.latitude=48.585&delivery.longitude=7.75&delivery.postalCode=77694&delivery.city=Kehl&sort=deliveryPrice&fields=id,distance,deliveryPrice`,
    answer: { total: 1, docs: [{ id, distance: 0.6, deliveryPrice: 12 }] },
  },
  {
    name: 'open',
    summary:
      'Stores that are open when a rental is collected and when it is returned, and until when on the first day',
    request: `${LIST_PATH}?openAt=2026-07-03T09:00:00Z,2026-07-05T15:00:00Z&at=2026-07-03T09:00:00Z&fields=slug,opening`,
    answer: {
      total: 1,
      docs: [
        {
          slug,
          opening: {
            at: '2026-07-03T09:00:00.000Z',
            isOpen: true,
            nextChange: '2026-07-03T16:30:00.000Z',
          },
        },
      ],
    },
  },
  {
    name: 'count',
    summary: 'Only the number of stores that rent skis',
    request: `${LIST_PATH}?verticale.equals=SKI&limit=0`,
    answer: { total: 0, docs: [] },
  },
];

export const GET_EXAMPLES: readonly RequestExample[] = [
  {
    name: 'store',
    summary: 'A whole store by its slug, in English',
    request: `${EXAMPLE_PATH}?lang=en`,
    answer: EXAMPLE_STORE,
  },
  {
    name: 'fields',
    summary: 'Some fields of a store, by its id',
    request: `${LIST_PATH}/${id.toUpperCase()}?lang=en&fields=id,profile.name,localization`,
    answer: { id, profile: { name: profile.name }, localization },
  },
  {
    name: 'rentalPoint',
    summary: 'A store as its rental point has it',
    request: `${EXAMPLE_PATH}?rentalPointSlug=${rentalPoint?.slug}&fields=slug,rentalPointSlug,geo.location.address`,
    answer: {
      slug,
      rentalPointSlug: rentalPoint?.slug,
      geo: { location: { address: rentalPoint?.address } },
    },
  },
];

/** Changes between the two releases of the examples, in which the store differs. */
export const CHANGES_EXAMPLES: readonly RequestExample[] = [
  {
    name: 'since',
    summary: 'What has changed since the release that the copy has',
    request: `${CHANGES_PATH}?since=${SINCE}`,
    answer: {
      release: UNTIL,
      since: SINCE,
      total: 1,
      docs: [{ id, slug, change: 'changed' }],
    },
  },
  {
    name: 'nothing',
    summary: 'Nothing, when the copy is up to date',
    request: `${CHANGES_PATH}?since=${UNTIL}`,
    answer: { release: UNTIL, since: UNTIL, total: 0, docs: [] },
  },
];

/** What parameters do to each other, shown by queries that are refused. */
export const LIST_REFUSALS = [
  refusal(
    'invalid_parameters',
    'A number out of range, and an unknown parameter',
    `${LIST_PATH}?langs=en&position.latitude=95&position.longitude=7.75&position.radius=5`,
    LIST_QUERY,
  ),
  refusal(
    'incomplete_position',
    'A position without its radius',
    `${LIST_PATH}?position.latitude=48.585&position.longitude=7.75`,
    LIST_QUERY,
  ),
  refusal(
    'distance_without_position',
    'Sorting by distance without a position',
    `${LIST_PATH}?sort=distance`,
    LIST_QUERY,
  ),
  refusal(
    'rental_point_of_a_list',
    'A rental point in a request for a list',
    `${LIST_PATH}?rentalPointSlug=${rentalPoint?.slug}`,
    LIST_QUERY,
  ),
];

export const GET_REFUSALS = [
  refusal(
    'paging_of_one_store',
    'Paging in a request for a single store',
    `${EXAMPLE_PATH}?limit=1`,
    STORE_QUERY,
  ),
];

export const CHANGES_REFUSALS = [
  refusal(
    'since_missing',
    'Changes without the release that the copy has',
    `${CHANGES_PATH}?limit=1000`,
    CHANGES_QUERY,
  ),
  refusal(
    'backwards',
    'A comparison of a release with an earlier one',
    `${CHANGES_PATH}?since=${UNTIL}&until=${SINCE}`,
    CHANGES_QUERY,
  ),
];

export const HEALTH_REFUSALS = [
  refusal(
    'ran_within_nothing',
    'A limit of no seconds',
    `${HEALTH_PATH}?ran-within=0`,
    HEALTH_QUERY,
  ),
];

/** Adds what the service answers to a request whose query it refuses. */
function refusal(
  name: string,
  summary: string,
  request: string,
  schema: QuerySchema,
): ShownExample {
  const [path = '', query = ''] = request.split('?');
  try {
    readQuery(schema, query);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { name, summary, request, answer: problemBody(error, path) };
  }
  throw new Error(`${request} is not refused`);
}
