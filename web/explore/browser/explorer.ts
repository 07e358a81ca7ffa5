/** The page as a whole: what is asked of the service, and where the map goes, follow the state. */
import { batch, computed, effect, untracked } from '@preact/signals';
import { find } from './dom.ts';
import { map } from './map/drawn-map.ts';
import { readAddress } from './model/address.ts';
import { areaOfView, boxAround, firstView } from './model/area.ts';
import {
  firstArea,
  found,
  hovered,
  inOrder,
  isMoved,
  isStale,
  keepView,
  leaveLast,
  rest,
  seen,
  state,
  storeOf,
  target,
} from './model/current.ts';
import type { Found } from './model/found.ts';
import type { Place } from './model/state.ts';
import { ask, countFacets, forget } from './service/inquiry.ts';
import { isSmall, level } from './sheet.ts';

/** Milliseconds that the sheet takes from height to height, as the styles have it. */
const SHEET_TIME = 250;

/** Parts of the stores that the first view is about: a phone would show little else than their number. */
const FIRST = 19 / 20;
const FIRST_ON_PHONE = 3 / 4;

/** Of the nearest stores, those that the map goes to where a place has none. */
const MAX_NEAREST = 3;

addEventListener('popstate', follow);

effect(() => map.value?.showStores(inOrder.value));
effect(() => map.value?.showPin('hovered', storeOf(hovered.value)));
const place = computed(() => state.value.place);
effect(() => map.value?.showPlace(place.value));
effect(() => {
  // The sheet has covered more or less of the map once it has come to rest.
  if (level.value) setTimeout(look, SHEET_TIME);
});
rest.subscribe(moved);
effect(placeMap);
effect(fitFound);
effect(askForMissing);

/** Asks again at once. */
export function retry(): void {
  forget();
  askForMissing();
}

/** Shows the state that the address has, and the map where it was. */
export function follow(): void {
  batch(() => {
    state.value = readAddress(location.hash);
    target.value = state.value.view ? 'view' : state.value.place ? 'place' : 'found';
    leaveLast();
    look();
  });
}

function moved(last: typeof rest.value): void {
  if (!last) return;
  if (last.isByHand) {
    leaveLast();
    isMoved.value = true;
    if (target.value === 'nearest') target.value = null;
  }
  // Until then it moves by itself.
  if (target.value && target.value !== 'nearest') return;
  keepView(last.view);
  look();
}

/** Looks at what is seen of the map now. */
function look(): void {
  // Paper has no map: its list is the list of the screen.
  if (matchMedia('print').matches) return;
  // Until the map is there, the area that the address means.
  const { view } = state.value;
  const meant = target.value === 'view' && view ? areaOfView(view, find('stage')) : null;
  seen.value = map.value?.visibleArea() ?? meant;
}

/** Brings the map where the state says. */
function placeMap(): void {
  const drawn = map.value;
  const { view, place } = state.peek();
  if (!drawn) return;
  if (target.value === 'view') {
    target.value = null;
    if (view) drawn.showView(view);
  } else if (target.value === 'place') {
    target.value = 'nearest';
    if (place) drawn.fitPlace(place);
  }
  untracked(look);
}

/** Brings the map where the stores are, once all are found. */
function fitFound(): void {
  const last = found.value;
  if (!map.value || !last?.isComplete || isStale.value) return;
  const isOfWords = target.value === 'found';
  if (!isOfWords && target.value !== 'nearest') return;
  target.value = null;
  if (!isOfWords) {
    if (place.value && last.isBeyond) fitNearest(place.value, last);
    return;
  }
  const points = last.stores.flatMap(({ point }) => point ?? []);
  firstArea.value = firstView(points, isSmall.peek() ? FIRST_ON_PHONE : FIRST);
  if (firstArea.value) map.value.fitArea(firstArea.value);
}

/** Shows the place and the stores that are nearest to it. */
function fitNearest({ latitude, longitude }: Place, last: Found): void {
  const points = last.stores.slice(0, MAX_NEAREST).flatMap(({ point }) => point ?? []);
  map.value?.fitArea(boxAround([{ lat: latitude, lng: longitude }, ...points]));
}

/** Asks for what is missing of the question and the area that is seen. */
function askForMissing(): void {
  const isAtView = target.value === null || target.value === 'view';
  const isOfArea = !state.value.place && state.value.words === '' && isAtView;
  ask(isOfArea ? seen.value : null);
  countFacets(target.value === 'found' ? null : seen.value);
}
