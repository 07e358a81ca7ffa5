/** How many of the stores that match a list have each verticale, each language, and each country. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import { LANGUAGES, VERTICALES } from '../model/enumerations.ts';
import type { Facet } from '../model/term-fields.ts';
import { termsPart, VERTICALES_PART } from '../snapshot/manifest.ts';
import type { MaskColumn } from '../snapshot/store-columns.ts';
import type { Condition } from './conditions/condition.ts';
import type { ListQuery } from './queries.ts';

/** The words of a facet that stores have, with the number of these stores. */
export type WordCounts = readonly (readonly [word: string, stores: number])[];

export type FacetCounts = readonly (readonly [Facet, WordCounts])[];

/** The index part that a facet is counted from. */
export const partOfFacet = (facet: Facet): string =>
  facet === 'verticales' ? VERTICALES_PART : termsPart(facet);

/**
 * Counts what a query asks for. A facet leaves aside the `in` and `equals` on what it counts, so that
 * one request has all numbers of a filter with several boxes ticked.
 * @param passing ordinals of the stores that pass conditions, each once
 */
export function countFacets(
  release: LoadedRelease,
  { facets, conditions }: ListQuery,
  passing: (conditions: readonly Condition[]) => Uint32Array,
): FacetCounts {
  const sets = new Map<string, Uint32Array>();
  return facets.map((facet) => {
    const held = conditions.flatMap((each) => withoutOwn(each, facet));
    const name = held.map(({ text }) => text).join(' ');
    const stores = sets.get(name) ?? passing(held);
    sets.set(name, stores);
    const counts =
      facet === 'verticales'
        ? countMasks(release.verticales, stores)
        : countTerms(release, facet, stores);
    return [facet, counts];
  });
}

function withoutOwn(condition: Condition, facet: Facet): Condition[] {
  const counted = condition.kind === 'stores' ? condition.counted : undefined;
  if (counted?.facet !== facet) return [condition];
  return counted.rest ? [counted.rest] : [];
}

function countMasks(masks: MaskColumn, stores: Uint32Array): WordCounts {
  const counts = new Uint32Array(VERTICALES.length);
  for (let place = 0; place < stores.length; place++) {
    for (let mask = masks[stores[place] as number] as number; mask !== 0; mask &= mask - 1) {
      const bit = 31 - Math.clz32(mask & -mask);
      counts[bit] = (counts[bit] as number) + 1;
    }
  }
  return named(VERTICALES, (_, bit) => counts[bit] as number);
}

function countTerms(
  release: LoadedRelease,
  facet: Exclude<Facet, 'verticales'>,
  stores: Uint32Array,
): WordCounts {
  const table = release.terms(termsPart(facet));
  const marks = new Uint8Array(release.storeCount);
  for (let place = 0; place < stores.length; place++) marks[stores[place] as number] = 1;
  const counts = new Map<string, number>();
  for (let number = 0; number < table.count; number++) {
    const having = table.stores(number);
    let count = 0;
    for (let index = 0; index < having.length; index++) {
      count += marks[having[index] as number] as number;
    }
    counts.set(table.word(number), count);
  }
  const words = facet === 'languages' ? LANGUAGES : [...counts.keys()];
  return named(words, (word) => counts.get(word) ?? 0);
}

/** Those that a store has, in the order of `words`. */
function named(
  words: readonly string[],
  countOf: (word: string, place: number) => number,
): WordCounts {
  return words
    .map((word, place) => [word, countOf(word, place)] as const)
    .filter(([, count]) => count > 0);
}
