/** `facets`: how many of the stores that match have each verticale, language and so on. */
import type { LoadedRelease } from '../../load/loaded-release.ts';
import { LANGUAGES, VERTICALES } from '../../model/enumerations.ts';
import { FACETS, type Facet } from '../../model/term-fields.ts';
import { many, word } from '../../parameters/parameter.ts';
import { termsPart, VERTICALES_PART } from '../../snapshot/manifest.ts';
import type { MaskColumn } from '../../snapshot/store-columns.ts';
import type { Condition, Count, Declaration } from './condition.ts';

/** The words of a facet that stores have, with the number of these stores. */
type WordCounts = readonly (readonly [word: string, stores: number])[];

const FACETS_PARAMETER = many(
  {
    name: 'facets',
    description:
      'Adds `facets` to the answer: for each facet that is named, how many of the stores that match have each of its values. Languages are those in `localization.available`, countries those of main locations that are shown. Each facet ignores the `in` and `equals` filters on what it counts: with `verticale.in=BIKE` you still learn how many stores rent skis, so one request has the numbers for every box of a filter.',
    example: 'verticales,countries',
    usualNames: ['facet', 'counts', 'aggregations', 'aggs'],
  },
  word(FACETS),
);

export const FACET_COUNTS: Declaration<readonly [typeof FACETS_PARAMETER]> = {
  parameters: [FACETS_PARAMETER],
  member: {
    name: 'facets',
    schema: {
      type: 'object',
      description:
        'For each facet that was asked for: how many of all stores that match have each value. Values that no store has are left out.',
      additionalProperties: false,
      properties: Object.fromEntries(
        FACETS.map((facet) => [
          facet,
          {
            type: 'object',
            description: 'How many stores have each value.',
            additionalProperties: { type: 'integer', minimum: 1, description: 'Number of stores.' },
          },
        ]),
      ),
    },
  },
  decide({ facets: asked }) {
    if (asked === undefined) return null;
    const facets = FACETS.filter((each) => asked.includes(each));
    return {
      kind: 'count',
      name: 'facets',
      text: `facets=${facets}`,
      parts: facets.map((facet) => (facet === 'verticales' ? VERTICALES_PART : termsPart(facet))),
      count: (release, conditions, passing) => countFacets(release, facets, conditions, passing),
    };
  },
};

/**
 * A facet leaves aside the `in` and `equals` on what it counts, so that one request has all numbers of a
 * filter with several boxes ticked.
 */
function countFacets(
  release: LoadedRelease,
  facets: readonly Facet[],
  conditions: readonly Condition[],
  passing: Parameters<Count['count']>[2],
): string {
  const sets = new Map<string, Uint32Array>();
  const members = facets.map((facet) => {
    const held = conditions.flatMap((each) => withoutOwn(each, facet));
    const name = held.map(({ text }) => text).join(' ');
    const stores = sets.get(name) ?? passing(held);
    sets.set(name, stores);
    const counts =
      facet === 'verticales'
        ? countMasks(release.verticales, stores)
        : countTerms(release, facet, stores);
    return [facet, objectText(counts)] as const;
  });
  return objectText(members);
}

/** Written by hand: an object would put words that look like numbers first. */
function objectText(members: readonly (readonly [name: string, text: string | number])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`;
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
