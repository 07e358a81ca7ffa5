/** Random exports through the front door: all stores answer what the oracle says. */
import fc from 'fast-check';
import { it } from 'vitest';
import type { Utm } from '../../src/auth/token-record.ts';
import { randomStores } from '../support/stores/random-stores.ts';
import { storeAt } from '../support/stores/store-variants.ts';
import { compareAnswers, SEED } from './support/oracle-stage.ts';

/** Page URLs of the random stores have parameters of these names, and fragments. */
const ATTRIBUTIONS: readonly (Utm | null)[] = [
  null,
  { utm_source: 'trip & co', utm_campaign: 'x' },
  { utm_medium: 'é+%' },
];

const single = [storeAt(1, [48, 7], [48.1, 7])];
const sets = [[], single, ...fc.sample(randomStores, { seed: SEED, numRuns: 30 })];

it.each(sets.map((stores, index) => ({ index, count: stores.length, stores })))(
  'set $index, $count stores',
  ({ index, stores }) => compareAnswers(stores, 40, ATTRIBUTIONS[index % ATTRIBUTIONS.length]),
);
