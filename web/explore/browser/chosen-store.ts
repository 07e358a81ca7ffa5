/** The store that is looked at: fetched whole, and shown on the map. */
import { computed, effect } from '@preact/signals';
import type { Store } from '../../../src/model/store.ts';
import { map } from './camera.ts';
import { state, storeOf } from './model/current.ts';
import { type FoundStore, foundStore } from './model/found.ts';
import { latest } from './model/latest.ts';
import { languageOf } from './model/words.ts';
import { leaveToken, service } from './service/inquiry.ts';

interface Chosen {
  readonly id: string;
  /** What is known of it already; null where no list had it. */
  readonly found: FoundStore | null;
  /** Null until it has come. */
  readonly store: Store | null;
}

/** The value is null while the list is shown. */
export const loading = latest<Chosen | null>(null);
export const chosen = loading.value;

const chosenId = computed(() => state.value.store);

effect(loadStore);
loading.failure.subscribe(leaveToken);
/** Stays while the store is fetched, so that a card that was closed meanwhile stays closed. */
const pinned = computed(() => chosen.value?.found ?? null);
effect(() => {
  const store = pinned.value;
  map.value?.showPin('selected', store);
  if (store?.point && !map.value?.isSeen(store.point)) map.value?.goTo(store.point);
});
effect(() => {
  const { store } = chosen.value ?? {};
  map.value?.showRentalPoints(store?.geo.locations?.map(({ point }) => point) ?? []);
});

/** Shows the store of the state, or again the list; asks for it unless it is there, or on its way. */
function loadStore(): void {
  const [id, directory] = [chosenId.value, service.value];
  if (id === null || !directory) {
    loading.end();
    chosen.value = null;
    return;
  }
  const known = storeOf(id);
  const rentalPointSlug = known?.rentalPointSlug;
  const begins = loading.begin([id, rentalPointSlug].join(' '), async (show, job) => {
    const lang = languageOf(navigator.languages);
    const store = await directory.get(id, { lang, rentalPointSlug, at: 'now' }, job);
    show({ id, found: known ?? foundStore(store), store });
  });
  if (begins) chosen.value = { id, found: known, store: null };
}
