/** `verticale.in`, `verticale.notIn`, `verticale.equals` and `verticale.notEquals`: one condition. */
import type { LoadedRelease } from '../../load/loaded-release.ts';
import { VERTICALES, verticaleMask } from '../../model/enumerations.ts';
import { wordParameter, wordsParameter } from '../../parameters/parameter.ts';
import { VERTICALES_PART } from '../../snapshot/manifest.ts';
import type { Declaration, StoreCondition } from './condition.ts';

const IN = wordsParameter(
  {
    name: 'verticale.in',
    description: 'Keep the stores that have any of these verticales in `profile.verticales`.',
    example: 'BIKE,ELECTRIC_BIKE',
    usualNames: ['category', 'categories', 'type'],
  },
  VERTICALES,
);
const NOT_IN = wordsParameter(
  {
    name: 'verticale.notIn',
    description:
      'Keep the stores that have none of these verticales, also those that have none at all.',
    example: 'CAR,MOTORCYCLE',
  },
  VERTICALES,
);
const EQUALS = wordParameter(
  {
    name: 'verticale.equals',
    description: 'Keep the stores that have this verticale.',
    example: 'SKI',
  },
  VERTICALES,
);
const NOT_EQUALS = wordParameter(
  {
    name: 'verticale.notEquals',
    description:
      'Keep the stores that do not have this verticale, also those that have none at all.',
    example: 'BOAT',
  },
  VERTICALES,
);

const parameters = [IN, NOT_IN, EQUALS, NOT_EQUALS] as const;

export const VERTICALE: Declaration<typeof parameters> = {
  parameters,
  decide(asked) {
    if (!parameters.some(({ name }) => name in asked)) return null;
    const { 'verticale.equals': equals, 'verticale.notEquals': notEquals } = asked;
    const noneOf = asked['verticale.notIn'] ?? [];
    return new VerticaleCondition(
      verticaleMask(equals ? [equals] : []),
      verticaleMask(asked['verticale.in'] ?? []),
      verticaleMask(notEquals ? [...noneOf, notEquals] : noneOf),
    );
  },
};

/** Masks (see `verticaleMask`); all three must hold, 0 asks for nothing. */
class VerticaleCondition implements StoreCondition {
  readonly kind = 'stores';
  readonly isFew = false;
  readonly parts = [VERTICALES_PART];
  readonly text: string;
  private readonly allOf: number;
  private readonly anyOf: number;
  private readonly noneOf: number;

  constructor(allOf: number, anyOf: number, noneOf: number) {
    this.allOf = allOf;
    this.anyOf = anyOf;
    this.noneOf = noneOf;
    this.text = `verticales=${allOf},${anyOf},${noneOf}`;
  }

  stores({ verticales }: LoadedRelease): Uint32Array {
    const { allOf, anyOf, noneOf } = this;
    const passing = new Uint32Array(verticales.length);
    let count = 0;
    for (let store = 0; store < verticales.length; store++) {
      if (passes(verticales[store] as number, allOf, anyOf, noneOf)) passing[count++] = store;
    }
    return passing.slice(0, count);
  }

  test({ verticales }: LoadedRelease) {
    const { allOf, anyOf, noneOf } = this;
    return (store: number) => passes(verticales[store] as number, allOf, anyOf, noneOf);
  }
}

/** Whether a store of these verticales passes. */
function passes(verticales: number, allOf: number, anyOf: number, noneOf: number): boolean {
  return (
    // Not by what both have: bitwise results are signed, masks are not.
    (allOf & ~verticales) === 0 &&
    (verticales & noneOf) === 0 &&
    (anyOf === 0 || (verticales & anyOf) !== 0)
  );
}
