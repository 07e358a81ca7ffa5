/**
 * What the converters of this folder share. The same shop gets the same from it at each export: what is made
 * anew (random ids, numbers of rows, the present time) would make every store change.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import OpeningHours from 'opening_hours';

/** The text of the file that the command line names. */
export function readInput() {
  const [, , file = ''] = process.argv;
  try {
    // Fails where it is not UTF-8: letters such as "é" would become others.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const isOther = error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    const advice = 'it is not UTF-8: save it as "CSV UTF-8" in Excel, or convert it with';
    const reason = isOther ? `${advice} iconv -f WINDOWS-1252 -t UTF-8` : error.message;
    return fail(`cannot read "${file}": ${reason}`);
  }
}

export function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}

/** The key of the record at hand, so that remarks name records as their owner does. */
let ownKey = null;

/** The id of a store: 24 digits of a hash of the key that its owner has for it. A key of that form stays. */
export function idOf(key) {
  if (key === undefined || key === null || key === '') throw new Error('it has no key');
  ownKey = key;
  return /^[0-9a-f]{24}$/i.test(key) ? key : hash('sha256', String(key)).slice(0, 24);
}

/** Letters that no accent makes of others; names that have them get ASCII slugs, too. */
const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', þ: 'th' };

/** A slug such as `velos-du-port-3f2a9c`: digits of the id tell shops of one name apart, in whatever order. */
export function slugOf(name, id) {
  const plain = String(name).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[ßæœøłđðıþ]/g, (letter) => LETTERS[letter]).match(/[\p{L}\p{N}]+/gu);
  return [...(words ?? []), id.slice(0, 6)].join('-').normalize();
}

/** The `geo` of a store with one location. */
export function geoOf({
  id,
  name,
  street = '',
  postalCode = '',
  city = '',
  country = '',
  lat,
  lng,
}) {
  const region = { administrativeAreaLevel1: '', administrativeAreaLevel2: '' };
  const components = { streetNumber: '', street, postalCode, city, ...region, country };
  const address = [street, `${postalCode} ${city}`.trim(), country].filter(Boolean).join(', ');
  const texts = { id, name, slug: 'main', address, placeId: '' };
  const main = { ...texts, components, canonicalComponents: components, point: { lat, lng } };
  return { displayAddress: true, main, rentalPoints: [] };
}

/** A number of a table, with a point or a comma; where nothing stands it is null, never 0. */
export function numberOf(text) {
  if (!text) return null;
  const number = Number(text.replace(',', '.'));
  if (Number.isNaN(number)) throw new Error(`"${text}" is no number`);
  return number;
}

const DAY = 86_400_000;
/** A Monday of a week without holidays. Always the same week: rows would differ with the season. */
const MONDAY = Date.UTC(2026, 0, 12);
/** Texts of the record at hand that depend on the date or are vague. */
const inexact = new Set();
// The library goes by the clock of this process. Its hours have no zone: the store's is meant.
process.env.TZ = 'UTC';

/** The rows of opening hours that are written as in OpenStreetMap: `Mo-Sa 07:00-24:00`. */
export function openingRows(text) {
  if (!text) return undefined;
  const hours = readHours(text);
  if (!hours.isWeekStable()) inexact.add(text);
  return [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => {
    const from = new Date(MONDAY + weekday * DAY);
    // Cut at midnight, and 00:00 as an end is that midnight.
    return hours.getOpenIntervals(from, new Date(from.getTime() + DAY)).flatMap(openingRow(text));
  });
}

function readHours(text) {
  try {
    return new OpeningHours(text, null);
  } catch (message) {
    // Of the library's complaints the first: the others come of it.
    const [, complaint] = /<--- \((.*?)\)( .*<---|\s*$)/s.exec(message) ?? [];
    throw new Error(`"${text}" is none of OpenStreetMap's opening hours: ${complaint ?? message}`);
  }
}

function openingRow(text) {
  return ([start, end, isUnknown]) => {
    if (isUnknown) {
      inexact.add(text);
      return [];
    }
    const [from, to] = [start, end].map((time) => time.toISOString().slice(11, 16));
    const day = String(start.getUTCDay());
    return [{ id: `${day}-${from}`, day, from, to, open: true }];
  };
}

/** Prints a store a line. If some records cannot be converted it prints none, and says which and why. */
export function printStores(records, toStore) {
  const lines = [];
  const problems = [];
  const vague = [];
  for (const [index, record] of records.entries()) {
    inexact.clear();
    ownKey = null;
    try {
      const store = toStore(record);
      lines.push(`${JSON.stringify(store)}\n`);
      for (const text of inexact) vague.push(`${ownKey ?? store.id}: ${text}`);
    } catch (error) {
      const name = ownKey === null ? '' : ` (${ownKey})`;
      problems.push(`record ${index + 1}${name}: ${error.message ?? error}`);
    }
  }
  if (vague.length > 0) {
    const title = `Check ${vague.length} of the texts of opening hours: they depend on the date, or are vague.`;
    remark(title, vague);
    console.error('Of these a week of January was taken, without what is vague.');
  }
  if (problems.length === 0) return process.stdout.write(lines.join(''));
  remark(
    `Nothing was written: ${problems.length} of ${records.length} records are faulty.`,
    problems,
  );
  process.exitCode = 1;
}

function remark(title, all) {
  const more = all.length > 10 ? [`… and ${all.length - 10} more`] : [];
  console.error([title, ...all.slice(0, 10), ...more].join('\n  '));
}
