/** What is asked of the service for the list: its stores, the numbers of the filters, suggestions. */
import { batch, signal } from '@preact/signals';
import { ProblemError } from '../../../../client/src/errors.ts';
import type { Area } from '../../../../client/src/query.ts';
import { FACETS } from '../../../../src/model/enumerations.ts';
import { changeToken } from '../../../browser/session-token.ts';
import { FIRST_STATE } from '../model/address.ts';
import { areaAround, covers, overlap } from '../model/area.ts';
import {
  failure,
  found,
  listRequest,
  question,
  searching,
  state,
  storeRequest,
  tokenFault,
} from '../model/current.ts';
import {
  type Answer,
  type Facets,
  type FoundStore,
  filtersOf,
  foundStore,
  storesQuery,
} from '../model/found.ts';
import { type Failure, latest } from '../model/latest.ts';
import { describeFailure } from '../model/words.ts';
import { search } from './search.ts';
import { type Service, serviceAt } from './service.ts';

/** Stores that are suggested at once. */
const MAX_SUGGESTED = 4;

/** Resolves once the map is drawn, or is not waited for: until then it has the line and the processor for itself. */
export const lineFree = Promise.withResolvers<void>();

/** The numbers of the filters, which wait until the question and the map have come to rest; null until they are counted. */
export const counting = latest<Facets | null>(null, 200);

/** Null while there is no token. */
export const service = signal<Service | null>(null);

/** All countries that stores are in, by name; empty until they were asked for. */
export const countries = signal<readonly string[]>([]);

/** The question whose stores are there, or on their way. */
let lastSearch = { question: '', area: null as Area | null };

failure.subscribe(leaveToken);

/** Asks with another token from now on, or with none any more. */
export function setToken(token: string | null): void {
  const tell = (answer: Answer) => {
    const request = answer.call.id === null ? listRequest : storeRequest;
    request.value = answer;
  };
  batch(() => {
    service.value = token === null ? null : serviceAt(location.origin, token, tell);
    tokenFault.value = '';
    found.value = null;
    lastSearch = { question: '', area: null };
    counting.end();
    searching.end();
  });
}

/** Asks for the stores that are missing. @param shown the area of the map; null where the question is not about it */
export function ask(shown: Area | null): void {
  const directory = service.value;
  if (!directory) return;
  const last = found.value;
  const isCut = last?.isComplete && last.stores.length < last.total;
  const isLeft = isCut || failure.peek()?.until === null;
  if (question.value === lastSearch.question && !isLeft && covers(lastSearch.area, shown)) return;
  lastSearch = { question: question.value, area: shown };
  searching.begin(JSON.stringify(lastSearch), (show, job) =>
    search(directory, state.value, shown, show, lineFree.promise, job),
  );
}

/** Asks for another token where a failure is about the token. */
export function leaveToken(failure: Failure | null): void {
  const error = failure?.error;
  if (!(error instanceof ProblemError && [401, 403].includes(error.status))) return;
  // Which takes the service away, and clears what is said of the token.
  changeToken(null);
  tokenFault.value = describeFailure(error);
}

/** Asks for the numbers of the filters. @param seen the part of the map that is seen */
export function countFacets(seen: Area | null): void {
  const directory = service.value;
  if (!directory) return;
  const query = { ...countedIn(seen), facets: FACETS, limit: 0 };
  // Chips serve without numbers, and the search itself shows what is wrong with the service.
  counting.begin(JSON.stringify(query), async (show, job) => {
    const { facets = {} } = await directory.list(query, job);
    show(facets);
    await lineFree.promise;
    // The numbers are right without them.
    await askForCountries().catch(() => {});
  });
}

/** Returns which stores the numbers of the filters count: as nearly as the service can, the stores of the list. */
function countedIn(seen: Area | null) {
  const { place } = state.value;
  const around = place && !found.value?.isBeyond ? areaAround(place, place.radius) : null;
  if (!seen || (around && covers(seen, around))) return filtersOf(state.value, null);
  const bbox = (around && overlap(around, seen)) || seen;
  return { ...filtersOf({ ...state.value, place: null }, null), bbox };
}

/** Asks for all countries, once: the filters count stores in view alone. @throws what `Service.list` throws */
export async function askForCountries(): Promise<void> {
  if (countries.value.length > 0) return;
  const answered = await service.value?.list({ facets: ['countries'], limit: 0 });
  countries.value = Object.keys(answered?.facets?.countries ?? {}).sort();
}

/** Returns the stores that fit best. @throws what `Service.list` throws */
export async function suggestStores(words: string): Promise<readonly FoundStore[]> {
  const query = storesQuery({ ...FIRST_STATE, words }, null);
  const answered = await service.value?.list({ ...query, limit: MAX_SUGGESTED });
  return answered?.docs.map(foundStore) ?? [];
}
