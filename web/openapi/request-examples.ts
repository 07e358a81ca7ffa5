/**
 * Requests with what they answer where EXAMPLE_STORE is the only store, and others that are refused. A test
 * sends every one of them, and compares.
 */
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import { EXAMPLE_RELEASE } from './headers.ts';

/** A request that the document shows. */
interface Example {
  readonly summary: string;
  /** What follows the path of the operations on stores. Some answers need no request to be understood. */
  readonly request?: string;
  /** Without one the query is refused. */
  readonly answer?: unknown;
}

export type OperationId = 'listStores' | 'listChanges' | 'getStore' | 'getHealth';

const { since, until } = CHANGES_QUERY.shape;
export const SINCE = since.meta()?.example ?? '';
export const UNTIL = until.meta()?.example ?? '';

const { id, slug, profile, localization, geo } = EXAMPLE_STORE;
const [rentalPoint] = geo.locations ?? [];

/** By operations, and by names that are stable within one. */
export const EXAMPLES: Readonly<Record<OperationId, Readonly<Record<string, Example>>>> = {
  listStores: {
    page: {
      summary: 'Stores that rent bikes, by name, in English: the first twenty',
      request: '?verticale.in=BIKE,ELECTRIC_BIKE&sort=profile.name&lang=en&limit=20',
      answer: { total: 1, docs: [EXAMPLE_STORE] },
    },
    near: {
      summary: 'Stores within 25 km of a position, nearest first, with the distance',
      request:
        '?position.latitude=48.585&position.longitude=7.75&position.radius=25&fields=id,slug,geo.location.point,distance',
      answer: {
        total: 1,
        docs: [{ id, slug, geo: { location: { point: geo.location?.point } }, distance: 0.6 }],
      },
    },
    delivered: {
      summary: 'Stores that deliver to a hotel, from where and for how much, the cheapest first',
      request:
        '?delivery.latitude=48.585&delivery.longitude=7.75&delivery.postalCode=77694&delivery.city=Kehl&sort=deliveryPrice&fields=id,distance,deliveryPrice',
      answer: { total: 1, docs: [{ id, distance: 0.6, deliveryPrice: 12 }] },
    },
    open: {
      summary:
        'Stores that are open when a rental is collected and when it is returned, and until when on the first day',
      request:
        '?openAt=2026-07-03T09:00:00Z,2026-07-05T15:00:00Z&at=2026-07-03T09:00:00Z&fields=slug,opening',
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
    count: {
      summary: 'Only the number of stores that rent skis',
      request: '?verticale.equals=SKI&limit=0',
      answer: { total: 0, docs: [] },
    },
    // What parameters do to each other.
    invalid_parameters: {
      summary: 'A number out of range, and an unknown parameter',
      request: '?langs=en&position.latitude=95&position.longitude=7.75&position.radius=5',
    },
    incomplete_position: {
      summary: 'A position without its radius',
      request: '?position.latitude=48.585&position.longitude=7.75',
    },
    distance_without_position: {
      summary: 'Sorting by distance without a position',
      request: '?sort=distance',
    },
    rental_point_of_a_list: {
      summary: 'A rental point in a request for a list',
      request: `?rentalPointSlug=${rentalPoint?.slug}`,
    },
  },
  // Between the two releases of the examples, in which the store differs.
  listChanges: {
    since: {
      summary: 'What has changed since the release that the copy has',
      request: `?since=${SINCE}`,
      answer: {
        release: UNTIL,
        since: SINCE,
        total: 1,
        docs: [{ id, slug, change: 'changed' }],
      },
    },
    nothing: {
      summary: 'Nothing, when the copy is up to date',
      request: `?since=${UNTIL}`,
      answer: { release: UNTIL, since: UNTIL, total: 0, docs: [] },
    },
    since_missing: {
      summary: 'Changes without the release that the copy has',
      request: '?limit=1000',
    },
    backwards: {
      summary: 'A comparison of a release with an earlier one',
      request: `?since=${UNTIL}&until=${SINCE}`,
    },
  },
  getStore: {
    store: {
      summary: 'A whole store by its slug, in English',
      request: `/${slug}?lang=en`,
      answer: EXAMPLE_STORE,
    },
    fields: {
      summary: 'Some fields of a store, by its id',
      request: `/${id.toUpperCase()}?lang=en&fields=id,profile.name,localization`,
      answer: { id, profile: { name: profile.name }, localization },
    },
    rentalPoint: {
      summary: 'A store as its rental point has it',
      request: `/${slug}?rentalPointSlug=${rentalPoint?.slug}&fields=slug,rentalPointSlug,geo.location.address`,
      answer: {
        slug,
        rentalPointSlug: rentalPoint?.slug,
        geo: { location: { address: rentalPoint?.address } },
      },
    },
    paging_of_one_store: {
      summary: 'Paging in a request for a single store',
      request: `/${slug}?limit=1`,
    },
  },
  getHealth: {
    ok: {
      summary: 'A service with stores',
      answer: {
        status: 'ok',
        release: EXAMPLE_RELEASE,
        publishedAt: '2026-11-01T04:05:00.000Z',
        age: 5400,
        storeCount: 2500,
        ranAt: '2026-11-01T05:05:00.000Z',
        ranAge: 1800,
      },
    },
    ran_within_nothing: {
      summary: 'A limit of no seconds',
      request: '?ran-within=0',
    },
  },
};
