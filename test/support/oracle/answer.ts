/**
 * The whole service as plain loops over source stores: what a request has to answer, worked out
 * in the slowest and plainest way. Shares nothing with the engine but the types of the model.
 */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Utm } from '../../../src/auth/token-record.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import { type AskedValues, askedOf } from '../conditions/all.ts';
import { type Entry, inOrder } from './order.ts';
import { projectStore } from './projection.ts';
import { describeStore } from './store-answer.ts';

export const DEFAULT_LIMIT = 100;

/** What a request for one store asks for, in the words of the contract. */
export interface GetParams {
  readonly fields?: readonly string[] | undefined;
  readonly lang?: Language | undefined;
  readonly rentalPointSlug?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at?: number | undefined;
  /** Attribution of the token that asks. */
  readonly utm?: Utm | undefined;
}

export interface ListParams extends AskedValues, Pick<GetParams, 'fields' | 'lang' | 'utm'> {
  readonly skip?: number | undefined;
  readonly limit?: number | undefined;
  /** Entries as a partner writes them: `name`, `name__asc`, `distance__desc`. */
  readonly sort?: readonly string[] | undefined;
}

interface ListAnswer {
  readonly total: number;
  readonly docs: readonly object[];
}

/** The body of `GET /v2/external/stores`. */
export function answerList(stores: readonly SourceStore[], params: ListParams): ListAnswer {
  const entries = inOrder(matching(stores, params), params.sort, params.lang);
  const { after } = params;
  const skip =
    after === undefined
      ? (params.skip ?? 0)
      : entries.filter(({ store }) => store.id.toLowerCase() <= after.toLowerCase()).length;
  const page = entries.slice(skip, skip + (params.limit ?? DEFAULT_LIMIT));
  const { lang, utm, fields, at } = params;
  const docs = page.map(({ store, locationIndex, distance, deliveryPrice }) => {
    const view = { lang, locationIndex, distance, deliveryPrice, utm, at };
    return projectStore(describeStore(store, view), fields);
  });
  const matchingBut = (leftAside: readonly string[]) =>
    matching(stores, params, leftAside).map(({ store }) => store);
  const members = askedOf(params).map(({ asked, value }) =>
    asked.member?.(value, matchingBut, stores),
  );
  return Object.assign({ total: entries.length, docs }, ...members);
}

/** The body of `GET /v2/external/stores/{id}`; null for a store or rental point that is unknown. */
export function answerStore(
  stores: readonly SourceStore[],
  idOrSlug: string,
  params: GetParams,
): object | null {
  const store = findStore(stores, idOrSlug);
  if (store === null) return null;
  const locationIndex = locationOf(store, params.rentalPointSlug);
  if (locationIndex === null) return null;
  const { lang, utm, fields, at } = params;
  return projectStore(describeStore(store, { lang, locationIndex, utm, at }), fields);
}

/** The store of this id, in any case, or of exactly this slug. */
export function findStore(stores: readonly SourceStore[], idOrSlug: string): SourceStore | null {
  const lower = idOrSlug.toLowerCase();
  return stores.find(({ id, slug }) => id.toLowerCase() === lower || slug === idOrSlug) ?? null;
}

function locationOf(store: SourceStore, rentalPointSlug: string | undefined): number | null {
  if (rentalPointSlug === undefined) return 0;
  if (!store.geo.displayAddress) return null;
  const index = store.geo.rentalPoints.findIndex(({ slug }) => slug === rentalPointSlug);
  return index < 0 ? null : index + 1;
}

function matching(
  stores: readonly SourceStore[],
  params: ListParams,
  leftAside: readonly string[] = [],
): Entry[] {
  const tests = askedOf(params).flatMap(({ name, asked, value }) =>
    leftAside.includes(name) ? [] : (asked.keep?.(value, stores) ?? []),
  );
  return stores.flatMap((store) => {
    const entry: Entry = { store, locationIndex: 0 };
    for (const test of tests) {
      const found = test(store);
      if (found === null) return [];
      Object.assign(entry, found);
    }
    return [entry];
  });
}
