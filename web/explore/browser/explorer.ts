/** The page as a whole: the search, the filters, the list and the map show one state. */
import { ProblemError } from '../../../client/src/errors.ts';
import { changeToken } from '../../browser/session-token.ts';
import { showSearch } from './components/SearchField.tsx';
import { find, tellFault } from './dom.ts';
import { showFacets, showFilters } from './filters.ts';
import { map } from './map/drawn-map.ts';
import { act, followAddress, keepView, onAct, state } from './model/current.ts';
import { describeFault } from './model/describe.ts';
import type { ExploreState } from './model/state.ts';
import { showRequest } from './request-panel.ts';
import * as results from './results.ts';
import { ask, countFacets, forget, service, useService } from './service/inquiry.ts';
import type { Found } from './service/search.ts';
import type { Service } from './service/service.ts';
import { raiseSheet } from './sheet.ts';
import { hideStore, showStore } from './store-detail.ts';
import { markHovered } from './store-list.ts';

const panel = find('panel');

const CAN_DRAW = document.createElement('canvas').getContext('webgl2') !== null;

/** Where the map is to go next, and null once it is there: then it goes where the user likes. */
let target: 'view' | 'place' | 'found' | null = null;

addEventListener('popstate', follow);
onAct((changed) => {
  if (changed.place) target = 'place';
  if (changed.words) target = 'found';
  if (changed.place || changed.words || changed.store) raiseSheet();
  show();
});

/** Shows what the address says. @param first null while there is no token */
export function start(first: Service | null): void {
  follow();
  changeService(first);
}

/** Another token, or none any more. */
export function changeService(other: Service | null): void {
  useService(other);
  askAnew();
}

/** Draws the map once the first stores are on their way: its library is larger than all else together. */
export async function drawMap(): Promise<void> {
  if (!CAN_DRAW) {
    find('map-fault').hidden = false;
    return;
  }
  const drawn = await import('./map/map-view.ts');
  drawn.listen(moved, (id) => act({ store: id }), hover);
  map.value = drawn;
  results.showPins();
  show();
}

function moved(view: ExploreState['view']): void {
  // Until then it moves by itself.
  if (target) return;
  keepView(view);
  askForMissing();
  results.showInView();
}

function hover(id: string | null): void {
  const store = results.storeOf(id);
  markHovered(id);
  map.value?.showName(store);
  map.value?.showPin('hovered', store);
}

/** Shows the state that the address has, and the map where it was. */
function follow(): void {
  followAddress();
  target = state.value.view ? 'view' : state.value.place ? 'place' : 'found';
  show();
}

/** Brings everything in line with the state. */
function show(): void {
  showSearch();
  showFilters();
  results.showOrder();
  map.value?.showPlace(state.value.place);
  placeMap();
  askForMissing();
  results.showResults();
  fitFound();
  showChosen();
}

/** Brings the map where the state says. */
function placeMap(): void {
  const { view, place } = state.value;
  if (!map.value || !target || target === 'found') return;
  const isOfView = target === 'view';
  target = null;
  if (isOfView && view) map.value.showView(view);
  else if (place) map.value.fitPlace(place);
}

/** Brings the map where the stores are, once all are found. */
function fitFound(): void {
  if (!map.value || target !== 'found' || !results.found?.isComplete) return;
  target = null;
  results.fitFound();
}

/** Asks for what is missing of the question and the area that the map shows. */
function askForMissing(): void {
  // The area that the address means is known once the map is there.
  if (target === 'view' && CAN_DRAW && !map.value) return;
  const isOfArea = !state.value.place && state.value.words === '' && target === null;
  const shown = (isOfArea && map.value?.area()) || null;
  countFacets(shown, showFacets);
  const missing = ask(shown, results.found, takeFound, showFault);
  if (missing === 'all') results.wait('Searching …');
  if (missing === 'part') results.waitForMore();
}

function askAnew(): void {
  forget();
  panel.classList.toggle('welcome', !service);
  results.wait('');
  show();
}

function takeFound(found: Found): void {
  if (results.found?.answer !== found.answer) void showRequest(found.answer);
  results.take(found);
  fitFound();
  showChosen();
}

function showFault(error: unknown): void {
  forget();
  if (!(error instanceof ProblemError && [401, 403].includes(error.status))) {
    results.fail(error, askAnew);
    return;
  }
  // Which takes the service away, and clears what is said of the token.
  changeToken(null);
  tellFault('token', describeFault(error));
}

/** Shows the chosen store, or again the list. */
function showChosen(): void {
  if (state.value.store === null || !service) {
    if (hideStore()) void showRequest(results.found?.answer ?? null);
    return;
  }
  showStore(service, state.value.store, results.storeOf(state.value.store));
}
