/** The chosen store: fetched whole, and told in words beside the map.value. */

import { type ComponentChild, h, render } from 'preact';
import type { Store } from '../../../src/model/store.ts';
import { make, span } from '../../browser/make.ts';
import { OpeningWords, Rating } from './components/StoreRow.tsx';
import { find, icon } from './dom.ts';
import { map } from './map/drawn-map.ts';
import { act, request } from './model/current.ts';
import { describeFault } from './model/describe.ts';
import { type FoundStore, foundStore } from './model/found-store.ts';
import { iconOf } from './model/icon-paths.ts';
import { comingWeek, openingOf } from './model/opening-words.ts';
import { describeDistance, describeVerticales, LANGUAGE_NAMES, languageOf } from './model/words.ts';
import { latest } from './service/latest.ts';
import type { Service } from './service/service.ts';

const article = find('detail');
const loading = latest(0);

article.onkeydown = ({ key }) => {
  if (key === 'Escape') close();
};

/**
 * Shows a store, unless it is shown already.
 * @param known the store in the list, if it is there
 */
export function showStore(service: Service, id: string, known: FoundStore | null): void {
  const { rentalPointSlug } = known ?? {};
  const lang = languageOf(navigator.languages);
  const name = known?.name ?? 'Store';
  const begins = loading.begin(
    [id, rentalPointSlug].join(' '),
    async (signal) => {
      const { store, answer } = await service.get(id, { lang, rentalPointSlug }, signal);
      request.value = answer;
      const found = { ...foundStore(store), distance: known?.distance ?? null };
      showPlace(found);
      fill(...describe(store, found));
    },
    (error) => {
      const again = () => showStore(service, id, known);
      fill(
        heading(name),
        make('p', { role: 'alert' }, describeFault(error)),
        make('button', { className: 'main', onclick: again }, 'Try again'),
      );
    },
  );
  if (!begins) return;
  map.value?.showPin('selected', null);
  // What had the focus goes: the store takes it.
  article.hidden = true;
  fill(heading(name), make('p', { className: 'note' }, 'Loading …'));
  if (known) showPlace(known);
}

/** Forgets what was chosen, whether it is there, on its way or refused. Returns whether anything was. */
export function hideStore(): boolean {
  if (article.hidden) return false;
  loading.end();
  map.value?.showPin('selected', null);
  article.hidden = true;
  article.replaceChildren();
  return true;
}

function close(): void {
  act({ store: null });
}

function showPlace(pin: FoundStore): void {
  map.value?.showPin('selected', pin);
  if (pin.point && !map.value?.isSeen(pin.point)) map.value?.goTo(pin.point);
}

function fill(...content: readonly (Node | null)[]): void {
  const hasFocus = article.hidden || article.contains(document.activeElement);
  const back = { className: 'back', onclick: close };
  article.replaceChildren(
    make('button', back, icon('back'), 'All stores'),
    ...content.filter((node) => node !== null),
  );
  article.hidden = false;
  if (hasFocus) article.querySelector('h2')?.focus({ preventScroll: true });
}

const heading = (name: string): HTMLElement => make('h2', { tabIndex: -1 }, name);

function describe(store: Store, found: FoundStore): (Node | null)[] {
  const { geo, localization, pageUrl } = store;
  const page = { href: pageUrl, target: '_blank', rel: 'noopener noreferrer' };
  return [
    title(found),
    summary(store, found),
    make('p', {}, make('a', { ...page, className: 'main button' }, 'Visit page')),
    facts('', {
      Address: geo.location?.address || 'Not shown, as the store wishes',
      Distance: describeDistance(found.distance),
    }),
    ...description(store),
    make('h3', {}, 'Opening hours'),
    week(store),
    facts('small', {
      Speaks: localization.available.map((each) => LANGUAGE_NAMES[each]).join(', '),
      Slug: store.slug,
      Id: store.id,
    }),
  ];
}

function title({ name, verticales }: FoundStore): HTMLElement {
  const rents = make('p', { className: 'note' }, describeVerticales(verticales, 16));
  return make(
    'div',
    { className: 'title' },
    span('picture', icon(iconOf(verticales))),
    make('div', {}, heading(name), rents),
  );
}

/** Open or closed, and how it is rated. */
function summary(store: Store, found: FoundStore): HTMLElement {
  const opening = openingOf(store, new Date());
  return make(
    'p',
    { className: 'facts' },
    opening && drawn('opening', h(OpeningWords, { opening })),
    drawn('', h(Rating, { rating: found.rating })),
  );
}

function drawn(className: string, content: ComponentChild): HTMLElement {
  const host = span(className);
  render(content, host);
  return host;
}

/** What is known of a store, by its name; what is empty is left out. */
function facts(className: string, known: Readonly<Record<string, string>>): HTMLElement {
  const rows = Object.entries(known).filter(([, value]) => value !== '');
  return make(
    'dl',
    { className },
    ...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}

/** Three lines, which unfold. */
function description({ profile, localization }: Store): HTMLElement[] {
  if (profile.description.trim() === '') return [];
  const lang = localization.current;
  const text = make('p', { className: 'description', lang }, profile.description);
  const more = make('button', { className: 'link', ariaExpanded: 'false' });
  more.textContent = 'Read more';
  more.onclick = () => {
    const isUnfolded = text.classList.toggle('unfolded');
    more.textContent = isUnfolded ? 'Read less' : 'Read more';
    more.ariaExpanded = String(isUnfolded);
  };
  // Whether there is more shows once it is laid out.
  requestAnimationFrame(() => {
    more.hidden = text.scrollHeight <= text.clientHeight + 1;
  });
  return [text, more];
}

function week(store: Store): HTMLElement {
  const { timezone } = store.temporal;
  const days = comingWeek(store, new Date());
  const caption = days ? `Times in ${timezone}` : `This browser does not know ${timezone}`;
  const rows = (days ?? []).map(({ name, times }, index) =>
    make(
      'tr',
      { className: index === 0 ? 'today' : '' },
      make('th', { scope: 'row' }, index === 0 ? 'Today' : name),
      make('td', {}, times),
    ),
  );
  return make(
    'table',
    { className: 'week' },
    make('caption', {}, caption),
    make('tbody', {}, ...rows),
  );
}
