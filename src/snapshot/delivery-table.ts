/**
 * The part `deliveries`: at which distances stores deliver, for how much, and to which towns they do not or
 * for another price. Stores that do not deliver, or hide their locations, have nothing here. Lists that
 * several stores have are written once. Of x texts, l lists with r ranges in all, k lists with t towns in
 * all, and n stores:
 *
 *     section  content
 *     0        texts      UTF-8: postal codes and names of towns, as they compare, ascending by code unit of
 *                         UTF-16; the first is empty
 *     1        textEnds   u32 × x, where each text ends in `texts`
 *     2        ranges     f64 × 3·r, of each: the least and the greatest distance in whole millimetres, the price
 *     3        rangeEnds  u32 × l, where each list ends, in ranges; the first is the empty list
 *     4        towns      u32 × 4·t, of each: twice the number, from 1, of the range of the list in which it has
 *                         a price of its own, 0 where it is excluded, plus 1 if its code has several towns; the
 *                         number of that price; the texts of its code and of its name
 *     5        townEnds   u32 × k, where each list ends, in towns
 *     6        prices     f64, the prices of towns, each once
 *     7        stores     numbers × 2·n, of each store: its ranges, its towns
 *
 * Towns that are excluded come first, the others in the order of the export.
 */
import { foldWords, wordsOf } from '../model/fold-text.ts';
import type { StoreDelivery } from '../model/modules.ts';
import {
  type ColumnFile,
  columnPart,
  concatenate,
  DistinctLists,
  endsOf,
  expectEqual,
  lowerBound,
  numberColumn,
  writeColumnFile,
} from './column-file.ts';
import { inMillimetres } from './place-table.ts';

export const DELIVERIES_PART = columnPart('deliveries', 8, readDeliveries);

export type DeliveryTable = ReturnType<typeof readDeliveries>;

const RANGE_NUMBERS = 3;
const TOWN_NUMBERS = 4;
/** Stands where the number of a range stands otherwise. */
const EXCLUDED = 0;

/** A town as it compares; a text that is not known is empty. */
export interface Town {
  /** Postal code. */
  readonly code: string;
  readonly name: string;
}

/** The delivery of a store, as the part has it. */
type PackedDelivery = ReturnType<typeof packDelivery>;

/** Returns how postal codes compare: folded, letters and digits alone. */
export function foldCode(code: string): string {
  return wordsOf(code).join('');
}

/** Packs the delivery of a store that delivers and shows its locations. */
export function packDelivery({ ranges, excludedCities }: StoreDelivery) {
  /**
   * Returns what the store does differently for towns.
   * @param range number, from 1, of the range of which `price` holds there; `EXCLUDED`: it is no price
   */
  const rules = (cities: StoreDelivery['excludedCities'], range: number, price: number) =>
    cities.map(({ zipCode, cityName, hasMultiplePostcodeLocalities: isShared }) => ({
      code: foldCode(zipCode),
      name: foldWords(cityName),
      isShared,
      range,
      price,
    }));
  const special = ranges.flatMap(({ specificPrices }, index) =>
    specificPrices.flatMap(({ cities, price }) => rules(cities, 1 + index, price)),
  );
  return {
    /** As in `ranges`. */
    ranges: ranges.flatMap(({ min, max, price }) => [
      inMillimetres(min),
      inMillimetres(max),
      price,
    ]),
    towns: [...rules(excludedCities, EXCLUDED, 0), ...special],
  };
}

/** Writes the part of the deliveries of stores, in ordinal order. */
export function writeDeliveries(
  deliveries: readonly (PackedDelivery | null)[],
): Uint8Array<ArrayBuffer> {
  const towns = deliveries.flatMap((delivery) => delivery?.towns ?? []);
  const texts = [...new Set(['', ...towns.flatMap(({ code, name }) => [code, name])])].sort();
  const numbers = new Map(texts.map((text, number) => [text, number]));
  const prices = [...new Set(towns.map(({ price }) => price))];
  const priceNumbers = new Map(prices.map((price, number) => [price, number]));
  const [rangeLists, townLists] = [new DistinctLists(), new DistinctLists()];
  rangeLists.number([]);
  const stores = deliveries.flatMap((delivery) => [
    rangeLists.number(delivery?.ranges ?? []),
    townLists.number(
      (delivery?.towns ?? []).flatMap(({ range, isShared, price, code, name }) => [
        2 * range + Number(isShared),
        priceNumbers.get(price) as number,
        numbers.get(code) as number,
        numbers.get(name) as number,
      ]),
    ),
  ]);
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  return writeColumnFile([
    concatenate(bytes),
    endsOf(bytes),
    Float64Array.from(rangeLists.all.flat()),
    endsOf(rangeLists.all).map((end) => end / RANGE_NUMBERS),
    Uint32Array.from(townLists.all.flat()),
    endsOf(townLists.all).map((end) => end / TOWN_NUMBERS),
    Float64Array.from(prices),
    numberColumn(stores, Math.max(rangeLists.all.length, townLists.all.length)),
  ]);
}

