/** What the words in the search field may mean: degrees, what stores rent, countries, towns and stores. */
import { computed, signal } from '@preact/signals';
import type { Verticale } from '../../../src/model/enumerations.ts';
import { foldWords } from '../../../src/model/fold-text.ts';
import { find } from './dom.ts';
import { act, lookAround, lookFor } from './model/current.ts';
import type { FoundStore } from './model/found.ts';
import type { IconName } from './model/icon-paths.ts';
import { DEFAULT_RADIUS, type ExploreState, NO_FILTERS } from './model/state.ts';
import { type Town, townMeant } from './model/towns.ts';
import { coordinatesIn, countryNamed, countryNames, wantedIn } from './model/wanted.ts';
import { languageOf, VERTICALE_NAMES } from './model/words.ts';
import { FileList } from './service/file-list.ts';
import { askForCountries, countries, suggestStores } from './service/inquiry.ts';
import { townsNamed } from './service/town-finder.ts';

/** Towns that are shown where Enter could not decide. */
const MAX_CHOICE = 20;

/** Milliseconds that Enter waits for stores of the name: after that it searches them, and the page says what is wrong. */
const MAX_WAIT = 2_000;

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

export const towns = new FileList(find('explore').dataset.towns ?? '');

export interface Suggestion {
  readonly kind: IconName;
  readonly text: string;
  readonly note: string;
  readonly pick: () => void;
}

/** What to choose from, where Enter could not decide. */
interface Choice {
  readonly prompt: string;
  readonly towns: readonly Suggestion[];
}

/** What stands in the field. */
export const text = signal('');

/** The same without the blanks around it: what is searched. */
export const typed = computed(() => text.value.trim());

/** Made when a country is first looked for: there are thousands. */
const names = computed(countryNames);

/** Looks for all stores that pass these filters alone, and shows them on the map. */
const lookEverywhere = (filters: Partial<ExploreState>): void =>
  lookFor('', { ...NO_FILTERS, ...filters, view: null });

/** What is typed means by itself: degrees, what stores rent, a country, and what to rent there. */
export const itself = computed((): readonly Suggestion[] => {
  const found: Suggestion[] = [];
  const point = coordinatesIn(typed.value, languageOf(navigator.languages));
  if (point) {
    const pick = () => lookAround({ ...point, radius: DEFAULT_RADIUS, name: null });
    found.push({ kind: 'near', text: typed.value, note: 'This point', pick });
  }
  const { kind, where } = wantedIn(typed.value);
  const verticales = kind ? [kind] : [];
  if (kind && where === '') {
    const pick = () => lookEverywhere({ verticales });
    found.push({ kind, text: VERTICALE_NAMES[kind], note: 'Everywhere', pick });
  }
  const country = countryNamed(where, countries.value, names.value);
  if (country) {
    const pick = () => lookEverywhere({ verticales, countries: [country] });
    const text = kind ? `${VERTICALE_NAMES[kind]} in ${country}` : country;
    found.push({ kind: kind ?? 'town', text, note: 'Country', pick });
  }
  return found;
});

/** Returns whether words name a country, with stores or without. */
export const isCountry = (words: string): boolean => names.value.has(foldWords(words));

const suggestStore = ({ id, name, city }: FoundStore): Suggestion => ({
  kind: 'store',
  text: name,
  note: city ?? 'Address not shown',
  pick: () => act({ store: id }),
});

/** Finds towns of this name, and of the name behind what is to rent. */
async function townsOf(words: string) {
  const { kind, where } = wantedIn(words);
  const [plain, rented] = await Promise.all([findTowns(words), findTowns(kind ? where : '')]);
  return { kind, where, plain, rented };
}

export async function suggestTowns(words: string): Promise<readonly Suggestion[]> {
  const { kind, plain, rented } = await townsOf(words);
  const ofKind = rented.map((town) => suggestTown(town, kind));
  return [...ofKind, ...plain.map((town) => suggestTown(town, null))];
}

/** Finds towns; none without their list: stores are found all the same. */
const findTowns = (words: string): Promise<Town[]> => townsNamed(towns, words).catch(() => []);

/** Makes the suggestion of a town. @param kind what is to rent there; null: anything */
function suggestTown(town: Town, kind: Verticale | null): Suggestion {
  const { name, usualName, region, country, latitude, longitude } = town;
  const note = [usualName, region, COUNTRIES.of(country)].filter(Boolean).join(', ');
  const filters = kind ? { verticales: [kind] } : {};
  const pick = () => lookAround({ latitude, longitude, radius: DEFAULT_RADIUS, name }, filters);
  const text = kind ? `${VERTICALE_NAMES[kind]} near ${name}` : name;
  return { kind: kind ?? 'town', text, note, pick };
}

/** The request for stores that is under way, or was answered last. */
let lastRequest = { words: '', stores: Promise.resolve<readonly Suggestion[]>([]) };

/**
 * Asks for stores, one request at a time: a new key waits for the last answer, and keys in between are skipped.
 * @throws what `Service.list` throws
 */
export function askForStores(words: string): Promise<readonly Suggestion[]> {
  if (words !== lastRequest.words) {
    const last = lastRequest.stores.catch(() => {});
    const found = last.then(() => (words === typed.value ? suggestStores(words) : []));
    lastRequest = { words, stores: found.then((stores) => stores.map(suggestStore)) };
  }
  return lastRequest.stores;
}

/**
 * Returns what Enter means: a town by its whole name, degrees, a kind, a country, else all stores that match.
 * Where towns have nearly this name, they are to be chosen from; null where nothing is called so.
 */
export async function meaningOf(words: string): Promise<(() => void) | Choice | null> {
  const { kind, where, plain, rented } = await townsOf(words);
  const town = townMeant(plain);
  if (town) return suggestTown(town, null).pick;
  const stores = await storesInTime(words);
  const rentedTown = townMeant(rented);
  const [meant] = itself.value;
  if (meant) return meant.pick;
  if (rentedTown) return suggestTown(rentedTown, kind).pick;
  if (plain.length > 0) return choiceOf(words, plain, null);
  if (stores?.length !== 0) return () => lookFor(words);
  if (rented.length > 0) return choiceOf(where, rented, kind);
  return null;
}

/** Returns stores of this name, and sees to it that all countries are known; null where that fails or takes long. */
function storesInTime(words: string): Promise<readonly Suggestion[] | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, MAX_WAIT, null));
  const answered = Promise.all([askForStores(words), askForCountries()]);
  return Promise.race([late, answered.then(([stores]) => stores).catch(() => null)]);
}

/** Makes the choice among towns. @param name what was typed for a town */
function choiceOf(name: string, found: readonly Town[], kind: Verticale | null): Choice {
  const prompt =
    found[0]?.fit === 0
      ? `Several towns are called “${name}”. Which one?`
      : `No town is called “${name}”. Which of these do you mean?`;
  const options = found.slice(0, MAX_CHOICE).map((town) => suggestTown(town, kind));
  return { prompt, towns: options };
}
