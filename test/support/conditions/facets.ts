/** `facets`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import { FACETS, type Facet } from '../../../src/model/facets.ts';
import type { Asked, Samples } from './condition-case.ts';
import { WORDS_OF } from './terms.ts';

/** The words that come first; the others follow by their letters. */
const FIRST: Readonly<Partial<Record<Facet, readonly string[]>>> = {
  verticales: VERTICALES,
  languages: LANGUAGES,
};

function countsOf(facet: Facet, stores: readonly SourceStore[]): object {
  const found = stores.map(WORDS_OF[facet]);
  const inOrder = new Set([...(FIRST[facet] ?? []), ...found.flat().sort()]);
  const counts = [...inOrder].map((word) => {
    return [word, found.filter((each) => each.includes(word)).length] as const;
  });
  return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

export const FACETS_ASKED = {
  facets: {
    draw: () => fc.uniqueArray(fc.constantFrom(...FACETS), { minLength: 1 }),
    write: (facets) => ({ facets }),
    member: (asked, matching) => ({
      facets: Object.fromEntries(
        FACETS.filter((facet) => asked.includes(facet)).map((facet) => [
          facet,
          countsOf(facet, matching(facet)),
        ]),
      ),
    }),
  } satisfies Asked<readonly Facet[]>,
};

export const FACETS_SAMPLES: Samples = {
  pairs: () => ({ facets: ['facets=languages', 'facets=countries'] }),
  same: [['facets=languages,countries', 'facets=countries,languages']],
  tried: [['counts', 'Did you mean "facets"?']],
};
