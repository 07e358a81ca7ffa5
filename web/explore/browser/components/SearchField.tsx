/**
 * The field of the search, with suggestions as one types: what the words mean by themselves, stores and
 * towns each as soon as they are there. The pattern is ARIA's combobox with a list.
 */
import { computed, effect, signal } from '@preact/signals';
import { foldWords } from '../../../../src/model/fold-text.ts';
import { act, facets, lookAround, lookFor, state } from '../model/current.ts';
import type { FoundStore } from '../model/found-store.ts';
import type { IconName } from '../model/icon-paths.ts';
import { FIRST_RADIUS, NO_FILTERS } from '../model/state.ts';
import { type Town, townMeant } from '../model/towns.ts';
import { coordinatesIn, countryNamed, kindAndTown, kindNamed } from '../model/wanted.ts';
import { VERTICALE_NAMES } from '../model/words.ts';
import { suggestStores } from '../service/inquiry.ts';
import { TownFinder } from '../service/town-finder.ts';
import { Icon } from './Icon.tsx';
import { NearMe, PlaceForm } from './PlaceForm.tsx';

/** Towns that are suggested at once. */
const MAX_TOWNS = 5;

/** Towns that are shown where Enter could not decide. */
const MAX_CHOICE = 20;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const towns = new TownFinder(document.getElementById('explore')?.dataset.towns ?? '');

interface Suggestion {
  readonly kind: IconName;
  readonly text: string;
  readonly note: string;
  readonly pick: () => void;
}

const text = signal('');
const townsFound = signal<readonly Suggestion[]>([]);
const storesFound = signal<readonly FoundStore[]>([]);
const isOpen = signal(false);
/** The index of the suggestion that the keyboard is on; -1: the field itself. */
const active = signal(-1);
/** What to do about the suggestions, once Enter could not decide. */
const choice = signal('');
const fault = signal('');

const suggestions = computed((): readonly Suggestion[] => {
  const typed = text.value.trim();
  return [
    ...itself(typed),
    ...townsFound.value,
    ...storesFound.value.map(
      ({ id, name, city }): Suggestion => ({
        kind: 'store',
        text: name,
        note: city ?? 'Address not shown',
        pick: () => act({ store: id }),
      }),
    ),
    {
      kind: 'search',
      text: `All stores that match “${typed}”`,
      note: '',
      pick: () => lookFor(typed),
    },
  ];
});

/** What is searched, as the field has it. */
const searched = computed(() => {
  const { words, place } = state.value;
  return words || (place ? (place.name ?? `${place.latitude}, ${place.longitude}`) : '');
});

// Whatever else changes, what is being typed stays.
effect(() => {
  text.value = searched.value;
  fault.value = '';
  close();
});

function close(): void {
  isOpen.value = false;
  active.value = -1;
  choice.value = '';
}

/** Returns what words mean by themselves: degrees, what stores rent, a country. */
function itself(typed: string): Suggestion[] {
  const found: Suggestion[] = [];
  const point = coordinatesIn(typed);
  if (point) {
    const note = 'This point';
    found.push({ kind: 'near', text: typed, note, pick: () => goTo(point, null) });
  }
  const kind = kindNamed(foldWords(typed));
  if (kind) {
    const pick = () =>
      act({ ...NO_FILTERS, verticales: [kind], words: '', place: null, order: null });
    found.push({ kind, text: VERTICALE_NAMES[kind], note: 'Everywhere', pick });
  }
  const country = countryNamed(typed, Object.keys(facets.value?.countries ?? {}));
  if (country) {
    const pick = () =>
      act({ ...NO_FILTERS, countries: [country], words: '', place: null, order: null });
    found.push({ kind: 'town', text: country, note: 'Country', pick });
  }
  return found;
}

function goTo(point: { latitude: number; longitude: number }, name: string | null): void {
  const { latitude, longitude } = point;
  lookAround({ latitude, longitude, radius: FIRST_RADIUS, name });
}

async function suggest(): Promise<void> {
  fault.value = '';
  choice.value = '';
  const typed = text.value.trim();
  if (typed === '') {
    close();
    return;
  }
  isOpen.value = true;
  active.value = -1;
  const isLatest = () => typed === text.value.trim();
  askForStores(typed).then((stores) => {
    if (isLatest()) storesFound.value = stores;
  });
  const options = await suggestTowns(typed);
  if (isLatest()) townsFound.value = options.slice(0, MAX_TOWNS);
}

/** Towns of this name, and of the name behind what is to rent. Without their list stores are found all the same. */
async function suggestTowns(typed: string): Promise<Suggestion[]> {
  const wanted = kindAndTown(typed);
  const [plain, rented] = await Promise.all([findTowns(typed), wanted && findTowns(wanted.town)]);
  const ofKind = (rented ?? []).map((town) => suggestTown(town, wanted));
  return [...ofKind, ...plain.map((town) => suggestTown(town, null))];
}

const findTowns = (typed: string): Promise<Town[]> => towns.find(typed).catch(() => []);

function suggestTown(town: Town, wanted: ReturnType<typeof kindAndTown>): Suggestion {
  const { name, usualName, region, country } = town;
  const where = [usualName, region, COUNTRIES.of(country)].filter(Boolean).join(', ');
  if (!wanted) return { kind: 'town', text: name, note: where, pick: () => goTo(town, name) };
  const { kind } = wanted;
  const pick = () => {
    const { latitude, longitude } = town;
    const place = { latitude, longitude, radius: FIRST_RADIUS, name };
    act({ place, verticales: [kind], words: '', store: null, order: null });
  };
  return { kind, text: `${VERTICALE_NAMES[kind]} near ${name}`, note: where, pick };
}

