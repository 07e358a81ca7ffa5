/** The store that is looked at: fetched whole, and shown on the map. */
import { computed, effect, signal } from '@preact/signals';
import type { Store } from '../../../src/model/store.ts';
import { map } from './map/drawn-map.ts';
import { found, request, state, storeOf } from './model/current.ts';
import { describeFault } from './model/describe.ts';
import { type FoundStore, foundStore } from './model/found.ts';
import { languageOf } from './model/words.ts';
import { service } from './service/inquiry.ts';
import { latest } from './service/latest.ts';
import type { Service } from './service/service.ts';

interface Chosen {
  readonly id: string;
  /** What is known of it already; null where no list had it. */
  readonly found: FoundStore | null;
  /** Null until it has come. */
  readonly store: Store | null;
  readonly fault: string | null;
  readonly tryAgain: () => void;
}

/** Null while the list is shown. */
export const chosen = signal<Chosen | null>(null);

const loading = latest(0);

const wanted = computed(() => state.value.store);

effect(() => {
  if (wanted.value !== null && service.value) {
    show(service.value, wanted.value, storeOf(wanted.value));
    return;
  }
  loading.end();
  if (chosen.peek()) request.value = found.peek()?.answer ?? null;
  chosen.value = null;
});

effect(() => {
  const found = chosen.value?.found ?? null;
  map.value?.showPin('selected', found);
  map.value?.showRentalPoints(chosen.value?.store?.geo.locations?.map(({ point }) => point) ?? []);
  if (found?.point && !map.value?.isSeen(found.point)) map.value?.goTo(found.point);
});

/**
 * Shows a store, unless it is shown already.
 * @param known the store in the list, if it is there
 */
function show(service: Service, id: string, known: FoundStore | null): void {
  const { rentalPointSlug } = known ?? {};
  const tryAgain = () => show(service, id, known);
  const begun = { id, found: known, store: null, fault: null, tryAgain };
  const begins = loading.begin(
    [id, rentalPointSlug].join(' '),
    async (signal) => {
      const query = { lang: languageOf(navigator.languages), rentalPointSlug, at: 'now' } as const;
      const { store, answer } = await service.get(id, query, signal);
      request.value = answer;
      const found = { ...foundStore(store), distance: known?.distance ?? null };
      chosen.value = { ...begun, found, store };
    },
    (error) => {
      chosen.value = { ...begun, fault: describeFault(error) };
    },
  );
  if (begins) chosen.value = begun;
}
