/**
 * The field of the search, with suggestions as one types: towns of the page's own list at once, stores
 * as soon as the service has answered. The pattern is ARIA's combobox with a list.
 */
import { find, icon, make, tellFault } from './dom.ts';
import type { FoundStore } from './found-store.ts';
import { findTowns, type Town, townNamed } from './towns.ts';

/** Towns that are suggested at once. */
const MOST_TOWNS = 4;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export interface SearchFieldEvents {
  readonly onTown: (town: Town) => void;
  readonly onStore: (id: string) => void;
  readonly onWords: (words: string) => void;
  readonly onClear: () => void;
  /** The stores that fit best. */
  readonly suggest: (words: string) => Promise<readonly FoundStore[]>;
}

interface Suggestion {
  readonly kind: 'town' | 'store' | 'search';
  readonly text: string;
  readonly note: string;
  readonly pick: () => void;
}

export class SearchField {
  private readonly input = find('search', HTMLInputElement);
  private readonly list = find('suggestions', HTMLUListElement);
  private readonly clear = find('clear-search', HTMLButtonElement);
  private readonly events: SearchFieldEvents;
  /** The address of the list of towns. */
  private readonly townFile: string;
  private towns: Promise<string> | null = null;
  private suggestions: readonly Suggestion[] = [];
  private active = -1;
  private isOpen = false;
  /** The request for stores that is under way, or was answered last, and what for. */
  private asking: Promise<readonly FoundStore[]> = Promise.resolve([]);
  private asked = '';

  constructor(townFile: string, events: SearchFieldEvents) {
    this.townFile = townFile;
    this.events = events;
    this.input.addEventListener('focus', () => void this.loadTowns());
    this.input.addEventListener('input', () => void this.suggest());
    this.input.addEventListener('keydown', (event) => this.press(event));
    this.input.addEventListener('blur', () => this.close());
    find('search-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      void this.enter();
    });
    this.clear.addEventListener('click', () => {
      this.show('');
      this.input.focus();
      events.onClear();
    });
    // A press on a suggestion leaves the focus in the field.
    this.list.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  /** Shows what is searched. */
  show(text: string): void {
    this.input.value = text;
    this.clear.hidden = text === '';
    this.tell('');
    this.close();
  }

  /** Says beside the field what is wrong. */
  tell(fault: string): void {
    tellFault('search', fault);
  }

  focus(): void {
    this.input.focus({ preventScroll: true });
  }

  /** Loads the list of towns, once. Without it stores are found all the same. */
  private async loadTowns(): Promise<string> {
    this.towns ??= fetch(this.townFile).then((answer) => (answer.ok ? answer.text() : ''));
    return this.towns.catch(() => {
      this.towns = null;
      return '';
    });
  }

  private async suggest(): Promise<void> {
    const words = this.input.value.trim();
    this.clear.hidden = this.input.value === '';
    this.tell('');
    if (words === '') {
      this.close();
      return;
    }
    this.isOpen = true;
    const isLatest = () => this.isOpen && words === this.input.value.trim();
    const stores = this.askForStores(words);
    const towns = findTowns(await this.loadTowns(), words, MOST_TOWNS);
    if (isLatest()) this.draw(words, towns, []);
    const found = await stores;
    if (isLatest()) this.draw(words, towns, found);
  }

  /** One request at a time: a new key waits for the last answer, and the keys before it are passed over. */
  private askForStores(words: string): Promise<readonly FoundStore[]> {
    if (words === this.asked) return this.asking;
    this.asked = words;
    this.asking = this.asking.then(() =>
      words === this.input.value.trim() ? this.events.suggest(words).catch(() => []) : [],
    );
    return this.asking;
  }

  private draw(words: string, towns: readonly Town[], stores: readonly FoundStore[]): void {
    const kept = this.suggestions[this.active];
    this.suggestions = [
      ...towns.map((town) => this.townSuggestion(town)),
      ...stores.map(
        ({ id, name, city }): Suggestion => ({
          kind: 'store',
          text: name,
          note: city ?? 'Address not shown',
          pick: () => this.events.onStore(id),
        }),
      ),
      {
        kind: 'search',
        text: `All stores that match “${words}”`,
        note: '',
        pick: () => this.events.onWords(words),
      },
    ];
    this.active = this.suggestions.findIndex(
      ({ kind, text, note }) => kind === kept?.kind && text === kept.text && note === kept.note,
    );
    const options = this.suggestions.map(({ kind, text, note }, place) =>
      make(
        'li',
        { role: 'option', id: `suggestion-${place}`, 'aria-selected': place === this.active },
        icon(kind),
        make('span', { className: 'text' }, text),
        make('span', { className: 'note' }, note),
      ),
    );
    options.forEach((option, place) => {
      option.addEventListener('click', () => this.pick(place));
    });
    this.list.replaceChildren(...options);
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.mark();
  }

  private townSuggestion(town: Town): Suggestion {
    const note = COUNTRIES.of(town.country) ?? town.country;
    return { kind: 'town', text: town.name, note, pick: () => this.events.onTown(town) };
  }

  private press(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Escape' && this.isOpen) {
      this.close();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!this.isOpen) void this.suggest();
      else this.move(key === 'ArrowDown' ? 1 : -1);
    } else if (key === 'Enter' && this.isOpen && this.active >= 0) {
      this.pick(this.active);
    } else return;
    event.preventDefault();
  }

  /** From the field down the list and around; -1 is the field itself. */
  private move(step: number): void {
    const places = this.suggestions.length + 1;
    this.active = ((this.active + 1 + step + places) % places) - 1;
    this.mark();
  }

  private mark(): void {
    [...this.list.children].forEach((option, place) => {
      option.setAttribute('aria-selected', String(place === this.active));
      if (place === this.active) option.scrollIntoView({ block: 'nearest' });
    });
    if (this.active < 0) this.input.removeAttribute('aria-activedescendant');
    else this.input.setAttribute('aria-activedescendant', `suggestion-${this.active}`);
  }

  private pick(place: number): void {
    const { pick } = this.suggestions[place] as Suggestion;
    this.close();
    pick();
  }

  /** What Enter means: the town of this name, else all stores that match, else the likeliest town. */
  private async enter(): Promise<void> {
    const words = this.input.value.trim();
    if (words === '') {
      this.events.onClear();
      return;
    }
    const towns = await this.loadTowns();
    const named = townNamed(towns, words);
    const found = named ? [] : await this.askForStores(words);
    // Something else has been typed or picked meanwhile.
    if (words !== this.input.value.trim()) return;
    this.close();
    const town = named ?? findTowns(towns, words, 1)[0];
    if (found.length > 0) this.events.onWords(words);
    else if (town) this.events.onTown(town);
    else this.tell(`No town or store is called “${words}”.`);
  }

  private close(): void {
    this.isOpen = false;
    this.active = -1;
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }
}