/** Reads the part in place, and checks its layout. @throws SnapshotFormatError */
function readDeliveries(file: ColumnFile, storeCount: number) {
  const texts = file.u8(0);
  const textEnds = file.u32(1);
  expectEqual('deliveries texts', texts.length, textEnds.at(-1) ?? 0);
  const rangeEnds = file.u32(3);
  const ranges = file.f64(2);
  expectEqual('deliveries ranges', ranges.length, RANGE_NUMBERS * (rangeEnds.at(-1) ?? 0));
  const townEnds = file.u32(5);
  const towns = file.u32(4, TOWN_NUMBERS * (townEnds.at(-1) ?? 0));
  const prices = file.f64(6);
  const lists = Math.max(rangeEnds.length, townEnds.length);
  const stores = file.numbers(7, 2 * storeCount, lists);
  const decoder = new TextDecoder();

  /** By list of ranges, the greatest distance of all; without a range nothing is near enough. */
  const reaches = Float64Array.from(rangeEnds, (end, list) => {
    let reach = -1;
    for (let range = rangeEnds[list - 1] ?? 0; range < end; range++) {
      reach = Math.max(reach, ranges[RANGE_NUMBERS * range + 1] as number);
    }
    return reach;
  });

  /** Returns the greatest distance in millimetres at which a store delivers; below 0: it does not. */
  function reachOf(store: number): number {
    return reaches[stores[2 * store] as number] as number;
  }

  /** Builds a function that returns the price of a store at a distance in millimetres; null: it does not deliver. */
  function pricesIn(town: Town): (store: number, millimetres: number) => number | null {
    const [code, name] = [textNumber(town.code), textNumber(town.name)];
    return (store, millimetres) => {
      const list = stores[2 * store] as number;
      const first = rangeEnds[list - 1] ?? 0;
      const end = rangeEnds[list] as number;
      for (let range = first; range < end; range++) {
        const offset = RANGE_NUMBERS * range;
        const isWithin =
          (ranges[offset] as number) <= millimetres &&
          millimetres <= (ranges[offset + 1] as number);
        if (!isWithin) continue;
        const rule = findRule(stores[2 * store + 1] as number, 1 + range - first, code, name);
        if (rule === null) return ranges[offset + 2] as number;
        if ((towns[rule] as number) >> 1 === EXCLUDED) return null;
        return prices[towns[rule + 1] as number] as number;
      }
      return null;
    };
  }

  /**
   * Returns the offset in `towns` of the first rule of a list that holds for a town.
   * @param range number of the range whose prices count
   */
  function findRule(list: number, range: number, code: number, name: number): number | null {
    const end = TOWN_NUMBERS * (townEnds[list] as number);
    for (let rule = TOWN_NUMBERS * (townEnds[list - 1] ?? 0); rule < end; rule += TOWN_NUMBERS) {
      const scope = (towns[rule] as number) >> 1;
      if (scope !== EXCLUDED && scope !== range) continue;
      const isShared = ((towns[rule] as number) & 1) === 1;
      const [itsCode, itsName] = [towns[rule + 2] as number, towns[rule + 3] as number];
      const isNamed = name !== 0 && itsName === name;
      // Codes decide where both are known.
      const isThere =
        code !== 0 && itsCode !== 0
          ? itsCode === code && (!isShared || name === 0 || isNamed)
          : isNamed;
      if (isThere) return rule;
    }
    return null;
  }

  /** Returns the number of a text. If the part lacks the text, it is a number that no text has. */
  function textNumber(text: string): number {
    const number = lowerBound(textEnds.length, (index) => textAt(index) < text);
    return textAt(number) === text ? number : textEnds.length;
  }

  function textAt(number: number): string {
    return decoder.decode(texts.subarray(textEnds[number - 1] ?? 0, textEnds[number]));
  }

  return { reachOf, pricesIn };
}
