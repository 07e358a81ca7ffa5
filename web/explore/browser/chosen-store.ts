/** The store that is looked at: fetched whole, and shown on the map. */
import { computed, effect, signal } from '@preact/signals';
import type { Store } from '../../../src/model/store.ts';
import { map } from './map/drawn-map.ts';
import { found, request, state, storeOf } from './model/current.ts';
import { type FoundStore, foundStore } from './model/found.ts';
import { describeFault, languageOf } from './model/words.ts';
import { service } from './service/inquiry.ts';
import { latest } from './service/latest.ts';

interface Chosen {
  readonly id: string;
  /** What is known of it already; null where no list had it. */
  readonly found: FoundStore | null;
  /** Null until it has come. */
  readonly store: Store | null;
  readonly fault: string | null;
}

/** Null while the list is shown. */
export const chosen = signal<Chosen | null>(null);

const wanted = computed(() => state.value.store);
const loading = latest(0);

effect(loadStore);
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
export function loadStore(): void {
  const [id, asked] = [wanted.value, service.value];
  if (id === null || !asked) {
    loading.end();
    if (chosen.peek()) request.value = found.peek()?.answer ?? null;
    chosen.value = null;
    return;
  }
  const known = storeOf(id);
  const rentalPointSlug = known?.rentalPointSlug;
  const begun = { id, found: known, store: null, fault: null };
  const begins = loading.begin(
    [id, rentalPointSlug].join(' '),
    async (signal) => {
      const lang = languageOf(navigator.languages);
      const { store, answer } = await asked.get(id, { lang, rentalPointSlug, at: 'now' }, signal);
      request.value = answer;
      chosen.value = { ...begun, found: known ?? foundStore(store), store };
    },
    (error) => {
      chosen.value = { ...begun, fault: describeFault(error) };
    },
  );
  if (begins) chosen.value = begun;
}
