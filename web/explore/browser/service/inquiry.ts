/** What is asked of the service for the list: its stores, the numbers of the filters, suggestions. */
import { batch, signal } from '@preact/signals';
import { ProblemError } from '../../../../client/src/errors.ts';
import type { FieldPath } from '../../../../client/src/fields.ts';
import type { Area } from '../../../../client/src/query.ts';
import type { Wait } from '../../../../client/src/retries.ts';
import { FACETS } from '../../../../src/model/enumerations.ts';
import { changeToken } from '../../../browser/session-token.ts';
import { FIRST_STATE } from '../model/address.ts';
import { areaAround, covers, overlap } from '../model/area.ts';
import { facets, failure, found, isAsking, request, state, tokenFault } from '../model/current.ts';
import {
  type Answer,
  type Found,
  type FoundStore,
  filtersOf,
  foundStore,
  questionOf,
  storesQuery,
} from '../model/found.ts';
import { describeFault } from '../model/words.ts';
import { latest } from './latest.ts';
import { search } from './search.ts';
import { type Service, serviceAt } from './service.ts';

/** Stores that are suggested at once. */
const MAX_SUGGESTED = 4;

/** Resolves once the library of the map has come, or is not waited for: until then it has the line for itself. */
export const lineFree = Promise.withResolvers<void>();

const searching = latest(0);
/** The numbers of the filters wait until the question and the map have come to rest. */
const counting = latest(200);

/** Null while there is no token. */
export const service = signal<Service | null>(null);

/** All countries that stores are in, by name; empty until they were asked for. */
export const countries = signal<readonly string[]>([]);

/** Whether the numbers of the filters belong to what is shown. */
export const isCounted = signal(false);

/** The question whose stores are there, or on their way. */
let question = { text: '', area: null as Area | null };

/** Asks with another token from now on, or with none any more. */
export function setToken(token: string | null): void {
  const wait = ({ milliseconds, reason }: Wait) => {
    failure.value = { error: reason, until: Date.now() + milliseconds };
  };
  const failed = (answer: Answer) => {
    request.value = answer;
  };
  batch(() => {
    service.value = token === null ? null : serviceAt(location.origin, token, wait, failed);
    tokenFault.value = '';
    countries.value = [];
    found.value = null;
    counting.end();
    forget();
  });
}

/** Ends what is under way; the same question is asked again then. */
export function forget(): void {
  searching.end();
  failure.value = null;
  isAsking.value = false;
  question = { text: '', area: null };
}

/** Asks for the stores that are missing. @param shown the area of the map; null where the question is not about it */
export function ask(shown: Area | null): void {
  const asked = service.value;
  if (!asked) return;
  const last = found.value;
  const text = questionOf(state.value);
  const isCut = last?.isComplete && last.stores.length < last.total;
  if (text === question.text && !isCut && covers(question.area, shown)) return;
  question = { text, area: shown };
  const begins = searching.begin(
    JSON.stringify(storesQuery(state.value, shown)),
    (signal) => search(asked, state.value, shown, take, lineFree.promise, signal),
    fail,
  );
  if (begins) isAsking.value = true;
}

function take(next: Found): void {
  batch(() => {
    if (found.value?.answer !== next.answer) request.value = next.answer;
    failure.value = null;
    isAsking.value = false;
    found.value = next;
  });
}

function fail(error: unknown): void {
  forget();
  if (!(error instanceof ProblemError && [401, 403].includes(error.status))) {
    failure.value = { error, until: null };
    return;
  }
  // Which takes the service away, and clears what is said of the token.
  changeToken(null);
  tokenFault.value = describeFault(error);
}

/** Asks for the numbers of the filters. @param seen the part of the map that is seen */
export function countFacets(seen: Area | null): void {
  const asked = service.value;
  if (!asked) return;
  const query = { ...countedIn(seen), facets: FACETS, limit: 0 };
  // Chips serve without numbers, and the search itself shows what is wrong with the service.
  const begins = counting.begin(JSON.stringify(query), async (signal) => {
    const { page } = await asked.list(query, signal);
    facets.value = page.facets ?? {};
    isCounted.value = true;
    await lineFree.promise;
    await askForCountries();
  });
  if (begins) isCounted.value = false;
}

/** Returns which stores the numbers of the filters count: as nearly as the service can, the stores of the list. */
function countedIn(seen: Area | null) {
  const { place } = state.value;
  const around = place && areaAround(place, place.radius);
  const isBeyond = found.value?.isBeyond ?? false;
  if (!seen || (around && !isBeyond && covers(seen, around))) return filtersOf(state.value, null);
  const bbox = (around && !isBeyond && overlap(around, seen)) || seen;
  return { ...filtersOf({ ...state.value, place: null }, null), bbox };
}

/** Asks for all countries, once: the filters count stores in view alone. @throws what `Service.list` throws */
export async function askForCountries(): Promise<void> {
  const asked = service.value;
  if (!asked || countries.value.length > 0) return;
  const { page } = await asked.list({ facets: ['countries'], limit: 0 });
  if (asked === service.value) countries.value = Object.keys(page.facets?.countries ?? {}).sort();
}

/** Returns the stores that fit best. @throws what `Service.list` throws */
export async function suggestStores(words: string): Promise<readonly FoundStore[]> {
  const query = storesQuery({ ...FIRST_STATE, words }, null);
  const answered = await service.value?.list({ ...query, limit: MAX_SUGGESTED });
  return answered?.page.docs.map(foundStore) ?? [];
}

/** Returns the first page of the search, with other fields. @throws what `Service.list` throws */
export async function answerWith(fields: readonly FieldPath[]): Promise<Answer | null> {
  const query = { ...filtersOf(state.value, question.area), fields, limit: 100 };
  const answered = await service.value?.list(query);
  return answered?.answer ?? null;
}
