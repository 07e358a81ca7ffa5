/** What the page shows now: its state, which acts of the user change, and its map. */
import { addressOf, FIRST_STATE, readAddress } from './address.ts';
import type { ExploreState, Place } from './state.ts';

type MapView = typeof import('./map-view.ts');

export let state = FIRST_STATE;

/** Null until it is drawn, and where it cannot be. */
export let map: MapView | null = null;

let taker: (changed: Partial<ExploreState>) => void = () => {};

/** @param take told of each act, once the state has changed */
export function onAct(take: typeof taker): void {
  taker = take;
}

/** Does what the user wants, so that Back undoes it. */
export function act(changed: Partial<ExploreState>): void {
  state = { ...state, ...changed };
  history.pushState(null, '', addressOf(state));
  taker(changed);
}

/** Looks for stores around a place. */
export const lookAround = (place: Place): void =>
  act({ place, words: '', store: null, order: null });

/** Looks for words; without any, for the stores where the map is. */
export const lookFor = (words: string): void => act({ words, place: null, order: null });

/** Keeps where the map was moved to: Back undoes acts, not moves. */
export function keepView(view: ExploreState['view']): void {
  state = { ...state, view };
  history.replaceState(null, '', addressOf(state));
}

/** Takes the state that the address has. */
export function followAddress(): void {
  state = readAddress(location.hash);
}

export function setMap(drawn: MapView): void {
  map = drawn;
}
