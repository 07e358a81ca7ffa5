/** The card at a pin: the name of what the pointer is on, else the store that is chosen, or a list of stores. */
import { type Map as MapLibreMap, Popup, type PopupOptions } from 'maplibre-gl';
import { render } from 'preact';
import { PinCard } from '../components/PinCard.tsx';
import type { FoundStore, Point } from '../model/found.ts';
import { countHere } from '../model/words.ts';

/** Pixels between a pin, which stands on its point, and its card. */
const OFFSETS = {
  ...{ top: [0, 8], 'top-left': [0, 8], 'top-right': [0, 8], center: [0, 0] },
  ...{ bottom: [0, -50], 'bottom-left': [0, -50], 'bottom-right': [0, -50] },
  ...{ left: [20, -24], right: [-20, -24] },
} satisfies PopupOptions['offset'];

interface Card {
  readonly title: string;
  readonly point: Point;
  /** A store in short, several to choose from, or none: then it is a name alone. */
  readonly stores: readonly FoundStore[];
}

export class PinCards {
  readonly #map: MapLibreMap;
  readonly #content = document.createElement('div');
  readonly #popup = new Popup({
    closeButton: false,
    closeOnClick: false,
    focusAfterOpen: false,
    maxWidth: 'min(17rem, 80vw)',
    offset: OFFSETS,
  }).setDOMContent(this.#content);
  #named: Card | null = null;
  #opened: Card | null = null;

  constructor(map: MapLibreMap) {
    this.#map = map;
  }

  /** Names what is at a point while the pointer is there; without a point, nothing more. */
  name(title = '', point: Point | null = null): void {
    this.#named = point && { title, point, stores: [] };
    this.#show();
  }

  /** Opens the card of a store, or a list of several; without any, closes it. */
  open(stores: readonly FoundStore[], point = stores[0]?.point ?? null): void {
    const [store, ...others] = stores;
    const title = store && others.length === 0 ? store.name : countHere(stores.length);
    this.#opened = point && { title, point, stores };
    this.#show();
    // A key that has opened a list goes on in it.
    this.#content.querySelector<HTMLElement>('li button')?.focus({ preventScroll: true });
  }

  #show(): void {
    const [named, opened] = [this.#named, this.#opened];
    // A card that is open has the name already.
    const isNew = named?.title !== opened?.title || named?.point.lng !== opened?.point.lng;
    const card = named && isNew ? named : opened;
    const close = () => {
      this.open([]);
      this.#map.getCanvas().focus();
    };
    render(card && <PinCard {...card} onClose={close} />, this.#content);
    if (!card) {
      this.#popup.remove();
      return;
    }
    this.#popup.setLngLat(card.point);
    if (!this.#popup.isOpen()) this.#popup.addTo(this.#map);
  }
}
