/** The state that the page shows now, and the acts of the user that change it. */
import { signal } from '@preact/signals';
import { addressOf, FIRST_STATE, readAddress } from './address.ts';
import type { ExploreState, Place } from './state.ts';

export const state = signal(FIRST_STATE);

let taker: (changed: Partial<ExploreState>) => void = () => {};

/** @param take told of each act, once the state has changed */
export function onAct(take: typeof taker): void {
  taker = take;
}

/** Does what the user wants, so that Back undoes it. */
export function act(changed: Partial<ExploreState>): void {
  state.value = { ...state.value, ...changed };
  history.pushState(null, '', addressOf(state.value));
  taker(changed);
}

/** Looks for stores around a place. */
export const lookAround = (place: Place): void =>
  act({ place, words: '', store: null, order: null });

/** Looks for words; without any, for the stores where the map is. */
export const lookFor = (words: string): void => act({ words, place: null, order: null });

/** Keeps where the map was moved to: Back undoes acts, not moves. */
export function keepView(view: ExploreState['view']): void {
  state.value = { ...state.value, view };
  history.replaceState(null, '', addressOf(state.value));
}

/** Takes the state that the address has. */
export function followAddress(): void {
  state.value = readAddress(location.hash);
}
