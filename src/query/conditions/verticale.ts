/** `verticale.in`, `verticale.notIn`, `verticale.equals` and `verticale.notEquals`. */
import type * as z from 'zod';
import { VERTICALES, type Verticale } from '../../model/enumerations.ts';
import { setsPart } from '../../snapshot/set-table.ts';
import { arrayOf, type Declaration, parameter, word } from '../parameters.ts';
import type { StoreCondition } from '../queries.ts';

const VERTICALE_WORD = word(VERTICALES);

const shape = {
  'verticale.in': parameter(arrayOf(VERTICALE_WORD), {
    description:
      'Keeps the stores with at least one of these verticales (sectors of activity) in `profile.verticales`.',
    example: 'BIKE,ELECTRIC_BIKE',
    usualNames: ['category', 'categories', 'type'],
  }),
  'verticale.notIn': parameter(arrayOf(VERTICALE_WORD), {
    description:
      'Keeps the stores with none of these verticales. A store without any verticale is kept.',
    example: 'CAR,MOTORCYCLE',
  }),
  'verticale.equals': parameter(VERTICALE_WORD, {
    description: 'Keeps the stores with this verticale.',
    example: 'SKI',
  }),
  'verticale.notEquals': parameter(VERTICALE_WORD, {
    description: 'Keeps the stores without this verticale. A store without any verticale is kept.',
    example: 'BOAT',
  }),
};

export const VERTICALE: Declaration<typeof shape> = {
  shape,
  toCondition(asked: z.output<z.ZodObject<typeof shape>>) {
    const { 'verticale.equals': equals, 'verticale.notEquals': notEquals } = asked;
    const notIn = asked['verticale.notIn'] ?? [];
    const noneOf = notEquals ? [...notIn, notEquals] : notIn;
    const anyOf: (readonly Verticale[])[] = equals ? [[equals]] : [];
    if (asked['verticale.in']) anyOf.unshift(asked['verticale.in']);
    const conditions: StoreCondition[] = [];
    if (anyOf.length > 0) conditions.push({ ...conditionOf(anyOf, []), facet: 'verticales' });
    if (noneOf.length > 0) conditions.push(conditionOf([], noneOf));
    return conditions;
  },
};

const PART = setsPart('verticales');

/**
 * Builds the condition.
 * @param anyOf lists of verticales: stores have at least one of each list
 * @param noneOf verticales that stores do not have
 */
function conditionOf(
  anyOf: readonly (readonly Verticale[])[],
  noneOf: readonly Verticale[],
): StoreCondition {
  return {
    kind: 'stores',
    keeps: 'many',
    text: `verticales=${[...anyOf, noneOf].map(inOrder).join(';')}`,
    parts: [PART],
    open(release) {
      const passes = (words: readonly string[]) => {
        const hasOneOf = (some: readonly string[]) => some.some((each) => words.includes(each));
        return anyOf.every(hasOneOf) && !hasOneOf(noneOf);
      };
      return { test: release.table(PART).test(passes) };
    },
  };
}

/** Returns each word once, in the contract's order, so that equal conditions have equal texts. */
function inOrder(words: readonly Verticale[]): string {
  return VERTICALES.filter((each) => words.includes(each)).join();
}
