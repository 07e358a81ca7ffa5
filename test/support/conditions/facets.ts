/** `facets`. */
import fc from 'fast-check';
import type { Facet } from '../../../client/src/query.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import { FACETS } from '../../../src/model/facets.ts';
import type { Asked, Samples } from './condition-case.ts';
import { countriesOf, languagesOf } from './terms.ts';

/**
 * What each facet counts, and what it leaves aside. The client writes the words of `Facet` by hand: they
 * are those of `FACETS`, or this does not compile.
 */
const COUNTED: Readonly<Record<(typeof FACETS)[number], Counted>> = {
  verticales: {
    wordsOf: ({ profile }) => profile.verticales,
    leftAside: ['verticaleIn', 'verticaleEquals'],
  },
  languages: { wordsOf: languagesOf, leftAside: ['languageIn'] },
  countries: { wordsOf: countriesOf, leftAside: ['countryIn'] },
};

interface Counted {
  wordsOf(store: SourceStore): readonly string[];
  readonly leftAside: readonly string[];
}

/** The words that come first; the others follow by their letters. */
const FIRST: Readonly<Partial<Record<Facet, readonly string[]>>> = {
  verticales: VERTICALES,
  languages: LANGUAGES,
};

function countsOf(facet: Facet, stores: readonly SourceStore[]): object {
  const found = stores.map(COUNTED[facet].wordsOf);
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
          countsOf(facet, matching(COUNTED[facet].leftAside)),
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
