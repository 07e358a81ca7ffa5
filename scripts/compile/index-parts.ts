/** The index parts of a release: columns over all stores, ranks by which they are sorted, and one spelling for each country. */
import { clockOf } from '../../client/src/zone-clock.ts';
import { DAY } from '../../src/hours/clock.ts';
import { FACETS, LANGUAGES } from '../../src/model/enumerations.ts';
import { foldWords } from '../../src/model/fold-text.ts';
import { isRanked, SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { CHUNKS_PART, type ChunkRow, writeChunkTable } from '../../src/snapshot/chunks.ts';
import type { Part } from '../../src/snapshot/column-file.ts';
import { writeComparedStores } from '../../src/snapshot/compared-stores.ts';
import { DELIVERIES_PART, writeDeliveries } from '../../src/snapshot/delivery-table.ts';
import {
  HORIZON,
  HOURS_FROM,
  HOURS_PART,
  HOURS_UNTIL,
  writeHours,
} from '../../src/snapshot/hours-table.ts';
import { IDS_PART, writeIdTable } from '../../src/snapshot/id-table.ts';
import { COMPARED_NAME } from '../../src/snapshot/manifest.ts';
import { PLACES_PART, type Place, writePlaces } from '../../src/snapshot/place-table.ts';
import { rankPart, writeRanks } from '../../src/snapshot/rank-column.ts';
import { setsPart, writeSets } from '../../src/snapshot/set-table.ts';
import { SETTINGS_PART, writeSettings } from '../../src/snapshot/settings-table.ts';
import { SLUGS_PART, writeSlugTable } from '../../src/snapshot/slug-table.ts';
import { WORD_FIELDS, wordsPart, writeWords } from '../../src/snapshot/word-table.ts';
import { FIGURES_PART, writeFigures } from './figures.ts';
import type { StoreFacts } from './store-facts.ts';

/** Without `read` where that takes more than the part: compared stores are read beside the ids. */
export type WrittenPart = Pick<Part, 'name'> & Partial<Part>;

/** Writes all index parts of a release, in the order of the manifest. */
export function indexParts(
  facts: readonly StoreFacts[],
  chunks: readonly ChunkRow[],
): Map<WrittenPart, Uint8Array<ArrayBuffer>> {
  const parts = new Map<WrittenPart, Uint8Array<ArrayBuffer>>([
    [CHUNKS_PART, writeChunkTable(chunks)],
    [IDS_PART, writeIdTable(facts.map(({ id }) => id))],
    [SLUGS_PART, writeSlugTable(facts.map(({ slug }) => slug))],
    [{ name: COMPARED_NAME }, writeComparedStores(facts)],
    [FIGURES_PART, writeFigures(facts)],
    [HOURS_PART, writeSchedules(facts)],
    [DELIVERIES_PART, writeDeliveries(facts.map(({ delivery }) => delivery))],
    [PLACES_PART, writePlaces(facts.flatMap(storePlaces))],
    [SETTINGS_PART, writeSettings(facts.map(({ settings }) => settings))],
  ]);
  for (const field of FACETS) {
    const words = facts.map((store) => store.words[field]);
    parts.set(setsPart(field), writeSets(field === 'countries' ? spellCountries(words) : words));
  }
  for (const field of WORD_FIELDS) {
    parts.set(wordsPart(field), writeWords(facts.map(({ words }) => words[field])));
  }
  for (const [part, ranks] of rankStores(facts)) parts.set(part, writeRanks(ranks));
  return parts;
}

function writeSchedules(facts: readonly StoreFacts[]): Uint8Array<ArrayBuffer> {
  const zones = [...new Set(facts.map(({ timezone }) => timezone))].sort();
  const numbers = new Map(zones.map((zone, number) => [zone, number]));
  const schedules = facts.map(({ schedule, timezone }) => {
    return { ...schedule, zone: numbers.get(timezone) as number };
  });
  return writeHours(schedules, zones.map(zoneChanges));
}

/** The rule of opening hours looks at the dates beside the date of an instant, too. */
const MARGIN = 4 * DAY;
const LAST = HOURS_UNTIL + HORIZON + MARGIN;

/** No zone keeps an offset for less than a week from 2000 on, so a step has one change at most. */
const STEP = 6 * DAY;

const known = new Map<string, readonly number[]>();

/**
 * Returns when clocks of a zone are put forward or back in the years that openAt and at take: instants and the offsets that begin then, in
 * turn, after the offset at the beginning. They come from the time zones of the runtime.
 */
export function zoneChanges(timezone: string): readonly number[] {
  const changes = known.get(timezone) ?? findChanges(timezone);
  known.set(timezone, changes);
  return changes;
}

function findChanges(timezone: string): readonly number[] {
  const clock = clockOf(timezone);
  const first = HOURS_FROM - MARGIN;
  let last = clock.offsetAt(first);
  const changes = [first, last];
  for (let start = first; start < LAST; start += STEP) {
    const offset = clock.offsetAt(start + STEP);
    if (offset !== last) changes.push(clock.changeBetween(start, start + STEP), offset);
    last = offset;
  }
  return changes;
}

function storePlaces({ coordinates }: StoreFacts, store: number): Place[] {
  return Array.from({ length: coordinates.length / 2 }, (_, locationIndex) => ({
    store,
    locationIndex,
    lat: coordinates[2 * locationIndex] as number,
    lng: coordinates[2 * locationIndex + 1] as number,
  }));
}

/**
 * Spells each country in one way, so that lists count `France` and `FRANCE` as one. Those that `country.in` holds for equal are spelled as most
 * stores spell them, of equally many spellings as the first by code unit. A country without letter
 * or digit is left out.
 */
function spellCountries(stores: readonly (readonly string[])[]): string[][] {
  const counts = new Map<string, number>();
  for (const country of stores.flat()) counts.set(country, (counts.get(country) ?? 0) + 1);
  // The order of code units holds among equally frequent ones: sorting is stable.
  const spellings = [...counts.keys()].sort();
  spellings.sort((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
  const equal = Map.groupBy(spellings, foldWords);
  equal.delete('');
  const shown = new Map(
    [...equal.values()].flatMap((group) => group.map((each) => [each, group[0] as string])),
  );
  return stores.map((countries) => countries.flatMap((country) => shown.get(country) ?? []));
}

/** What stores are ranked by, names aside: texts by code unit, and numbers. */
const RANKED = new Set(
  Object.values(SORT_FIELDS)
    .filter(isRanked)
    .filter((column) => column !== 'name'),
);

/** Returns the rank columns by their part, for stores in ordinal order. */
export function rankStores(stores: readonly StoreFacts[]): Map<Part, Uint32Array> {
  const ranks = rankNames(stores.map(({ name }) => name));
  for (const column of RANKED) {
    ranks.set(rankPart(column, null), rankValues(stores.map((store) => store[column])));
  }
  return ranks;
}

function rankNames(names: readonly string[]): Map<Part, Uint32Array> {
  const ranks = new Map<Part, Uint32Array>();
  // Languages order names much alike: what one has sorted leaves the next one little to do.
  const order = [...names.keys()];
  for (const language of [null, ...LANGUAGES]) {
    // The collation of English is the root collation. Intl does not know 'und', the name for the
    // root: it would take the machine's locale, and a release must be the same on every machine.
    const collation = language ?? 'en';
    const { compare } = new Intl.Collator(collation, { sensitivity: 'accent', numeric: true });
    ranks.set(rankPart('name', language), sortAndRank(order, names, compare));
  }
  return ranks;
}

/** Ranks from 1 without gaps. Equal values have one rank, null has rank 0. */
function rankValues(values: readonly (string | number | null)[]): Uint32Array {
  const present = [...values.keys()].filter((store) => values[store] !== null);
  return sortAndRank(present, values, (a, b) => (a < b ? -1 : Number(a > b)));
}

/** Sorts `stores`, which have values, by them and ranks them. */
function sortAndRank<Value extends string | number>(
  stores: number[],
  values: readonly (Value | null)[],
  compare: (a: Value, b: Value) => number,
): Uint32Array {
  const at = (store: number) => values[store] as Value;
  stores.sort((a, b) => compare(at(a), at(b)));
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  stores.forEach((store, position) => {
    const previous = stores[position - 1];
    if (previous === undefined || compare(at(previous), at(store)) !== 0) rank++;
    ranks[store] = rank;
  });
  return ranks;
}
