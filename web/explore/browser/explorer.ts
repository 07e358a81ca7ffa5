/** The page as a whole: what is asked of the service, and where the map goes, follow the state. */
import { computed, effect } from '@preact/signals';
import { ProblemError } from '../../../client/src/errors.ts';
import { changeToken } from '../../browser/session-token.ts';
import { hideStore, showStore } from './chosen-store.ts';
import { find } from './dom.ts';
import { map } from './map/drawn-map.ts';
import { areaOfView, boxAround, firstView } from './model/area.ts';
import {
  aside,
  failure,
  firstArea,
  followAddress,
  found,
  hovered,
  inOrder,
  isAsking,
  isMoved,
  isStale,
  keepView,
  onAct,
  request,
  seen,
  state,
  storeOf,
  tokenFault,
} from './model/current.ts';
import { describeFault } from './model/describe.ts';
import type { Found } from './model/found.ts';
import type { ExploreState } from './model/state.ts';
import { ask, countFacets, forget, service, useToken } from './service/inquiry.ts';
import { isSmall, level, raiseSheet } from './sheet.ts';

/** Milliseconds that the sheet takes from height to height, as the styles have it. */
const SHEET_TIME = 250;

/** Parts of the stores that the first view is about: a phone would show little else than their number. */
const FIRST = 19 / 20;
const FIRST_ON_PHONE = 3 / 4;

/** Of the nearest stores, those that the map goes to where a place has none. */
const MAX_NEAREST = 3;

/**
 * Where the map is to go next, and null once it is there: then it goes where the user likes. `nearest`: it
 * is at the place, and goes on to the nearest stores if these lie beyond.
 */
let target: 'view' | 'place' | 'nearest' | 'found' | null = null;

addEventListener('popstate', follow);
map.subscribe((drawn) => {
  if (!drawn) return;
  drawn.onMoved = moved;
  show();
});
onAct((changed) => {
  if (changed.place) target = 'place';
  if (changed.words || changed.view === null) target = 'found';
  if ('place' in changed || 'words' in changed) leaveLast();
  else if (!('store' in changed || 'order' in changed)) followFilters();
  if (changed.place || changed.words || changed.store) raiseSheet();
  show();
});

effect(() => map.value?.showStores(inOrder.value));
effect(() => map.value?.showPin('hovered', storeOf(hovered.value)));
const place = computed(() => state.value.place);
effect(() => map.value?.showPlace(place.value));
effect(() => {
  // The sheet has covered more or less of the map once it has come to rest.
  if (level.value) setTimeout(look, SHEET_TIME);
});

/** Moves the map to the place again, unless the user has moved it: other filters may have other stores near it. */
function followFilters(): void {
  if (state.value.place && !isMoved.value) target = found.value?.isBeyond ? 'place' : 'nearest';
}

/** Shows what the address says. @param token null while there is none */
export function start(token: string | null): void {
  follow();
  changeService(token);
}

/** Takes another token; null: none any more. */
export function changeService(token: string | null): void {
  tokenFault.value = '';
  useToken(token);
  show();
}

/** Asks again at once. */
export function retry(): void {
  forget();
  show();
}

function moved(view: ExploreState['view'], isByHand: boolean): void {
  if (isByHand) {
    leaveLast();
    isMoved.value = true;
    if (target === 'nearest') target = null;
  }
  // Until then it moves by itself.
  if (target && target !== 'nearest') return;
  keepView(view);
  look();
}

/** Forgets what was about the last question, or the last view. */
function leaveLast(): void {
  aside.value = null;
  firstArea.value = null;
  isMoved.value = false;
}

/** Looks at what is seen of the map now, and asks for what is missing there. */
function look(): void {
  // Paper has no map: its list is the list of the screen.
  if (matchMedia('print').matches) return;
  // Until the map is there, the area that the address means.
  const { view } = state.value;
  const meant = target === 'view' && view ? areaOfView(view, find('stage')) : null;
  seen.value = map.value?.visibleArea() ?? meant;
  askForMissing();
}

/** Shows the state that the address has, and the map where it was. */
function follow(): void {
  followAddress();
  target = state.value.view ? 'view' : state.value.place ? 'place' : 'found';
  leaveLast();
  show();
}

/** Brings everything in line with the state. */
function show(): void {
  placeMap();
  look();
  fitFound();
  showChosen();
}

/** Brings the map where the state says. */
function placeMap(): void {
  const { view, place } = state.value;
  if (!map.value) return;
  if (target === 'view') {
    target = null;
    if (view) map.value.showView(view);
  } else if (target === 'place') {
    target = 'nearest';
    if (place) map.value.fitPlace(place);
  }
}

/** Brings the map where the stores are, once all are found. */
function fitFound(): void {
  const last = found.value;
  if (!map.value || !last?.isComplete || isStale.value) return;
  const isOfWords = target === 'found';
  const { place } = state.value;
  if (!isOfWords && target !== 'nearest') return;
  target = null;
  if (!isOfWords) {
    if (place && last.isBeyond) fitNearest(place, last);
    return;
  }
  const part = isSmall.value ? FIRST_ON_PHONE : FIRST;
  firstArea.value = firstView(
    last.stores.flatMap(({ point }) => point ?? []),
    part,
  );
  if (firstArea.value) map.value.fitArea(firstArea.value);
}

/** Shows the place and the stores that are nearest to it. */
function fitNearest(
  { latitude, longitude }: NonNullable<ExploreState['place']>,
  last: Found,
): void {
  const points = last.stores.slice(0, MAX_NEAREST).flatMap(({ point }) => point ?? []);
  map.value?.fitArea(boxAround([{ lat: latitude, lng: longitude }, ...points]));
}

/** Asks for what is missing of the question and the area that is seen. */
function askForMissing(): void {
  const isAtView = target === null || target === 'view';
  const isOfArea = !state.value.place && state.value.words === '' && isAtView;
  ask(isOfArea ? seen.value : null, takeFound, showFault);
  countFacets(target === 'found' ? null : seen.value);
}

function takeFound(next: Found): void {
  if (found.value?.answer !== next.answer) request.value = next.answer;
  failure.value = null;
  isAsking.value = false;
  found.value = next;
  fitFound();
  look();
  showChosen();
}

function showFault(error: unknown): void {
  forget();
  if (!(error instanceof ProblemError && [401, 403].includes(error.status))) {
    failure.value = { error, until: null };
    return;
  }
  // Which takes the service away, and clears what is said of the token.
  changeToken(null);
  tokenFault.value = describeFault(error);
}

/** Shows the chosen store, or again the list. */
function showChosen(): void {
  const { store } = state.value;
  if (store !== null && service.value) showStore(service.value, store, storeOf(store));
  else if (hideStore()) request.value = found.value?.answer ?? null;
}
