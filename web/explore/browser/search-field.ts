/**
 * The field of the search, with suggestions as one types: towns of the page's own list at once, stores
 * as soon as the service has answered. The pattern is ARIA's combobox with a list.
 */
import { make, span } from '../../browser/make.ts';
import { find, icon, tellFault } from './dom.ts';
import { act, lookAround, lookFor, state } from './model/current.ts';
import type { FoundStore } from './model/found-store.ts';
import type { IconName } from './model/icon-paths.ts';
import { FIRST_RADIUS } from './model/state.ts';
import { findTowns, type Town, townNamed } from './model/towns.ts';
import { suggestStores } from './service/inquiry.ts';

/** Towns that are suggested at once. */
const MOST_TOWNS = 4;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const input = find('search', HTMLInputElement);
const list = find('suggestions');
const clear = find('clear-search');

let suggestions: readonly HTMLElement[] = [];
/** The place of the one that the keyboard is on; -1: the field itself. */
let active = -1;
let isOpen = false;
/** The request for stores that is under way, or was answered last, and what for. */
let asking: Promise<readonly FoundStore[]> = Promise.resolve([]);
let asked = '';
let towns: Promise<string> | null = null;

input.onfocus = loadTowns;
input.oninput = suggest;
input.onkeydown = press;
input.onblur = close;
find('search-form', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault();
  void enter();
};
clear.onclick = () => {
  lookFor('');
  input.focus();
};
// A press on a suggestion leaves the focus in the field.
list.onpointerdown = (event) => event.preventDefault();

/** Shows what is searched. */
export function showSearch(): void {
  const { words, place } = state.value;
  input.value = words || (place ? (place.name ?? `${place.latitude}, ${place.longitude}`) : '');
  clear.hidden = input.value === '';
  tellFault('search', '');
  close();
}

const typed = (): string => input.value.trim();

/** Loads the list of towns, once. Without it stores are found all the same. */
async function loadTowns(): Promise<string> {
  const { towns: file = '' } = find('explore').dataset;
  towns ??= fetch(file).then((answer) => (answer.ok ? answer.text() : ''));
  return towns.catch(() => {
    towns = null;
    return '';
  });
}

async function suggest(): Promise<void> {
  const words = typed();
  clear.hidden = input.value === '';
  tellFault('search', '');
  if (words === '') {
    close();
    return;
  }
  isOpen = true;
  const isLatest = () => isOpen && words === typed();
  const stores = askForStores(words);
  const named = findTowns(await loadTowns(), words, MOST_TOWNS);
  if (isLatest()) draw(words, named, []);
  const found = await stores;
  if (isLatest()) draw(words, named, found);
}

/** One request at a time: a new key waits for the last answer, and the keys before it are passed over. */
function askForStores(words: string): Promise<readonly FoundStore[]> {
  if (words === asked) return asking;
  asked = words;
  asking = asking.then(() => (words === typed() ? suggestStores(words).catch(() => []) : []));
  return asking;
}

function draw(words: string, named: readonly Town[], stores: readonly FoundStore[]): void {
  const kept = suggestions[active]?.textContent;
  suggestions = [
    ...named.map((town) =>
      suggestion('town', town.name, COUNTRIES.of(town.country) ?? town.country, () =>
        goToTown(town),
      ),
    ),
    ...stores.map(({ id, name, city }) =>
      suggestion('store', name, city ?? 'Address not shown', () => act({ store: id })),
    ),
    suggestion('search', `All stores that match “${words}”`, '', () => lookFor(words)),
  ];
  active = suggestions.findIndex(({ textContent }) => textContent === kept);
  list.replaceChildren(...suggestions);
  list.hidden = false;
  input.ariaExpanded = 'true';
  mark();
}

function suggestion(kind: IconName, text: string, note: string, pick: () => void): HTMLElement {
  const properties = { role: 'option', onclick: pick };
  return make('li', properties, icon(kind), span('text', text), span('note', note));
}

function goToTown({ name, latitude, longitude }: Town): void {
  lookAround({ latitude, longitude, radius: FIRST_RADIUS, name });
}

function press(event: KeyboardEvent): void {
  const { key } = event;
  const chosen = suggestions[active];
  if (key === 'Escape' && isOpen) close();
  else if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (isOpen) move(key === 'ArrowDown' ? 1 : -1);
    else void suggest();
  } else if (key === 'Enter' && isOpen && chosen) chosen.click();
  else return;
  event.preventDefault();
}

/** From the field down the list and around. */
function move(step: number): void {
  const places = suggestions.length + 1;
  active = ((active + 1 + step + places) % places) - 1;
  mark();
}

function mark(): void {
  suggestions.forEach((option, place) => {
    option.id = `suggestion-${place}`;
    option.ariaSelected = String(place === active);
    if (place === active) option.scrollIntoView({ block: 'nearest' });
  });
  if (active < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `suggestion-${active}`);
}

/** What Enter means: the town of this name, else all stores that match, else the likeliest town. */
async function enter(): Promise<void> {
  const words = typed();
  if (words === '') {
    lookFor('');
    return;
  }
  const all = await loadTowns();
  const named = townNamed(all, words);
  const found = named ? [] : await askForStores(words);
  // Something else has been typed or picked meanwhile.
  if (words !== typed()) return;
  close();
  const town = named ?? findTowns(all, words, 1)[0];
  if (found.length > 0) lookFor(words);
  else if (town) goToTown(town);
  else tellFault('search', `No town or store is called “${words}”.`);
}

function close(): void {
  isOpen = false;
  active = -1;
  list.hidden = true;
  input.ariaExpanded = 'false';
  mark();
}
