/** Where the map goes: to what was looked for, once that is known; then wherever the user moves it. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { find } from './dom.ts';
import type { StoreMap } from './map/store-map.ts';
import { areaAround, areaOfView, boxAround, firstView } from './model/area.ts';
import {
  type Aside,
  aside,
  firstArea,
  found,
  goal,
  inOrder,
  isStale,
  keepView,
  leaveLast,
  left,
  seen,
  state,
} from './model/current.ts';
import type { Found, FoundStore, Point } from './model/found.ts';
import type { MapView, Place } from './model/state.ts';
import { isSmall, level } from './sheet.ts';

/** Parts of the stores that the first view is about: a phone would show little else than their number. */
const FIRST = 19 / 20;
const FIRST_ON_PHONE = 3 / 4;

/** Of the nearest stores, those that the map goes to where a place has none. */
const MAX_NEAREST = 3;

/** Null until it is drawn, and where it cannot be. */
export const map = signal<StoreMap | null>(null);

/** The stores, once all of them answer what was chosen. */
const answer = computed(() => (found.value?.isComplete && !isStale.value ? found.value : null));

const view = computed(() => state.value.view);

effect(() => {
  // The sheet covers more or less of the map then.
  if (level.value) updateSeen();
});
effect(() => {
  const [drawn, last] = [map.value, answer.value];
  if (drawn && goal.value) untracked(() => go(drawn, last));
});

/** Goes to the goal, once the stores are found that it is about. */
function go(drawn: StoreMap, last: Found | null): void {
  const { place } = state.value;
  if (goal.value === 'view') {
    goal.value = null;
    if (view.value) drawn.showView(view.value);
  } else if (goal.value === 'place') {
    goal.value = 'nearest';
    if (place) drawn.fitArea(areaAround(place, place.radius));
  } else if (goal.value === 'nearest' && last) {
    goal.value = null;
    if (place && last.isBeyond) fitNearest(place, last.stores);
  } else if (goal.value === 'found' && last) {
    goal.value = null;
    firstArea.value = firstView(pointsOf(last.stores), isSmall.value ? FIRST_ON_PHONE : FIRST);
    if (firstArea.value) drawn.fitArea(firstArea.value);
  }
}

const isOnItsWay = (): boolean =>
  goal.value === 'view' || goal.value === 'place' || goal.value === 'found';

/** Takes the map away; another one begins where it was. */
export function leaveMap(): void {
  if (!isOnItsWay()) goal.value = 'view';
  map.value = null;
}

/** Keeps where the map has come to rest. @param isByHand whether the user has moved it there, not the page */
export function moved(to: MapView, isByHand: boolean): void {
  if (isOnItsWay()) return;
  batch(() => {
    if (isByHand) {
      leaveLast();
      goal.value = 'free';
    }
    keepView(to);
  });
}

/** Shows all that was found. */
export function showAll(): void {
  goal.value = null;
  fitStores(inOrder.value);
}

/** Lists stores that the map does not show, and shows where they are; null: goes back to the map as it was. */
export function showAside(shown: Aside | null): void {
  aside.value = shown;
  if (shown) fitStores(left.value[shown]);
  else if (firstArea.value) map.value?.fitArea(firstArea.value);
}

/** Shows the place and the stores that are nearest to it. */
function fitNearest({ latitude, longitude }: Place, stores: readonly FoundStore[]): void {
  const nearest = pointsOf(stores.slice(0, MAX_NEAREST));
  map.value?.fitArea(boxAround([{ lat: latitude, lng: longitude }, ...nearest]));
}

function fitStores(stores: readonly FoundStore[]): void {
  const points = pointsOf(stores);
  if (points.length > 0) map.value?.fitArea(boxAround(points));
}

const pointsOf = (stores: readonly FoundStore[]): Point[] =>
  stores.flatMap(({ point }) => point ?? []);

/** Works out which part of the map is seen; until the map is there, the part that the address means. */
function updateSeen(): void {
  const [drawn, at] = [map.value, view.value];
  const meant = goal.value === 'view' && at ? areaOfView(at, find('map')) : null;
  // Paper has no map: its list is the list of the screen.
  if (!matchMedia('print').matches) seen.value = drawn?.visibleArea() ?? meant;
}
