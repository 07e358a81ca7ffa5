/** The state that the page shows now: what the user has chosen, what was found, and what of it is seen. */
import { batch, computed, signal } from '@preact/signals';
import type { Area } from '../../../../client/src/query.ts';
import { addressOf, FIRST_STATE } from './address.ts';
import { isInside } from './area.ts';
import { type Answer, type Found, type FoundStore, ordered, questionOf } from './found.ts';
import { latest } from './latest.ts';
import { type ExploreState, type MapView, orderOf, type Place } from './state.ts';

export const state = signal(FIRST_STATE);

/** The search for stores. Its last answer stays until there is another one. */
export const searching = latest<Found | null>(null);
export const { value: found, isBusy: isAsking, failure } = searching;

/** What is asked, without the area of the map. */
export const question = computed(() => questionOf(state.value));

/** Whether what is shown answers an earlier question. */
export const isOld = computed(
  () => found.value !== null && found.value.question !== question.value,
);

/** Whether what is shown is no longer, or not yet, the answer to what was chosen. */
export const isStale = computed(() => isOld.value || isAsking.value || failure.value !== null);

/** The last requests for the list and for a store: the first one of a walk, or one that failed. */
export const listRequest = signal<Answer | null>(null);
export const storeRequest = signal<Answer | null>(null);

/** The request that is shown: for the store that is chosen, once there is one; else for the list. */
export const request = computed(() =>
  storeRequest.value?.call.id === state.value.store ? storeRequest.value : listRequest.value,
);

/** What is wrong with the token that was entered. */
export const tokenFault = signal('');

/** Id of the store that the pointer is on, in the list or on the map. */
export const hovered = signal<string | null>(null);

/** The part of the map that is seen; until the map is there, the part that the address means, or null. */
export const seen = signal<Area | null>(null);

/**
 * What the map goes to next. `view`: where the address has it. `place`: the circle that is searched. `nearest`: it
 * shows the circle, and goes on to the nearest stores if they lie beyond. `found`: most of the stores, once all are
 * found. `free`: nothing, the user has moved it away. Null: it shows what was looked for.
 */
export const goal = signal<Goal>(null);
type Goal = 'view' | 'place' | 'nearest' | 'found' | 'free' | null;

/** Stores that the map does not show, and that the list may show instead. */
export type Aside = 'far' | 'unlocated';
export const aside = signal<Aside | null>(null);

/** Outside of this area stores are far away; null once the map was moved. */
export const firstArea = signal<Area | null>(null);

const order = computed(() => orderOf(state.value));

/** All that was found, in order. */
export const inOrder = computed(() => ordered(found.value?.stores ?? [], order.value));

/** What the list leaves out: stores beyond the first area of the map, and those that show no address. */
export const left = computed(() => ({
  far: inOrder.value.filter(
    ({ point }) => point && firstArea.value && !isInside(firstArea.value, point),
  ),
  unlocated: state.value.words ? [] : inOrder.value.filter(({ point }) => !point),
}));

let lastListed: readonly FoundStore[] = [];

/**
 * The stores of the list, in order: the stores in the part of the map that is seen. An old answer stays as it was,
 * wherever the map goes meanwhile.
 */
export const listed = computed(() => {
  if (!isOld.value) lastListed = listFound();
  return lastListed;
});

function listFound(): readonly FoundStore[] {
  if (aside.value) return left.value[aside.value];
  const area = seen.value;
  const isListed = state.value.words !== '';
  return inOrder.value.filter(({ point }) => (point ? !area || isInside(area, point) : isListed));
}

/** Returns the store with this id, if it was found. */
export const storeOf = (id: string | null) =>
  found.value?.stores.find((store) => store.id === id) ?? null;

/** Forgets what was about the last question, or the last view. */
export function leaveLast(): void {
  aside.value = null;
  firstArea.value = null;
}

/** Does what the user wants, so that Back undoes it. */
export function act(changed: Partial<ExploreState>): void {
  state.value = { ...state.value, ...changed };
  history.pushState(null, '', addressOf(state.value));
}

/**
 * Changes filters: the list has the stores of the map again. Around a place the map follows, unless the user has moved
 * it: other stores may be near then.
 */
export const filter = (filters: Partial<ExploreState>): void =>
  batch(() => {
    aside.value = null;
    const isThere = goal.value === null || goal.value === 'nearest';
    if (state.value.place && isThere) goal.value = found.value?.isBeyond ? 'place' : 'nearest';
    act(filters);
  });

/** Asks another question, and sends the map to where its stores are. */
const look = (to: Goal, changed: Partial<ExploreState>): void =>
  batch(() => {
    leaveLast();
    goal.value = to;
    act({ words: '', place: null, order: null, ...changed });
  });

/** Searches for stores around a place, which says more than a country. @param filters that change with it */
export const lookAround = (place: Place, filters: Partial<ExploreState> = {}): void =>
  look('place', { countries: [], ...filters, place, store: null });

/** Searches for words; without any, for all stores, wherever they are. @param filters that change with them */
export const lookFor = (words: string, filters: Partial<ExploreState> = {}): void =>
  look('found', { ...filters, words });

/** Searches for the stores where the map is. */
export const searchArea = (): void => look(goal.value === 'free' ? null : goal.value, {});

/** Keeps where the map was moved to: Back undoes acts, not moves. */
export function keepView(view: MapView): void {
  state.value = { ...state.value, view };
  history.replaceState(null, '', addressOf(state.value));
}
