/** What was found: the list, the pins, and what is said of both. */
import type { Area } from '../../../client/src/query.ts';
import { find } from './dom.ts';
import { map } from './map/drawn-map.ts';
import { type Action, hideMessage, say, showMessage, showNotes } from './messages.ts';
import { boxAround, firstView, isInside } from './model/area.ts';
import { act, lookAround, lookFor, state } from './model/current.ts';
import { describeFault, describeFound, describeQuestion } from './model/describe.ts';
import { type FoundStore, ordered, type Point } from './model/found-store.ts';
import {
  hasFilters,
  LARGEST_RADIUS,
  NO_FILTERS,
  ORDERS,
  orderOf,
  ordersOf,
  type Place,
} from './model/state.ts';
import { count, stores } from './model/words.ts';
import type { Found } from './service/search.ts';
import { showList } from './store-list.ts';

const panel = find('panel');
const order = find('order', HTMLSelectElement);

export let found: Found | null = null;

/** What was found, in order. */
let shown: readonly FoundStore[] = [];
/** What `shown` was made of. */
let made = { found: null as Found | null, order: '' };
/** Stores that lie outside of the first view. */
let far = 0;
let listsHidden = false;

order.onchange = () => act({ order: ORDERS.find((each) => each === order.value) ?? null });

/** Shows the orders that the question has, and which is taken. */
export function showOrder(): void {
  const orders: readonly string[] = ordersOf(state.value);
  for (const option of order.options) option.hidden = !orders.includes(option.value);
  order.value = orderOf(state.value);
}

/** No old answer stands under a new question. @param status what is going on */
export function wait(status: string): void {
  found = null;
  far = 0;
  listsHidden = false;
  showResults();
  waitForMore();
  say(status);
}

/** More of the same is on its way: what is shown holds still. */
export function waitForMore(): void {
  panel.ariaBusy = 'true';
}

export function take(next: Found): void {
  found = next;
  panel.ariaBusy = null;
  showResults();
}

/** Says why there is nothing, and what to do. */
export function fail(error: unknown, tryAgain: () => void): void {
  wait('');
  panel.ariaBusy = null;
  const actions = [{ text: 'Try again', run: tryAgain }];
  showMessage('The stores could not be loaded', describeFault(error), actions);
}

/** Shows what was found as the state wants it. */
export function showResults(): void {
  const asked = orderOf(state.value);
  if (found !== made.found || asked !== made.order) {
    made = { found, order: asked };
    shown = ordered(found?.stores ?? [], asked);
    showPins();
  }
  showInView();
}

export function showPins(): void {
  map.value?.showStores(shown);
}

/** The list follows the map.value. */
export function showInView(): void {
  const area = map.value?.area() ?? null;
  const listed = shown.filter(({ point }) =>
    point ? !area || isInside(area, point) : state.value.words !== '' || listsHidden,
  );
  showList(listed);
  hideMessage();
  showNotes([...notes()]);
  if (!found) return;
  say(describeFound(found, listed.length, state.value));
  if (found.isComplete && listed.length === 0) describeNothing();
}

export function storeOf(id: string | null): FoundStore | null {
  return found?.stores.find((store) => store.id === id) ?? null;
}

/** Shows nearly all of them. */
export function fitFound(): void {
  const view = firstView(pointsOf(shown));
  if (!view) return;
  far = view.far;
  fitArea(view.box);
}

function fitArea(box: Area): void {
  map.value?.fitArea(box);
  showInView();
}

const fitAll = (): void => fitArea(boxAround(pointsOf(shown)));

/** What the list leaves out, each with the action that shows it. */
function* notes(): Generator<[text: string, Action]> {
  const showFar = () => {
    far = 0;
    fitAll();
  };
  if (far > 0) yield [`${stores(far)} far away`, { text: 'show', run: showFar }];
  const hidden = shown.filter(({ point }) => !point).length;
  const toggle = () => {
    listsHidden = !listsHidden;
    showInView();
  };
  if (hidden > 0 && state.value.words === '') {
    yield [
      `${count(hidden)} without an address`,
      { text: listsHidden ? 'hide' : 'list', run: toggle },
    ];
  }
}

/** Says that there is nothing in view, and what leads on. */
function describeNothing(): void {
  const { place } = state.value;
  const where = describeQuestion(state.value);
  const isElsewhere = pointsOf(shown).length > 0;
  const title = isElsewhere ? 'No stores in this part of the map' : `No stores ${where || 'here'}`;
  const text = hasFilters(state.value)
    ? 'Nothing here passes all filters.'
    : 'There may be some not far from here.';
  const actions: Action[] = [];
  const offer = (action: string, run: () => void) => actions.push({ text: action, run });
  if (isElsewhere) {
    offer(`Show all ${stores(shown.length)}`, fitAll);
  } else {
    if (hasFilters(state.value)) offer('Clear filters', () => act(NO_FILTERS));
    const around = place ?? middle();
    if (around && around.radius < LARGEST_RADIUS) {
      const run = () => lookAround({ ...around, radius: LARGEST_RADIUS });
      offer(`Nearest within ${LARGEST_RADIUS} km`, run);
    }
  }
  if (where !== '')
    offer(map.value ? 'Show all in this area' : 'Show all stores', () => lookFor(''));
  else if (map.value) offer('Wider view', map.value.zoomOut);
  showMessage(title, text, actions);
}

/** Around what the map shows. */
function middle(): Place | null {
  if (!map.value) return null;
  const { latitude, longitude } = map.value.view();
  return { latitude, longitude, radius: 0, name: 'the middle of the map' };
}

const pointsOf = (all: readonly FoundStore[]): Point[] => all.flatMap(({ point }) => point ?? []);
