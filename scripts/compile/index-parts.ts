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
type WrittenPart = Pick<Part, 'name'> & Partial<Part>;

/** Writes all index parts of a release, in the order of the manifest. */
export function indexParts(
  facts: readonly StoreFacts[],
  chunks: readonly ChunkRow[],
): Map<WrittenPart, Uint8Array<ArrayBuffer>> {
  const parts = new Map<WrittenPart, Uint8Array<ArrayBuffer>>([
    [CHUNKS_PART, writeChunkTable(chunks)],
    [IDS_PART, writeIdTable(column(facts, 'id'))],
    [SLUGS_PART, writeSlugTable(column(facts, 'slug'))],
    [{ name: COMPARED_NAME }, writeComparedStores(facts)],
    [FIGURES_PART, writeFigures(facts)],
    [HOURS_PART, writeSchedules(facts)],
    [DELIVERIES_PART, writeDeliveries(column(facts, 'delivery'))],
    [PLACES_PART, writePlaces(facts.flatMap(storePlaces))],
    [SETTINGS_PART, writeSettings(column(facts, 'settings'))],
  ]);
  for (const field of FACETS) {
    const words = column(facts, field);
    parts.set(setsPart(field), writeSets(field === 'countries' ? spellCountries(words) : words));
  }
  for (const field of WORD_FIELDS) {
    parts.set(wordsPart(field), writeWords(column(facts, field)));
  }
  for (const [part, ranks] of rankStores(facts)) parts.set(part, writeRanks(ranks));
  return parts;
}

/** Returns one of the facts of each store. */
function column<Fact extends keyof StoreFacts>(facts: readonly StoreFacts[], fact: Fact) {
  return facts.map((store) => store[fact]);
}

function writeSchedules(facts: readonly StoreFacts[]): Uint8Array<ArrayBuffer> {
  const zones = [...new Set(column(facts, 'timezone'))].sort();
  const schedules = facts.map(({ schedule, timezone }) => {
    return { ...schedule, zone: zones.indexOf(timezone) };
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
  const found = known.get(timezone);
  if (found) return found;
  const clock = clockOf(timezone);
  const first = HOURS_FROM - MARGIN;
  let last = clock.offsetAt(first);
  const changes = [first, last];
  for (let start = first; start < LAST; start += STEP) {
    const offset = clock.offsetAt(start + STEP);
    if (offset !== last) changes.push(clock.changeBetween(start, start + STEP), offset);
    last = offset;
  }
  known.set(timezone, changes);
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
  const spellings = Map.groupBy(stores.flat(), String);
  const shown = new Map<string, string>();
  for (const [spelling, { length }] of spellings) {
    const key = foldWords(spelling);
    const best = shown.get(key) ?? spelling;
    const more = length - (spellings.get(best)?.length ?? 0);
    if (more > 0 || (more === 0 && spelling <= best)) shown.set(key, spelling);
  }
  shown.delete('');
  return stores.map((countries) => countries.flatMap((each) => shown.get(foldWords(each)) ?? []));
}

/** Yields the rank columns with their parts, for stores in ordinal order. */
export function* rankStores(stores: readonly StoreFacts[]): Generator<[Part, Uint32Array]> {
  const names = column(stores, 'name');
  // Languages order names much alike: what one has sorted leaves the next one little to do.
  const order = [...names.keys()];
  for (const language of [null, ...LANGUAGES]) {
    // The collation of English is the root collation. Intl does not know 'und', the name for the
    // root: it would take the machine's locale, and a release must be the same on every machine.
    const collation = language ?? 'en';
    const { compare } = new Intl.Collator(collation, { sensitivity: 'accent', numeric: true });
    yield [rankPart('name', language), sortAndRank(order, names, compare)];
  }
  // All others are texts, which go by code unit, and numbers.
  for (const field of new Set(Object.values(SORT_FIELDS))) {
    if (!isRanked(field) || field === 'name') continue;
    const values = column(stores, field);
    const present = [...values.keys()].filter((store) => values[store] !== null);
    const ranks = sortAndRank(present, values, (a, b) => (a < b ? -1 : Number(a > b)));
    yield [rankPart(field, null), ranks];
  }
}

/**
 * Sorts `stores`, which have values, by them and ranks them: from 1 without gaps. Equal values have one rank, stores
 * without a value 0.
 */
function sortAndRank<Value extends string | number>(
  stores: number[],
  values: readonly (Value | null)[],
  compare: (a: Value, b: Value) => number,
): Uint32Array {
  const at = (store: number) => values[store] as Value;
  stores.sort((a, b) => compare(at(a), at(b)));
  const ranks = new Uint32Array(values.length);
  let rank = 1;
  let [previous = 0] = stores;
  for (const store of stores) {
    if (compare(at(previous), at(store)) !== 0) rank++;
    ranks[store] = rank;
    previous = store;
  }
  return ranks;
}
