/** The filters: chips and menus of boxes, each with the number of stores that it would leave. */
import type { Language, Verticale } from '../../../src/model/enumerations.ts';
import { find, icon, make } from './dom.ts';
import type { Facets } from './facets.ts';
import { CHANGES, type Change, type ExploreState, hasFilters, NO_FILTERS } from './state.ts';
import { count, LANGUAGE_NAMES, LANGUAGES, VERTICALE_NAMES, VERTICALES } from './words.ts';

/** Kinds of things to rent that are shown before the user asks for all. */
const FEW = 4;

export class Filters {
  private readonly verticales: BoxGroup;
  private readonly languages: BoxGroup;
  private readonly countries: BoxGroup;
  private readonly changes: BoxGroup;
  private readonly open = find('open-now', HTMLInputElement);
  private readonly more = find('more-verticales', HTMLButtonElement);
  private facets: Facets | null = null;
  private state: ExploreState | null = null;
  private showsAll = false;

  constructor(onChange: (changed: Partial<ExploreState>) => void) {
    const tell = (name: keyof ExploreState) => (ticked: readonly string[]) =>
      onChange({ [name]: ticked });
    this.verticales = new BoxGroup('verticales', tell('verticales'), {
      nameOf: (value) => VERTICALE_NAMES[value as Verticale],
      pictureOf: (value) => icon(value as Verticale),
    });
    this.languages = new BoxGroup('languages', tell('languages'), {
      nameOf: (value) => LANGUAGE_NAMES[value as Language],
    });
    this.countries = new BoxGroup('countries', tell('countries'), { nameOf: (value) => value });
    this.changes = new BoxGroup('changes', tell('changes'), {
      nameOf: (value) => value.charAt(0).toUpperCase() + value.slice(1),
      pictureOf: (value) => make('span', { className: `dot change-${value}` }),
    });
    this.open.addEventListener('change', () => onChange({ isOpenNow: this.open.checked }));
    find('clear-filters', HTMLButtonElement).addEventListener('click', () => onChange(NO_FILTERS));
    this.more.addEventListener('click', () => {
      this.showsAll = !this.showsAll;
      this.draw();
    });
  }

  show(state: ExploreState): void {
    this.state = state;
    this.draw();
  }

  /** @param facets null while others are on their way */
  count(facets: Facets | null): void {
    find('filters', HTMLElement).classList.toggle('stale', facets === null);
    if (!facets) return;
    this.facets = facets;
    this.draw();
  }

  /** The numbers of two snapshots. */
  countChanges(numberOf: (change: Change) => number): void {
    const { state } = this;
    if (!state) return;
    this.changes.show(new Map(CHANGES.map((change) => [change, numberOf(change)])), state.changes);
  }

  private draw(): void {
    const { state, facets } = this;
    if (!state) return;
    const { verticales, languages, countries } = state;
    this.open.checked = state.isOpenNow;
    const kinds = numbers(VERTICALES, facets?.verticales, verticales);
    const shown = this.showsAll ? kinds : few(kinds, verticales);
    this.verticales.show(shown, verticales);
    this.more.hidden = kinds.size <= FEW;
    this.more.textContent = this.showsAll ? 'Fewer' : `${kinds.size - shown.size} more`;
    this.more.setAttribute('aria-expanded', String(this.showsAll));
    this.languages.show(numbers(LANGUAGES, facets?.languages, languages), languages);
    const named = Object.keys(facets?.countries ?? {});
    this.countries.show(numbers(named, facets?.countries, countries), countries);
    nameMenu(
      'languages-button',
      'Language',
      languages.map((each) => LANGUAGE_NAMES[each]),
    );
    nameMenu('countries-button', 'Country', countries);
    find('clear-filters', HTMLButtonElement).hidden = !hasFilters(state);
  }
}

type Numbers = ReadonlyMap<string, number | null>;

/** The numbers of those that some store has, and of what is ticked; null where they are not known. */
function numbers(
  all: readonly string[],
  facet: Readonly<Record<string, number>> | undefined,
  ticked: readonly string[],
): Numbers {
  const shown = facet ? all.filter((value) => facet[value] || ticked.includes(value)) : all;
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
function nameMenu(id: string, name: string, ticked: readonly string[]): void {
  const button = find(id, HTMLButtonElement);
  const [first] = ticked;
  button.textContent = first ? first + (ticked.length > 1 ? ` +${ticked.length - 1}` : '') : name;
  button.classList.toggle('chosen', first !== undefined);
}

interface BoxWords {
  readonly nameOf: (value: string) => string;
  readonly pictureOf?: (value: string) => Element;
}

/** Boxes of which any number may be ticked. They stay the same elements, and so keep the focus. */
class BoxGroup {
  private readonly group: HTMLElement;
  private readonly words: BoxWords;
  private readonly labels = new Map<string, HTMLLabelElement>();
  private readonly onChange: (ticked: readonly string[]) => void;

  constructor(id: string, onChange: (ticked: readonly string[]) => void, words: BoxWords) {
    this.group = find(id, HTMLElement);
    this.words = words;
    this.onChange = onChange;
  }

  show(counts: Numbers, ticked: readonly string[]): void {
    const labels = [...counts].map(([value, number]) => {
      const label = this.labels.get(value) ?? this.make(value);
      const [box, output] = [label.querySelector('input'), label.querySelector('.count')];
      if (box) box.checked = ticked.includes(value);
      if (output) output.textContent = number === null ? '' : count(number);
      return label;
    });
    const { children } = this.group;
    const isSame =
      labels.length === children.length && labels.every((each, place) => each === children[place]);
    if (!isSame) this.group.replaceChildren(...labels);
  }

  private make(value: string): HTMLLabelElement {
    const box = make('input', { type: 'checkbox', value });
    box.addEventListener('change', () => this.onChange(this.ticked()));
    const { nameOf, pictureOf } = this.words;
    const name = make('span', { className: 'name' }, nameOf(value));
    const picture = pictureOf?.(value) ?? null;
    const className = picture ? 'chip' : '';
    const label = make(
      'label',
      { className },
      box,
      picture,
      name,
      ' ',
      make('span', { className: 'count' }),
    );
    this.labels.set(value, label);
    return label;
  }

  private ticked(): string[] {
    return [...this.group.querySelectorAll('input')]
      .filter(({ checked }) => checked)
      .map(({ value }) => value);
  }
}
