/** `facets`: how many of the stores that match have each verticale, language and so on. */
import { FACETS, type Facet, LANGUAGES, VERTICALES } from '../../model/enumerations.ts';
import { setsPart } from '../../snapshot/set-table.ts';
import { arrayOf, type Declaration, parameter, word } from '../parameters.ts';

const shape = {
  facets: parameter(arrayOf(word(FACETS)), {
    description:
      'Adds `facets` to the answer: for each facet that is named, how many of the stores that match have each of its values. A facet ignores the filters `.in` and `.equals` on its own subject: with `verticale.in=BIKE` you still learn how many stores rent skis, so one request has the numbers for all checkboxes of a filter.',
    example: 'verticales,countries',
    usualNames: ['facet', 'counts', 'aggregations', 'aggs'],
  }),
};

export const FACET_COUNTS: Declaration<typeof shape> = {
  shape,
  toCondition({ facets: asked }) {
    const facets = FACETS.filter((each) => asked.includes(each));
    return {
      kind: 'count',
      name: 'facets',
      text: `facets=${facets}`,
      parts: facets.map(setsPart),
      count(release, passing) {
        const members = facets.map((facet) => {
          const counts = release.table(setsPart(facet)).count(passing(facet));
          const words = ORDERS[facet] ?? [...counts.keys()];
          const shown = words.flatMap((word) => {
            const count = counts.get(word) ?? 0;
            return count === 0 ? [] : [[word, count] as const];
          });
          return [facet, objectText(shown)] as const;
        });
        return objectText(members);
      },
    };
  },
};

/** Values in the order of the contract. Other facets have theirs by code unit. */
const ORDERS: Partial<Record<Facet, readonly string[]>> = {
  verticales: VERTICALES,
  languages: LANGUAGES,
};

/**
 * Returns an object as JSON. It is written by hand: `JSON.stringify` would put names that look like
 * numbers first.
 */
function objectText(members: readonly (readonly [name: string, text: string | number])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`;
}
