/** `verticale.in`, `verticale.notIn`, `verticale.equals` and `verticale.notEquals`: one condition. */
import { VERTICALES, verticaleMask } from '../../model/enumerations.ts';
import { many, one, word } from '../../parameters/parameter.ts';
import { VERTICALES_PART } from '../../snapshot/manifest.ts';
import type { MaskColumn } from '../../snapshot/store-columns.ts';
import type { Declaration, StoreCondition } from './condition.ts';

const VERTICALE_WORD = word(VERTICALES);

const IN = many(
  {
    name: 'verticale.in',
    description:
      'Keeps the stores with at least one of these verticales (sectors of activity) in `profile.verticales`.',
    example: 'BIKE,ELECTRIC_BIKE',
    usualNames: ['category', 'categories', 'type'],
  },
  VERTICALE_WORD,
);
const NOT_IN = many(
  {
    name: 'verticale.notIn',
    description:
      'Keeps the stores with none of these verticales. A store without any verticale is kept.',
    example: 'CAR,MOTORCYCLE',
  },
  VERTICALE_WORD,
);
const EQUALS = one(
  {
    name: 'verticale.equals',
    description: 'Keeps the stores with this verticale.',
    example: 'SKI',
  },
  VERTICALE_WORD,
);
const NOT_EQUALS = one(
  {
    name: 'verticale.notEquals',
    description: 'Keeps the stores without this verticale. A store without any verticale is kept.',
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
    const notIn = asked['verticale.notIn'] ?? [];
    const masks: Masks = {
      allOf: verticaleMask(equals ? [equals] : []),
      anyOf: verticaleMask(asked['verticale.in'] ?? []),
      noneOf: verticaleMask(notEquals ? [...notIn, notEquals] : notIn),
    };
    const rest = masks.noneOf === 0 ? null : conditionOf({ ...masks, allOf: 0, anyOf: 0 });
    return { ...conditionOf(masks), counted: { facet: 'verticales', rest } };
  },
};

function conditionOf(masks: Masks): StoreCondition {
  return {
    kind: 'stores',
    text: `verticales=${masks.allOf},${masks.anyOf},${masks.noneOf}`,
    parts: [VERTICALES_PART],
    open: ({ verticales }) => ({
      stores: () => storesThatPass(masks, verticales),
      test: () => (store) => passes(masks, verticales[store] as number),
    }),
  };
}

/** All three must hold, 0 asks for nothing (see `verticaleMask`). */
interface Masks {
  readonly allOf: number;
  readonly anyOf: number;
  readonly noneOf: number;
}

function passes({ allOf, anyOf, noneOf }: Masks, verticales: number): boolean {
  return (
    // Not by what both have: bitwise results are signed, masks are not.
    (allOf & ~verticales) === 0 &&
    (verticales & noneOf) === 0 &&
    (anyOf === 0 || (verticales & anyOf) !== 0)
  );
}

/** A function of its own: within the condition the loop takes half as long again. */
function storesThatPass(masks: Masks, verticales: MaskColumn): Uint32Array {
  const passing = new Uint32Array(verticales.length);
  let count = 0;
  for (let store = 0; store < verticales.length; store++) {
    if (passes(masks, verticales[store] as number)) passing[count++] = store;
  }
  return passing.slice(0, count);
}
