/** The map once it is drawn, and what is to be said where it is not: its library is larger than all else together. */
import { signal } from '@preact/signals';
import { find } from '../dom.ts';
import { boxAround } from '../model/area.ts';
import type { FoundStore } from '../model/found.ts';
import { lineFree } from '../service/inquiry.ts';
import type { DrawCard } from './pin-cards.ts';
import type { StoreMap } from './store-map.ts';

/** Null until it is drawn, and where it cannot be. */
export const map = signal<StoreMap | null>(null);

/** What stands instead of the map, or above it. */
interface MapNotice {
  readonly text: string;
  /** Whether drawing it anew may help. */
  readonly mayRetry: boolean;
}

export const mapNotice = signal<MapNotice | null>(null);

/** Milliseconds after which a map that is not there yet is spoken of. */
const PATIENCE = 10_000;

const WITHOUT = 'The list works without it.';

/** Draws the map, or says why there is none. A map that is there gives way to the new one, with its view. */
export async function drawMap(drawCard: DrawCard): Promise<void> {
  const view = map.value?.view();
  map.value?.remove();
  map.value = null;
  const { dataset } = find('map');
  delete dataset.drawn;
  mapNotice.value = { text: 'Loading the map …', mayRetry: false };
  const tell = (text: string, mayRetry = true) => {
    clearTimeout(timer);
    mapNotice.value = { text: `${text} ${WITHOUT}`, mayRetry };
    lineFree.resolve();
  };
  const timer = setTimeout(() => tell('The map takes long to load.'), PATIENCE);
  if (document.createElement('canvas').getContext('webgl2') === null) {
    tell('This browser cannot draw the map (it has no WebGL).', false);
    return;
  }
  let isWhole = true;
  const onDrawn = () => {
    clearTimeout(timer);
    dataset.drawn = '';
    if (isWhole) mapNotice.value = null;
  };
  const onFault = () => {
    isWhole = false;
    tell('The map could not be loaded in full.');
  };
  // On their way beside the library, which asks for them only once it runs.
  const { worker = '', tiles = '' } = find('explore').dataset;
  for (const file of [worker, tiles]) fetch(file).catch(() => {});
  try {
    const { StoreMap } = await import('./store-map.ts');
    lineFree.resolve();
    const drawn = await StoreMap.draw({ worker, tiles, drawCard, onDrawn, onFault });
    if (view) drawn.showView(view);
    map.value = drawn;
  } catch {
    tell('The map could not be loaded.');
  }
}

/** Shows where these stores are. */
export function fitStores(stores: readonly FoundStore[]): void {
  const points = stores.flatMap(({ point }) => point ?? []);
  if (points.length > 0) map.value?.fitArea(boxAround(points));
}
