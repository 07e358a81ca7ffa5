/** The filters: chips and menus of boxes, each with the number of stores that it would leave. */
import type { Language, Verticale } from '../../../src/model/enumerations.ts';
import { make, span } from '../../browser/make.ts';
import { find, icon } from './dom.ts';
import { act, state } from './model/current.ts';
import { hasFilters, NO_FILTERS } from './model/state.ts';
import { count, LANGUAGE_NAMES, LANGUAGES, VERTICALE_NAMES, VERTICALES } from './model/words.ts';
import type { Facets } from './service/inquiry.ts';

/** Kinds of things to rent that are shown before the user asks for all. */
const FEW = 4;

type Group = 'verticales' | 'languages' | 'countries';

/** What a box says, and the picture of those that are chips. */
const WORDS: Readonly<Record<Group, (value: string) => { name: string; picture?: Node }>> = {
  verticales: (value) => ({
    name: VERTICALE_NAMES[value as Verticale],
    picture: icon(value as Verticale),
  }),
  languages: (value) => ({ name: LANGUAGE_NAMES[value as Language] }),
  countries: (name) => ({ name }),
};

/** By the value of each; null where the number is not known. */
type Numbers = ReadonlyMap<string, number | null>;

const filters = find('filters');
const open = find('open-now', HTMLInputElement);
const more = find('more-verticales');
const clear = find('clear-filters');

/** By their groups and values. */
const boxes = new Map<string, HTMLLabelElement>();

let facets: Facets | null = null;
let showsAll = false;

open.onchange = () => act({ isOpenNow: open.checked });
clear.onclick = () => act(NO_FILTERS);
more.onclick = () => {
  showsAll = !showsAll;
  showFilters();
};

/** @param counted null while other numbers are on their way */
export function showFacets(counted: Facets | null): void {
  filters.classList.toggle('stale', counted === null);
  facets = counted ?? facets;
  showFilters();
}

export function showFilters(): void {
  open.checked = state.value.isOpenNow;
  clear.hidden = !hasFilters(state.value);
  const kinds = numbers('verticales', VERTICALES);
  const shown = showsAll ? kinds : few(kinds, state.value.verticales);
  showBoxes('verticales', shown);
  more.hidden = kinds.size <= FEW;
  more.textContent = showsAll ? 'Fewer' : `${kinds.size - shown.size} more`;
  more.ariaExpanded = String(showsAll);
  showBoxes('languages', numbers('languages', LANGUAGES));
  showBoxes('countries', numbers('countries', Object.keys(facets?.countries ?? {})));
  const spoken = state.value.languages.map((each) => LANGUAGE_NAMES[each]);
  nameMenu('languages-button', 'Language', spoken);
  nameMenu('countries-button', 'Country', state.value.countries);
}

/** The numbers of those that some store has, and of what is ticked. */
function numbers(group: Group, all: readonly string[]): Numbers {
  const facet = facets?.[group];
  const ticked: readonly string[] = state.value[group];
  const shown = all.filter((value) => !facet || facet[value] || ticked.includes(value));
  const values = new Set([...shown, ...ticked]);
  return new Map([...values].map((value) => [value, facet ? (facet[value] ?? 0) : null]));
}

/** The most frequent ones and what is ticked, in their order. */
function few(all: Numbers, ticked: readonly string[]): Numbers {
  const frequent = [...all].sort(([, a], [, b]) => (b ?? 0) - (a ?? 0)).slice(0, FEW);
  const kept = new Set([...frequent.map(([value]) => value), ...ticked]);
  return new Map([...all].filter(([value]) => kept.has(value)));
}

/** A menu says on its button what is ticked in it. */
function nameMenu(id: string, name: string, [first, ...others]: readonly string[]): void {
  const button = find(id);
  button.textContent = first ? first + (others.length > 0 ? ` +${others.length}` : '') : name;
  button.classList.toggle('chosen', first !== undefined);
}

/** Boxes of which any number may be ticked. They stay the same elements, and so keep the focus. */
function showBoxes(group: Group, counts: Numbers): void {
  const ticked: readonly string[] = state.value[group];
  const labels = [...counts].map(([value, number]) => {
    const label = boxes.get(`${group} ${value}`) ?? makeBox(group, value);
    const [box, output] = [label.querySelector('input'), label.querySelector('.count')];
    if (box) box.checked = ticked.includes(value);
    if (output) output.textContent = number === null ? '' : count(number);
    return label;
  });
  const place = find(group);
  const { children } = place;
  const isSame =
    labels.length === children.length && labels.every((each, at) => each === children[at]);
  if (!isSame) place.replaceChildren(...labels);
}

function makeBox(group: Group, value: string): HTMLLabelElement {
  const { name, picture } = WORDS[group](value);
  const onchange = () => {
    const ticked = find(group).querySelectorAll<HTMLInputElement>(':checked');
    act({ [group]: [...ticked].map((box) => box.value) });
  };
  const label = make(
    'label',
    { className: picture ? 'chip' : '' },
    make('input', { type: 'checkbox', value, onchange }),
    picture ?? null,
    span('name', name),
    ' ',
    span('count'),
  );
  boxes.set(`${group} ${value}`, label);
  return label;
}
