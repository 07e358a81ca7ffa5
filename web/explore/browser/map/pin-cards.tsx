/** The card at a pin: the name of what the pointer is on, else the store that is chosen, or a list of stores. */
import { type Map as MapLibreMap, Popup, type PopupOptions } from 'maplibre-gl';
import { render } from 'preact';
import { PinCard } from '../components/PinCard.tsx';
import type { FoundStore, Point } from '../model/found.ts';

/** Pixels between a pin, which stands on its point, and its card. */
const OFFSETS = {
  ...{ top: [0, 8], 'top-left': [0, 8], 'top-right': [0, 8], center: [0, 0] },
  ...{ bottom: [0, -50], 'bottom-left': [0, -50], 'bottom-right': [0, -50] },
  ...{ left: [20, -24], right: [-20, -24] },
} satisfies PopupOptions['offset'];

export class PinCards {
  readonly #map: MapLibreMap;
  readonly #content = document.createElement('div');
  readonly #popup = new Popup({
    closeButton: false,
    closeOnClick: false,
    focusAfterOpen: false,
    maxWidth: '17rem',
    offset: OFFSETS,
  }).setDOMContent(this.#content);
  #named: readonly FoundStore[] = [];
  #opened: readonly FoundStore[] = [];
  /** Where the card is that is open: at a pin, or at a cluster. */
  #point: Point | null = null;

  constructor(map: MapLibreMap) {
    this.#map = map;
  }

  /** Names stores while the pointer is there. */
  name(stores: readonly FoundStore[]): void {
    this.#named = stores;
    this.#show();
  }

  /** Opens the card of a store, or a list of several; without any, closes it. */
  open(stores: readonly FoundStore[], point = stores[0]?.point ?? null): void {
    this.#opened = stores;
    this.#point = point;
    this.#show();
  }

  #show(): void {
    const isName = this.#named.some(({ id }) => !this.#opened.some((store) => store.id === id));
    const stores = isName ? this.#named : this.#opened;
    const point = isName ? this.#named[0]?.point : this.#point;
    const close = () => {
      this.open([]);
      this.#map.getCanvas().focus();
    };
    render(point && <PinCard stores={stores} isName={isName} onClose={close} />, this.#content);
    if (!point) {
      this.#popup.remove();
      return;
    }
    this.#popup.setLngLat(point);
    if (!this.#popup.isOpen()) this.#popup.addTo(this.#map);
  }
}
