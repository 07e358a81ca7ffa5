/** All that is asked of the service for a state: stores, the numbers of filters, hours, suggestions. */
import { signal } from '@preact/signals';
import type { Page } from '../../../../client/src/answers.ts';
import type { FieldPath } from '../../../../client/src/fields.ts';
import type { StoreHours } from '../../../../client/src/index.ts';
import type { Area } from '../../../../client/src/query.ts';
import { FIRST_STATE } from '../model/address.ts';
import { covers } from '../model/area.ts';
import { state } from '../model/current.ts';
import { type FoundStore, foundStore } from '../model/found-store.ts';
import { type Opening, openingOf } from '../model/opening-words.ts';
import { filtersOf, storesQuery } from '../model/question.ts';
import { latest } from './latest.ts';
import { type Found, search } from './search.ts';
import type { Answer, Service } from './service.ts';

export type Facets = NonNullable<Page<unknown>['facets']>;

/** Stores that are suggested at once. */
const MOST_SUGGESTED = 4;

/** What the service takes ids of at once. */
const MOST_IDS = 100;

const searching = latest(0);
/** The numbers of the filters wait until the question and the map have come to rest. */
const counting = latest(200);
/** Rows come together into one request. */
const timing = latest(60);

/** The numbers of the filters, as they were counted last; null until they are. */
export const facets = signal<Facets | null>(null);

/** Null while there is no token. */
export let service: Service | null = null;

/** What the stores are of that are there, or on their way. */
let question = { text: '', area: null as Area | null };

/** Opening hours by id: they are long, so they are asked for as rows are shown. */
const hours = new Map<string, StoreHours>();

/** Asks with another token from now on. */
export function useService(other: Service | null): void {
  service = other;
  hours.clear();
  counting.end();
  timing.end();
  forget();
}

/** Ends what is under way; the same question is asked again then. */
export function forget(): void {
  searching.end();
  question = { text: '', area: null };
}

/**
 * Asks for the stores that are missing.
 * @param shown the area of the map; null where the question is not about it
 * @returns which stores are on their way
 */
export function ask(
  shown: Area | null,
  found: Found | null,
  onFound: (found: Found) => void,
  onFault: (error: unknown) => void,
): 'all' | 'part' | 'none' {
  const asked = service;
  if (!asked) return 'none';
  const text = JSON.stringify(storesQuery(state.value, null));
  const isSame = text === question.text;
  const hasAll = !found?.isComplete || found.stores.length >= found.total;
  if (isSame && hasAll && covers(question.area, shown)) return 'none';
  question = { text, area: shown };
  const begins = searching.begin(
    JSON.stringify(storesQuery(state.value, shown)),
    (signal) => search(asked, state.value, shown, onFound, signal),
    onFault,
  );
  if (!begins) return 'none';
  return isSame && found ? 'part' : 'all';
}

/** Asks for the numbers of the filters. @param onCounts told of null while others are on their way */
export function countFacets(shown: Area | null, onCounts: (facets: Facets | null) => void): void {
  const asked = service;
  if (!asked) return;
  const groups = ['verticales', 'languages', 'countries'] as const;
  const query = { ...filtersOf(state.value, shown), facets: groups, limit: 0 };
  // Chips serve without numbers, and the search itself tells what is wrong with the service.
  const begins = counting.begin(JSON.stringify(query), async (signal) => {
    const { page } = await asked.list(query, signal);
    facets.value = page.facets ?? {};
    onCounts(facets.value);
  });
  if (begins) onCounts(null);
}

/** Asks for the hours of stores that are shown. */
export function wantHours(rows: readonly FoundStore[], onHours: () => void): void {
  const ids = rows
    .map(({ id }) => id)
    .filter((id) => !hours.has(id))
    .slice(0, MOST_IDS);
  const asked = service;
  if (!asked || ids.length === 0) return;
  const query = { id: { in: ids }, fields: ['id', 'temporal'] as const, limit: MOST_IDS };
  // Rows serve without hours, too.
  timing.begin(JSON.stringify(query), async (signal) => {
    const { page } = await asked.list(query, signal);
    const timed = page.docs as unknown as readonly (StoreHours & { readonly id: string })[];
    for (const each of timed) hours.set(each.id.toLowerCase(), each);
    onHours();
  });
}

/** Whether a store is open; null when that is not known. */
export function openingNow(id: string): Opening | null {
  const known = hours.get(id);
  return known ? openingOf(known, new Date()) : null;
}

/** The stores that fit best. @throws what `Service.list` throws */
export async function suggestStores(words: string): Promise<readonly FoundStore[]> {
  const query = storesQuery({ ...FIRST_STATE, words }, null);
  const answered = await service?.list({ ...query, limit: MOST_SUGGESTED });
  return answered?.page.docs.map(foundStore) ?? [];
}

/** The first page of what is searched, with other fields. @throws what `Service.list` throws */
export async function answerWith(fields: readonly FieldPath[]): Promise<Answer | null> {
  const query = { ...filtersOf(state.value, question.area), fields, limit: 100 };
  const answered = await service?.list(query);
  return answered?.answer ?? null;
}
