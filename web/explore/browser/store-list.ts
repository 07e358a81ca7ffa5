/** The list of stores, some dozens of rows at a time: thousands would make the page slow. */
import { find, icon, make } from './dom.ts';
import type { FoundStore } from './found-store.ts';
import { iconOf } from './icon-paths.ts';
import type { Opening } from './opening-words.ts';
import { describeDistance, describeVerticales } from './words.ts';

/** Rows at first, and how many come when the last of them are in sight. */
const ROWS = 30;

export interface StoreListEvents {
  readonly onChoose: (store: FoundStore) => void;
  readonly onHover: (store: FoundStore | null) => void;
  /** Told of the stores that have rows now. */
  readonly onRows: (stores: readonly FoundStore[]) => void;
  /** Whether a store is open; null when that is not known. */
  readonly openingOf: (store: FoundStore) => Opening | null;
}

export class StoreList {
  private readonly list = find('list', HTMLOListElement);
  private readonly more = find('more', HTMLButtonElement);
  private readonly scroller = find('scroller', HTMLElement);
  private readonly events: StoreListEvents;
  private stores: readonly FoundStore[] = [];
  private readonly rows = new Map<FoundStore, HTMLLIElement>();
  private selected: string | null = null;

  constructor(events: StoreListEvents) {
    this.events = events;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.addRows(),
      { root: this.scroller, rootMargin: '300px' },
    );
    observer.observe(this.more);
    this.more.addEventListener('click', () => {
      const first = this.list.children.length;
      this.addRows();
      this.list.children[first]?.querySelector('button')?.focus();
    });
  }

  show(stores: readonly FoundStore[]): void {
    const isSameHead = stores[0] !== undefined && stores[0].id === this.stores[0]?.id;
    const shown = isSameHead ? Math.max(ROWS, this.list.children.length) : ROWS;
    this.stores = stores;
    if (!isSameHead) this.scroller.scrollTop = 0;
    this.draw(shown);
  }

  select(id: string | null): void {
    this.selected = id;
    for (const button of this.list.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset.id === id));
    }
  }

  /** Brings the row of a store to the eye, if there is one. */
  focus(id: string): void {
    this.rowOf(id)?.focus();
  }

  /** Marks the row of a store that the pointer is on elsewhere. */
  hover(id: string | null): void {
    this.list.querySelector('.hovered')?.classList.remove('hovered');
    if (id !== null) this.rowOf(id)?.classList.add('hovered');
  }

  /** Tells in each row whether its store is open, as far as that is known. */
  tellOpenings(): void {
    for (const [store, row] of this.rows) {
      const place = row.querySelector('.opening');
      const opening = this.events.openingOf(store);
      if (opening) place?.replaceChildren(...openingWords(opening));
    }
  }

  private rowOf(id: string): HTMLElement | null {
    return this.list.querySelector<HTMLElement>(`button[data-id="${id}"]`);
  }

  private addRows(): void {
    if (!this.more.hidden) this.draw(this.list.children.length + ROWS);
  }

  /** Rows of stores that stay are the same elements, and so keep the focus. */
  private draw(shown: number): void {
    const stores = this.stores.slice(0, shown);
    const rows = stores.map((store) => this.rows.get(store) ?? this.row(store));
    this.rows.clear();
    stores.forEach((store, place) => {
      this.rows.set(store, rows[place] as HTMLLIElement);
    });
    const { children } = this.list;
    const isLonger = [...children].every((child, place) => child === rows[place]);
    if (isLonger) this.list.append(...rows.slice(children.length));
    else {
      const focused = this.list.contains(document.activeElement)
        ? document.activeElement?.getAttribute('data-id')
        : null;
      this.list.replaceChildren(...rows);
      if (focused) this.rowOf(focused)?.focus({ preventScroll: true });
    }
    this.more.hidden = this.stores.length <= rows.length;
    this.select(this.selected);
    this.tellOpenings();
    this.events.onRows(stores);
  }

  private row(store: FoundStore): HTMLLIElement {
    const { id, name, verticales, city, rating } = store;
    const button = make(
      'button',
      { type: 'button' },
      make('span', { className: 'picture' }, icon(iconOf(verticales))),
      make('span', { className: 'name' }, name),
      make('span', { className: 'distance' }, describeDistance(store.distance)),
      make('span', { className: 'rents' }, describeVerticales(verticales, 3)),
      ratingWords(rating),
      make(
        'span',
        { className: 'where' },
        make('span', {}, city ?? 'Address not shown'),
        make('span', { className: 'opening' }),
      ),
      changeBadge(store),
    );
    button.dataset.id = id;
    button.addEventListener('click', () => this.events.onChoose(store));
    for (const event of ['pointerenter', 'focus'] as const) {
      button.addEventListener(event, () => this.events.onHover(store));
    }
    for (const event of ['pointerleave', 'blur'] as const) {
      button.addEventListener(event, () => this.events.onHover(null));
    }
    return make('li', {}, button);
  }
}

export function openingWords({ isOpen, next }: Opening): Node[] {
  const [kind, word] = isOpen ? ['open', 'Open'] : ['closed', 'Closed'];
  const rest = next === '' ? '' : `${isOpen ? ' ' : ', '}${next}`;
  return [make('span', { className: kind }, word), document.createTextNode(rest)];
}

export function ratingWords(rating: number | null): HTMLElement | null {
  if (rating === null) return null;
  const words = make('span', { className: 'unseen' }, ' of 5 stars');
  return make('span', { className: 'rating' }, icon('star'), rating.toFixed(1), words);
}

export function changeBadge({ change }: FoundStore): HTMLElement | null {
  if (change === null || change === 'unchanged') return null;
  return make('span', { className: `badge change-${change}` }, change);
}
