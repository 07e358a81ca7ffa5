/** The list of stores, some dozens of rows at a time: thousands would make the page slow. */
import { make, span } from '../../browser/make.ts';
import { find, icon } from './dom.ts';
import { map } from './map/drawn-map.ts';
import { act, state } from './model/current.ts';
import type { FoundStore, Rating } from './model/found-store.ts';
import { iconOf } from './model/icon-paths.ts';
import type { Opening } from './model/opening-words.ts';
import { count, describeDistance, describeVerticales } from './model/words.ts';
import { openingNow, wantHours } from './service/inquiry.ts';

/** Rows at first, and how many come when the last of them are in sight. */
const ROWS = 30;

/** Milliseconds after which what is open is worked out anew. */
const MINUTE = 60_000;

const list = find('list');
const more = find('more');
const scroller = find('scroller');

let listed: readonly FoundStore[] = [];
const rows = new Map<FoundStore, HTMLLIElement>();

new IntersectionObserver(
  (entries) => entries.some(({ isIntersecting }) => isIntersecting) && addRows(),
  { root: scroller, rootMargin: '300px' },
).observe(more);
more.onclick = () => {
  const first = list.children.length;
  addRows();
  list.children[first]?.querySelector('button')?.focus();
};
setInterval(tellOpenings, MINUTE);

export function showList(stores: readonly FoundStore[]): void {
  const isSameHead = stores[0] !== undefined && stores[0].id === listed[0]?.id;
  const shown = isSameHead ? Math.max(ROWS, list.children.length) : ROWS;
  listed = stores;
  if (!isSameHead) scroller.scrollTop = 0;
  draw(shown);
}

/** Marks the row of the chosen store. */
function markChosen(): void {
  for (const button of list.querySelectorAll('button')) {
    button.ariaPressed = String(button.dataset.id === state.value.store);
  }
}

export function rowOf(id: string | null): HTMLElement | null {
  return list.querySelector<HTMLElement>(`button[data-id="${id}"]`);
}

/** Marks the row of a store that the pointer is on elsewhere. */
export function markHovered(id: string | null): void {
  list.querySelector('.hovered')?.classList.remove('hovered');
  rowOf(id)?.classList.add('hovered');
}

/** Tells in each row whether its store is open, as far as that is known. */
function tellOpenings(): void {
  for (const [{ id }, row] of rows) {
    const opening = openingNow(id);
    if (opening) row.querySelector('.opening')?.replaceChildren(...openingWords(opening));
  }
}

function addRows(): void {
  if (!more.hidden) draw(list.children.length + ROWS);
}

/** Rows of stores that stay are the same elements, and so keep the focus. */
function draw(shown: number): void {
  const stores = listed.slice(0, shown);
  const drawn = stores.map((store) => rows.get(store) ?? row(store));
  rows.clear();
  stores.forEach((store, place) => {
    rows.set(store, drawn[place] as HTMLLIElement);
  });
  const { children } = list;
  const isLonger = [...children].every((child, place) => child === drawn[place]);
  if (isLonger) list.append(...drawn.slice(children.length));
  else {
    const focused = list.querySelector<HTMLElement>(':focus')?.dataset.id;
    list.replaceChildren(...drawn);
    if (focused) rowOf(focused)?.focus({ preventScroll: true });
  }
  more.hidden = listed.length <= drawn.length;
  markChosen();
  tellOpenings();
  wantHours(stores, tellOpenings);
}

function row(store: FoundStore): HTMLLIElement {
  const { id, name, verticales, city, distance, rating } = store;
  const light = () => map.value?.showPin('hovered', store);
  const unlight = () => map.value?.showPin('hovered', null);
  const on = { onpointerenter: light, onfocus: light, onpointerleave: unlight, onblur: unlight };
  const button = make(
    'button',
    { ...on, onclick: () => act({ store: id }) },
    span('picture', icon(iconOf(verticales))),
    span('name', name),
    span('distance', describeDistance(distance)),
    span('rents', describeVerticales(verticales, 3)),
    ratingWords(rating),
    span('where', city ?? 'Address not shown', span('opening')),
  );
  button.dataset.id = id;
  return make('li', {}, button);
}

export function openingWords({ isOpen, next }: Opening): (Node | string)[] {
  const [kind, word] = isOpen ? ['open', 'Open'] : ['closed', 'Closed'];
  const rest = next === '' ? '' : `${isOpen ? ' ' : ', '}${next}`;
  return [span(kind, word), rest];
}

export function ratingWords(rating: Rating | null): HTMLElement | null {
  if (rating === null) return null;
  const stars = rating.rating.toFixed(1);
  const votes = span('note', '(', count(rating.votes), span('unseen', ' reviews'), ')');
  return span('rating', icon('star'), stars, span('unseen', ' of 5 stars '), votes);
}
