/** The list of stores, a piece at a time: thousands of rows would make the page slow. */
import { find, make } from './dom.ts';
import type { FoundStore } from './found-store.ts';

const FIRST_ROWS = 50;
const MORE_ROWS = 100;

export interface StoreListEvents {
  readonly onChoose: (store: FoundStore) => void;
  readonly onHover: (store: FoundStore | null) => void;
}

/** Whether a store is open; null when it was not asked for, or is not known yet. */
export type OpenMark = (store: FoundStore) => boolean | null;

export class StoreList {
  private readonly list = find('list', HTMLOListElement);
  private readonly more = find('more', HTMLButtonElement);
  private readonly events: StoreListEvents;
  private stores: readonly FoundStore[] = [];
  private isOpen: OpenMark = () => null;
  private rows = 0;
  private selected: string | null = null;

  constructor(events: StoreListEvents) {
    this.events = events;
    this.more.addEventListener('click', () => {
      const first = this.rows;
      this.add(MORE_ROWS);
      // The focus of the keyboard goes on where the new rows begin.
      this.list.children[first]?.querySelector('button')?.focus();
    });
  }

  show(stores: readonly FoundStore[], isOpen: OpenMark): void {
    const isSame =
      stores.length === this.stores.length &&
      stores.every(({ id }, place) => id === this.stores[place]?.id);
    const { activeElement } = document;
    const focused = this.list.contains(activeElement) && activeElement?.getAttribute('data-id');
    const rows = isSame ? Math.max(this.rows, FIRST_ROWS) : FIRST_ROWS;
    this.stores = stores;
    this.isOpen = isOpen;
    this.rows = 0;
    this.list.replaceChildren();
    this.add(rows);
    // The focus stays on its row.
    if (focused) this.focus(focused);
  }

  select(id: string | null): void {
    this.selected = id;
    for (const button of this.list.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.id === id));
    }
  }

  /** Brings the row of a store to the eye, if there is one. */
  focus(id: string): void {
    this.list.querySelector<HTMLElement>(`button[data-id="${id}"]`)?.focus();
  }

  /** Marks the row of a store that the pointer is on elsewhere. */
  hover(id: string | null): void {
    this.list.querySelector('.hovered')?.classList.remove('hovered');
    if (id === null) return;
    const row = this.list.querySelector(`button[data-id="${id}"]`);
    row?.classList.add('hovered');
  }

  private add(count: number): void {
    const added = this.stores.slice(this.rows, this.rows + count);
    this.list.append(...added.map((store) => this.row(store)));
    this.rows += added.length;
    const left = this.stores.length - this.rows;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${Math.min(MORE_ROWS, left)} more of ${left.toLocaleString('en')}`;
  }

  private row(store: FoundStore): HTMLLIElement {
    const button = make(
      'button',
      { type: 'button', 'aria-pressed': store.id === this.selected },
      make('span', { className: 'name' }, store.name),
      make('span', { className: 'distance' }, describeDistance(store)),
      make('span', { className: 'where' }, store.city ?? (store.point ? '' : 'Address not shown')),
      openBadge(this.isOpen(store)),
      changeBadge(store),
    );
    button.dataset.id = store.id;
    button.addEventListener('click', () => this.events.onChoose(store));
    for (const name of ['pointerenter', 'focus'] as const) {
      button.addEventListener(name, () => this.events.onHover(store));
    }
    for (const name of ['pointerleave', 'blur'] as const) {
      button.addEventListener(name, () => this.events.onHover(null));
    }
    return make('li', {}, button);
  }
}

export function openBadge(isOpen: boolean | null): HTMLElement | null {
  if (isOpen === null) return null;
  const [kind, word] = isOpen ? ['open', 'Open'] : ['closed', 'Closed'];
  return make('span', { className: `badge ${kind}` }, word);
}

export function changeBadge({ change }: FoundStore): HTMLElement | null {
  if (change === null || change === 'unchanged') return null;
  return make('span', { className: `badge change-${change}` }, change);
}

export function describeDistance({ distance }: FoundStore): string {
  if (distance === null) return '';
  return distance < 1 ? `${Math.round(distance * 1000)} m` : `${distance.toFixed(1)} km`;
}
