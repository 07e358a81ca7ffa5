/** `facets`, which keeps every store; the oracle counts them. */
import fc from 'fast-check';
import { FACETS, type Facet } from '../../../src/model/term-fields.ts';
import type { Asked, Samples } from './condition-case.ts';

export const FACETS_ASKED = {
  facets: {
    draw: () => fc.uniqueArray(fc.constantFrom(...FACETS), { minLength: 1 }),
    write: (facets) => ({ facets }),
  } satisfies Asked<readonly Facet[]>,
};

export const FACETS_SAMPLES: Samples = {
  pairs: () => ({ facets: ['facets=languages', 'facets=countries'] }),
  same: [['facets=languages,countries', 'facets=countries,languages']],
  tried: [['counts', 'Did you mean "facets"?']],
};
