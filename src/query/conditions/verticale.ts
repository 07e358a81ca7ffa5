/** `verticale.in`, `verticale.notIn`, `verticale.equals` and `verticale.notEquals`: one condition. */
import { VERTICALES, verticaleMask } from '../../model/enumerations.ts';
import { many, one, word } from '../../parameters/parameter.ts';
import { VERTICALES_PART } from '../../snapshot/manifest.ts';
import type { Declaration } from './condition.ts';

const VERTICALE_WORD = word(VERTICALES);

const IN = many(
  {
    name: 'verticale.in',
    description: 'Keep the stores that have any of these verticales in `profile.verticales`.',
    example: 'BIKE,ELECTRIC_BIKE',
    usualNames: ['category', 'categories', 'type'],
  },
  VERTICALE_WORD,
);
const NOT_IN = many(
  {
    name: 'verticale.notIn',
    description:
      'Keep the stores that have none of these verticales, also those that have none at all.',
    example: 'CAR,MOTORCYCLE',
  },
  VERTICALE_WORD,
);
const EQUALS = one(
  {
    name: 'verticale.equals',
    description: 'Keep the stores that have this verticale.',
    example: 'SKI',
  },
  VERTICALE_WORD,
);
const NOT_EQUALS = one(
  {
    name: 'verticale.notEquals',
    description:
      'Keep the stores that do not have this verticale, also those that have none at all.',
    example: 'BOAT',
  },
  VERTICALE_WORD,
);

const parameters = [IN, NOT_IN, EQUALS, NOT_EQUALS] as const;

export const VERTICALE: Declaration<typeof parameters> = {
  parameters,
  decide(asked) {
    if (!parameters.some(({ name }) => name in asked)) return null;
    const { 'verticale.equals': equals, 'verticale.notEquals': notEquals } = asked;
    // Masks; all three must hold, 0 asks for nothing.
    const allOf = verticaleMask(equals ? [equals] : []);
    const anyOf = verticaleMask(asked['verticale.in'] ?? []);
    const noneOf = verticaleMask([
      ...(asked['verticale.notIn'] ?? []),
      ...(notEquals ? [notEquals] : []),
    ]);
    const passes = (mask: number) =>
      // Not by what both have: bitwise results are signed, masks are not.
      (allOf & ~mask) === 0 && (mask & noneOf) === 0 && (anyOf === 0 || (mask & anyOf) !== 0);
    return {
      kind: 'stores',
      text: `verticales=${allOf},${anyOf},${noneOf}`,
      parts: [VERTICALES_PART],
      isFew: false,
      stores({ verticales }) {
        const passing = new Uint32Array(verticales.length);
        let count = 0;
        for (let store = 0; store < verticales.length; store++) {
          if (passes(verticales[store] as number)) passing[count++] = store;
        }
        return passing.slice(0, count);
      },
      test({ verticales }) {
        return (store) => passes(verticales[store] as number);
      },
    };
  },
};
