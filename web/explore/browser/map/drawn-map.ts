/** The map once it is drawn: its library is loaded after the first stores were asked for. */
import { signal } from '@preact/signals';
import { boxAround } from '../model/area.ts';
import type { FoundStore } from '../model/found-store.ts';

/** Null until it is drawn, and where it cannot be. */
export const map = signal<typeof import('./map-view.ts') | null>(null);

/** Shows where these stores are. */
export function fitStores(stores: readonly FoundStore[]): void {
  const points = stores.flatMap(({ point }) => point ?? []);
  if (points.length > 0) map.value?.fitArea(boxAround(points));
}
