/** `verticale.in`, `verticale.notIn`, `verticale.equals` and `verticale.notEquals`. */
import fc from 'fast-check';
import type { Verticale } from '../../../src/model/enumerations.ts';
import { verticale } from '../stores/random-values.ts';
import { type Asked, anyOf, FOUND, type Samples } from './condition-case.ts';

const has = (words: readonly Verticale[]) => (each: Verticale) => words.includes(each);

const some = (maxLength: number) => () => fc.array(verticale, { minLength: 1, maxLength });

const one = (name: string, isKept: (has: boolean) => boolean): Asked<Verticale> => ({
  draw: () => verticale,
  write: (word) => ({ [name]: word }),
  keep:
    (word) =>
    ({ profile }) =>
      isKept(profile.verticales.includes(word)) ? FOUND : null,
});

export const VERTICALE_ASKED = {
  verticaleIn: anyOf('verticale.in', some(5), (asked, { profile }) =>
    asked.some(has(profile.verticales)),
  ),
  verticaleNotIn: anyOf(
    'verticale.notIn',
    some(2),
    (asked, { profile }) => !asked.some(has(profile.verticales)),
  ),
  verticaleEquals: one('verticale.equals', (isOne) => isOne),
  verticaleNotEquals: one('verticale.notEquals', (isOne) => !isOne),
};

const NAMES = ['in', 'notIn', 'equals', 'notEquals'].map((each) => `verticale.${each}`);

export const VERTICALE_SAMPLES: Samples = {
  same: [
    ['verticale.in=CAR,BIKE&verticale.notIn=SKI', 'verticale.notIn=SKI&verticale.in[]=BIKE,CAR'],
    ['verticale.notIn=SKI', 'verticale.notEquals=SKI'],
  ],
  refused: NAMES.map((name) => [`${name}=bike`, `unknown_value ${name}`]),
};
