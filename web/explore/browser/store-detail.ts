/** The chosen store: fetched whole, and told in words beside the map. */
import type { Language } from '../../../src/model/enumerations.ts';
import type { Store } from '../../../src/model/store.ts';
import { find, icon, make } from './dom.ts';
import type { FoundStore } from './found-store.ts';
import { iconOf } from './icon-paths.ts';
import type { Pin } from './map-data.ts';
import { comingWeek, openingOf } from './opening-words.ts';
import { storeQuery } from './question.ts';
import type { Answer, Service } from './service.ts';
import { changeBadge, openingWords, ratingWords } from './store-list.ts';
import { count, describeDistance, describeVerticales, LANGUAGE_NAMES } from './words.ts';

export interface StoreDetailEvents {
  readonly onAnswer: (answer: Answer) => void;
  /** Where the store is; null when no store is chosen. */
  readonly onPlace: (pin: Pin | null) => void;
  readonly onClose: () => void;
  readonly describeFault: (error: unknown) => string;
}

export class StoreDetail {
  private readonly article = find('detail', HTMLElement);
  private readonly events: StoreDetailEvents;
  private readonly lang: Language | null;
  private loading = new AbortController();
  /** What was asked for last; null when no store is chosen. */
  private asked: string | null = null;

  /** @param lang of its texts; null: its own */
  constructor(lang: Language | null, events: StoreDetailEvents) {
    this.lang = lang;
    this.events = events;
    this.article.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') events.onClose();
    });
  }

  /**
   * Shows a store, unless it is shown already.
   * @param known the store in the list, if it is there
   */
  show(service: Service, id: string, known: FoundStore | null): void {
    const query = storeQuery(this.lang, known?.rentalPointSlug ?? null);
    const asked = [service.base, id, query.rentalPointSlug].join(' ');
    if (this.asked === asked) return;
    this.hide();
    this.asked = asked;
    const { signal } = this.loading;
    this.fill([
      ...this.head(known?.name ?? 'Store'),
      make('p', { className: 'note' }, 'Loading …'),
    ]);
    if (known) this.events.onPlace(known);
    service.get(id, query, signal).then(
      ({ read, answer }) => {
        if (signal.aborted) return;
        this.events.onAnswer(answer);
        this.events.onPlace(pinOf(read, known));
        this.fill(this.describe(read, known));
      },
      (error: unknown) => {
        if (signal.aborted) return;
        this.asked = null;
        const again = make('button', { type: 'button', className: 'main' }, 'Try again');
        again.addEventListener('click', () => this.show(service, id, known));
        const fault = make('p', { role: 'alert' }, this.events.describeFault(error));
        this.fill([...this.head(known?.name ?? 'Store'), fault, again]);
      },
    );
  }

  /** Forgets what was chosen, whether it is there, on its way or refused. Returns whether anything was. */
  hide(): boolean {
    this.loading.abort();
    this.loading = new AbortController();
    const wasShown = this.asked !== null;
    if (wasShown) this.events.onPlace(null);
    this.asked = null;
    this.article.hidden = true;
    this.article.replaceChildren();
    return wasShown;
  }

  private head(name: string): HTMLElement[] {
    const back = make('button', { type: 'button', className: 'back' }, icon('back'), 'All stores');
    back.addEventListener('click', this.events.onClose);
    return [back, make('h2', { tabIndex: -1 }, name)];
  }

  private describe(store: Store, known: FoundStore | null): (Node | null)[] {
    const { profile, geo, reviews, localization, pageUrl } = store;
    const name = profile.name.trim() || store.slug;
    const rating = reviews.external;
    const [back, title] = this.head(name) as [HTMLElement, HTMLElement];
    const opening = openingOf(store, new Date());
    const page = { href: pageUrl, target: '_blank', rel: 'noopener noreferrer' };
    return [
      back,
      make(
        'div',
        { className: 'title' },
        make('span', { className: 'picture' }, icon(iconOf(profile.verticales))),
        make(
          'div',
          {},
          title,
          make('p', { className: 'note' }, describeVerticales(profile.verticales, 16)),
        ),
      ),
      make(
        'p',
        { className: 'facts' },
        opening && make('span', { className: 'opening' }, ...openingWords(opening)),
        ratingWords(rating?.rating ?? null),
        rating && make('span', { className: 'note' }, describeReviews(rating.total)),
        known && changeBadge(known),
      ),
      make('p', {}, make('a', { ...page, className: 'main button' }, 'Visit page')),
      make(
        'dl',
        {},
        ...row('Address', geo.location?.address || 'Not shown, as the store wishes'),
        ...row('Distance', known ? describeDistance(known.distance) : ''),
      ),
      ...this.description(store),
      ...hours(store),
      make(
        'dl',
        { className: 'small' },
        ...row('Speaks', localization.available.map((each) => LANGUAGE_NAMES[each]).join(', ')),
        ...row('Slug', store.slug),
        ...row('Id', store.id),
      ),
    ];
  }

  /** Three lines, which unfold. */
  private description({ profile, localization }: Store): HTMLElement[] {
    if (profile.description.trim() === '') return [];
    const text = make('p', { className: 'description', id: 'description' }, profile.description);
    text.lang = localization.current;
    const more = make('button', { type: 'button', className: 'link' }, 'Read more');
    more.setAttribute('aria-controls', 'description');
    more.setAttribute('aria-expanded', 'false');
    more.addEventListener('click', () => {
      const isUnfolded = text.classList.toggle('unfolded');
      more.textContent = isUnfolded ? 'Read less' : 'Read more';
      more.setAttribute('aria-expanded', String(isUnfolded));
    });
    // Whether there is more shows once it is laid out.
    requestAnimationFrame(() => {
      more.hidden = text.scrollHeight <= text.clientHeight + 1;
    });
    return [text, more];
  }

  private fill(content: readonly (Node | null)[]): void {
    // What had the focus is replaced, too.
    const hasFocus = this.article.hidden || this.article.contains(document.activeElement);
    this.article.replaceChildren(...content.filter((node) => node !== null));
    this.article.hidden = false;
    if (hasFocus) this.article.querySelector('h2')?.focus({ preventScroll: true });
  }
}

const describeReviews = (total: number): string =>
  `${count(total)} ${total === 1 ? 'review' : 'reviews'}`;

function pinOf({ geo, profile }: Store, known: FoundStore | null): Pin {
  const point = geo.location?.point ?? null;
  return { point, verticales: profile.verticales, change: known?.change ?? null };
}

function row(name: string, value: string): HTMLElement[] {
  return value === '' ? [] : [make('dt', {}, name), make('dd', {}, value)];
}

function hours(store: Store): HTMLElement[] {
  const { timezone } = store.temporal;
  const week = comingWeek(store, new Date());
  return [
    make('h3', {}, 'Opening hours'),
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
            make('th', { scope: 'row' }, index === 0 ? 'Today' : name),
            make('td', {}, times),
          ),
        ),
      ),
    ),
  ];
}
