/**
 * The field of the search, with suggestions as one types: what the words mean by themselves, stores and
 * towns each as soon as they are there. The pattern is ARIA's combobox with a list.
 */
import { computed, effect, signal } from '@preact/signals';
import { lookFor, searchArea, state } from '../model/current.ts';
import { latest } from '../model/latest.ts';
import {
  askForStores,
  isCountry,
  itself,
  meaningOf,
  type Suggestion,
  suggestTowns,
  text,
  towns,
  typed,
} from '../suggestions.ts';
import { Icon } from './Icon.tsx';
import { fault, NearMe } from './PlaceForm.tsx';

/** Towns that are suggested at once. */
const MAX_TOWNS = 5;

const { value: townsFound, begin: findTowns } = latest<readonly Suggestion[]>([]);
const { value: storesFound, begin: findStores } = latest<readonly Suggestion[]>([]);
const isOpen = signal(false);
/** The index of the suggestion that the keyboard is on; -1: the field itself. */
const active = signal(-1);
/** What to do about the suggestions, once Enter could not decide. */
const choice = signal('');

const suggestions = computed((): readonly Suggestion[] => {
  const words = typed.value;
  const all = `All stores that match “${words}”`;
  return [
    ...itself.value,
    ...townsFound.value,
    ...storesFound.value,
    { kind: 'search', text: all, note: '', pick: () => lookFor(words) },
  ];
});

/** The words of the search, as the field has them. */
const searched = computed(() => {
  const { words, place } = state.value;
  return words || (place ? (place.name ?? `${place.latitude}, ${place.longitude}`) : '');
});

// What is being typed stays, even if the state changes.
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

function suggest(): void {
  fault.value = '';
  close();
  const words = typed.value;
  if (words === '') return;
  isOpen.value = true;
  findStores(words, (show) => askForStores(words).then(show, () => show([])));
  findTowns(words, async (show) => show((await suggestTowns(words)).slice(0, MAX_TOWNS)));
}

/** Does what Enter means; where that is not clear, it shows the towns instead of guessing. */
async function enter(event: Event): Promise<void> {
  event.preventDefault();
  const words = typed.value;
  if (words === '') {
    searchArea();
    return;
  }
  const meaning = await meaningOf(words);
  // Something else has been typed or picked meanwhile.
  if (words !== typed.value) return;
  if (meaning === null) {
    close();
    fault.value = describeUnknown(words);
  } else if (typeof meaning === 'function') {
    choose(meaning);
  } else {
    townsFound.value = meaning.towns;
    isOpen.value = true;
    choice.value = meaning.prompt;
  }
}

function describeUnknown(words: string): string {
  if (isCountry(words)) return `There are no stores in ${words}.`;
  const hint = /\d/.test(words) ? ' Postcodes are known where a store is: type the town.' : '';
  return `No town, country or store is called “${words}”.${hint}`;
}

function press(event: KeyboardEvent): void {
  const { key } = event;
  const chosen = suggestions.value[active.value];
  if (key === 'Escape' && isOpen.value) close();
  else if (key === 'ArrowDown' || key === 'ArrowUp') {
    if (isOpen.value) move(key === 'ArrowDown' ? 1 : -1);
    else suggest();
  } else if (key === 'Enter' && isOpen.value && chosen) choose(chosen.pick);
  else return;
  event.preventDefault();
}

function choose(pick: () => void): void {
  pick();
  // It may be what is searched already.
  text.value = searched.value;
  close();
}

/** Moves from the field down the list and around. */
function move(step: number): void {
  const positions = suggestions.value.length + 1;
  active.value = ((active.value + 1 + step + positions) % positions) - 1;
  document.getElementById(`suggestion-${active.value}`)?.scrollIntoView({ block: 'nearest' });
}

const WHAT = 'Town, country or store';
const HINT = 'Town, country, store, postcode, “bikes in Milan” or “45.46, 9.19”';

export const SearchForm = () => (
  <form id="search-form" autocomplete="off" onSubmit={enter}>
    <div class="field">
      <Icon name="search" />
      <input
        id="search"
        role="combobox"
        aria-label={WHAT}
        placeholder={WHAT}
        title={HINT}
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
        // What every search for towns needs is on its way before the first letter is typed.
        onFocus={() => void towns.addresses().catch(() => {})}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          suggest();
        }}
        onKeyDown={press}
        onBlur={close}
      />
      {text.value !== '' && (
        <button
          type="button"
          id="clear-search"
          aria-label="Clear the search"
          onClick={() => {
            searchArea();
            document.getElementById('search')?.focus();
          }}
        >
          ×
        </button>
      )}
      <Suggestions />
    </div>
    <NearMe />
    <button type="button" id="advanced-button" popovertarget="advanced">
      Advanced
    </button>
    <p id="search-fault" class="fault" role="alert">
      {fault.value}
    </p>
  </form>
);

/** Lists the suggestions. A press on one leaves the focus in the field. */
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
            onClick={() => choose(suggestion.pick)}
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
