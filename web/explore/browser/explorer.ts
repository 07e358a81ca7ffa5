/** The page as a whole: what the map shows, and what is asked of the service, follow the state. */
import { batch, computed, effect } from '@preact/signals';
import { map } from './camera.ts';
import { readAddress } from './model/address.ts';
import { goal, hovered, inOrder, leaveLast, seen, state, storeOf } from './model/current.ts';
import { ask, countFacets } from './service/inquiry.ts';

addEventListener('popstate', readState);

effect(() => map.value?.showStores(inOrder.value));
effect(() => map.value?.showPin('hovered', storeOf(hovered.value)));
const searched = computed(() => state.value.place);
effect(() => map.value?.showPlace(searched.value));
effect(askForMissing);

/** Shows the state that the address has, and the map where it was. */
export function readState(): void {
  batch(() => {
    state.value = readAddress(location.hash);
    goal.value = state.value.view ? 'view' : state.value.place ? 'place' : 'found';
    leaveLast();
  });
}

/** Asks for what is missing of the question and the area that is seen. */
function askForMissing(): void {
  const { place, words } = state.value;
  const area = goal.value === 'found' ? null : seen.value;
  ask(place || words ? null : area);
  countFacets(area);
}