/** The request for stores that is under way, or was answered last, and what for. */
let asking: Promise<readonly FoundStore[]> = Promise.resolve([]);
let asked = '';

/** One request at a time: a new key waits for the last answer, and the keys before it are passed over. */
function askForStores(words: string): Promise<readonly FoundStore[]> {
  if (words === asked) return asking;
  asked = words;
  const isStillTyped = () => words === text.value.trim();
  asking = asking.then(() => (isStillTyped() ? suggestStores(words).catch(() => []) : []));
  return asking;
}

/**
 * Does what Enter means: a town by its whole name, degrees, a kind, a country, else all stores that match.
 * Where towns have nearly this name, it shows them instead of guessing.
 */
async function enter(): Promise<void> {
  const typed = text.value.trim();
  if (typed === '') {
    lookFor('');
    return;
  }
  const wanted = kindAndTown(typed);
  const [plain, rented, stores] = await Promise.all([
    findTowns(typed),
    wanted ? findTowns(wanted.town) : [],
    askForStores(typed),
  ]);
  // Something else has been typed or picked meanwhile.
  if (typed !== text.value.trim()) return;
  const town = townMeant(plain);
  const rentedTown = townMeant(rented);
  const [meant] = itself(typed);
  if (town) goTo(town, town.name);
  else if (meant) meant.pick();
  else if (rentedTown) suggestTown(rentedTown, wanted).pick();
  else if (plain.length > 0) offer(typed, plain, null, stores);
  else if (stores.length > 0) lookFor(typed);
  else if (wanted && rented.length > 0) offer(wanted.town, rented, wanted, stores);
  else fault.value = `No town, country or store is called “${typed}”.`;
}

/** Shows towns to choose from. @param name what was typed for a town @param wanted what is rented there */
function offer(
  name: string,
  found: readonly Town[],
  wanted: ReturnType<typeof kindAndTown>,
  stores: readonly FoundStore[],
): void {
  townsFound.value = found.slice(0, MAX_CHOICE).map((each) => suggestTown(each, wanted));
  storesFound.value = stores;
  isOpen.value = true;
  choice.value =
    found[0]?.fit === 0
      ? `Several towns are called “${name}”. Which one?`
      : `No town is called “${name}”. Which of these do you mean?`;
}

function press(event: KeyboardEvent): void {
  const { key } = event;
  const chosen = suggestions.value[active.value];
  if (key === 'Escape' && isOpen.value) close();
  else if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (isOpen.value) move(key === 'ArrowDown' ? 1 : -1);
    else void suggest();
  } else if (key === 'Enter' && isOpen.value && chosen) choose(chosen);
  else return;
  event.preventDefault();
}

function choose({ pick }: Suggestion): void {
  pick();
  // It may be what is searched already.
  text.value = searched.value;
  close();
}

/** From the field down the list and around. */
function move(step: number): void {
  const positions = suggestions.value.length + 1;
  active.value = ((active.value + 1 + step + positions) % positions) - 1;
  document.getElementById(`suggestion-${active.value}`)?.scrollIntoView({ block: 'nearest' });
}

function submit(event: Event): void {
  event.preventDefault();
  void enter();
}

const WHAT = 'Town, country or store';
const EXAMPLES = 'Town, country, store, postcode, “bikes in Milan” or “45.46, 9.19”';

export const Search = () => (
  <>
    <SearchForm />
    <PlaceForm />
  </>
);

const SearchForm = () => (
  <form id="search-form" autocomplete="off" onSubmit={submit}>
    <div class="field">
      <Icon name="search" />
      <input
        id="search"
        role="combobox"
        aria-label={WHAT}
        placeholder={WHAT}
        title={EXAMPLES}
        aria-autocomplete="list"
        aria-expanded={isOpen.value}
        aria-controls="suggestions"
        aria-describedby="search-fault"
        aria-invalid={fault.value !== '' || undefined}
        aria-activedescendant={active.value < 0 ? undefined : `suggestion-${active.value}`}
        maxLength={100}
        spellcheck={false}
        autocapitalize="off"
        enterkeyhint="search"
        dir="auto"
        value={text.value}
        onFocus={() => towns.prepare()}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          void suggest();
        }}
        onKeyDown={press}
        onBlur={close}
      />
      <button
        type="button"
        id="clear-search"
        aria-label="Clear the search"
        hidden={text.value === ''}
        onClick={() => {
          lookFor('');
          document.getElementById('search')?.focus();
        }}
      >
        ×
      </button>
      <Suggestions />
    </div>
    <NearMe
      onFault={(told) => {
        fault.value = told;
      }}
    />
    <button type="button" id="advanced-button" popovertarget="advanced">
      Advanced
    </button>
    <p id="search-fault" class="fault" role="alert">
      {fault.value}
    </p>
  </form>
);

/** A press on a suggestion leaves the focus in the field. */
const Suggestions = () => (
  <div class="suggestions" hidden={!isOpen.value} onPointerDown={(event) => event.preventDefault()}>
    <p role="status">{choice.value}</p>
    <div id="suggestions" role="listbox" aria-label="Suggestions">
      {isOpen.value &&
        suggestions.value.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={`${suggestion.kind} ${suggestion.text} ${suggestion.note}`}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === active.value}
            tabIndex={-1}
            onClick={() => choose(suggestion)}
          >
            <Icon name={suggestion.kind} />
            <span class="text" dir="auto">
              {suggestion.text}
            </span>
            <span class="note">{suggestion.note}</span>
          </div>
        ))}
    </div>
  </div>
);
