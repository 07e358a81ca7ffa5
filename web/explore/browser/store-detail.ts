/** One store in words: what it is, where, and when it is open. */
import { nextClosing, nextOpening } from '../../../client/src/index.ts';
import type { Store } from '../../../src/model/store.ts';
import { find, make } from './dom.ts';
import type { FoundStore } from './found-store.ts';
import { isOpenOrUnknown } from './opening-marks.ts';
import { changeBadge, describeDistance, openBadge } from './store-list.ts';
import { comingWeek } from './week.ts';

export class StoreDetail {
  private readonly article = find('detail', HTMLElement);
  private readonly onClose: () => void;

  constructor(onClose: () => void) {
    this.onClose = onClose;
    this.article.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') onClose();
    });
  }

  hide(): void {
    this.article.hidden = true;
    this.article.replaceChildren();
  }

  /** Says that a store is on its way, or why it does not come. */
  announce(known: FoundStore | null, text: string): void {
    this.fill([...this.head(known?.name ?? 'Store'), make('p', {}, text)]);
  }

  /** @param at the instant that opening hours are told for */
  show(store: Store, known: FoundStore | null, at: Date): void {
    const { profile, geo, reviews, localization, pageUrl } = store;
    const rating = reviews.external;
    this.fill([
      ...this.head(profile.name),
      known && changeBadge(known),
      make('p', { className: 'note' }, profile.verticales.map(words).join(', ')),
      make('p', { lang: localization.current }, profile.description),
      make(
        'dl',
        {},
        ...row('Address', geo.location?.address ?? 'not shown, as the store wishes'),
        ...row('Distance', known ? describeDistance(known) : ''),
        ...row('Rating', rating ? `${rating.rating} of 5, ${rating.total} reviews` : ''),
        ...row('Languages', localization.available.join(', ')),
        ...row('Slug', store.slug),
        ...row('Id', store.id),
      ),
      ...hours(store, at),
      make('p', {}, make('a', { href: pageUrl, rel: 'noreferrer' }, 'The page of the store')),
    ]);
  }

  private head(name: string): HTMLElement[] {
    const back = make('button', { type: 'button', className: 'back' }, '← All stores');
    back.addEventListener('click', this.onClose);
    return [back, make('h2', { tabIndex: -1 }, name)];
  }

  private fill(content: readonly (Node | null)[]): void {
    const nodes = content.filter((node) => node !== null);
    if (!this.article.hidden && isShownIn(this.article, nodes)) return;
    // What had the focus is replaced, too.
    const hasFocus = this.article.hidden || this.article.contains(document.activeElement);
    this.article.replaceChildren(...nodes);
    this.article.hidden = false;
    if (hasFocus) this.article.querySelector('h2')?.focus({ preventScroll: true });
  }
}

/** Whether all of it is there already, in the same words. */
function isShownIn(place: Element, nodes: readonly Node[]): boolean {
  const { childNodes } = place;
  return (
    childNodes.length === nodes.length &&
    nodes.every((node, index) => node.isEqualNode(childNodes[index] ?? null))
  );
}

function row(name: string, value: string): HTMLElement[] {
  return value === '' ? [] : [make('dt', {}, name), make('dd', {}, value)];
}

function hours(store: Store, at: Date): HTMLElement[] {
  const { timezone } = store.temporal;
  const isOpen = isOpenOrUnknown(store.temporal, at);
  const week = comingWeek(store.temporal, at);
  return [
    make('h3', {}, 'Opening hours ', openBadge(isOpen)),
    make('p', { className: 'note' }, isOpen === null ? '' : describeNext(store, at, isOpen)),
    make(
      'table',
      { className: 'week' },
      make('caption', {}, week ? `Times in ${timezone}` : `This browser does not know ${timezone}`),
      make(
        'tbody',
        {},
        ...(week ?? []).map(({ name, times }, index) =>
          make(
            'tr',
            { className: index === 0 ? 'today' : '' },
            make('th', { scope: 'row' }, name),
            make('td', {}, times),
          ),
        ),
      ),
    ),
  ];
}

/** When it opens or closes next, by the store's own clock. */
function describeNext(store: Store, at: Date, isOpen: boolean): string {
  const next = isOpen ? nextClosing(store, at) : nextOpening(store, at);
  if (!next) return isOpen ? 'Does not close within a year.' : 'Does not open within a year.';
  const isSoon = next.getTime() - at.getTime() < 6 * 24 * 3600_000;
  const time = new Intl.DateTimeFormat('en', {
    timeZone: store.temporal.timezone,
    ...(isSoon ? { weekday: 'long' } : { dateStyle: 'full' }),
    ...(isSoon ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { timeStyle: 'short' }),
  }).format(next);
  return `${isOpen ? 'Closes' : 'Opens'} ${time}.`;
}

const words = (verticale: string): string => verticale.toLowerCase().replaceAll('_', ' ');
