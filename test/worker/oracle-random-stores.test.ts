/** Random exports through the front door: awkward stores answer what the oracle says. */
import { reset } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, it, vi } from 'vitest';
import type { SourceStore } from '../../src/model/source-store.ts';
import { getRequests, listRequests } from '../shared/random-requests.ts';
import { randomStores } from '../shared/random-stores.ts';
import { buildLocation, buildStore } from '../shared/store-builder.ts';
import { storeAt } from '../shared/store-variants.ts';
import { openOracleStage } from './oracle-stage.ts';

const SEED = 20261121;
const LIST = '/v2/external/stores';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

/** Puts `requests` random requests of each kind to the service over `stores`. */
async function compare(stores: readonly SourceStore[], requests: number): Promise<void> {
  const stage = await openOracleStage(stores);
  const settings = { seed: SEED, numRuns: requests };
  await fc.assert(fc.asyncProperty(listRequests(stores), stage.checkList), settings);
  await fc.assert(fc.asyncProperty(getRequests(stores), stage.checkGet), settings);
  await stage.checkList({ params: {}, path: LIST });
}

describe('random stores', () => {
  const sets = fc.sample(randomStores, { seed: SEED, numRuns: 30 });

  it.each(sets.map((stores, index) => ({ index, count: stores.length, stores })))(
    'set $index, $count stores',
    { timeout: 60_000 },
    ({ stores }) => compare(stores, 40),
  );
});

describe('few and many', () => {
  it('answers over no store at all', () => compare([], 40));

  it('answers over a single store', () => compare([storeAt(1, [48, 7], [48.1, 7])], 40));

  it('tells 300 rental points of a store apart', { timeout: 60_000 }, async () => {
    const rentalPoints = Array.from({ length: 300 }, (_, index) =>
      buildLocation(`point-${index}`, 10 + (index % 20) / 64, 10 + index / 1024),
    );
    const main = buildLocation('main', 50, 10);
    const crowded = buildStore(1, { geo: { displayAddress: true, main, rentalPoints } });
    await compare([storeAt(2, [10, 10]), crowded, storeAt(3, [50, 10], [10, 10])], 150);
  });

  it('orders 500 stores of one name at one place by id', { timeout: 60_000 }, async () => {
    const stores = Array.from({ length: 500 }, (_, index) => {
      const store = storeAt((index * 263) % 500, [10, 10]);
      return { ...store, profile: { ...store.profile, name: index % 2 ? 'Same' : 'SAME' } };
    });
    await compare(stores, 40);
    const stage = await openOracleStage(stores);
    const sort = ['name'];
    const position = { latitude: 10, longitude: 10, radius: 0 };
    await stage.checkList({ params: { sort, skip: 200 }, path: `${LIST}?sort=name&skip=200` });
    await stage.checkList({
      params: { position, skip: 200 },
      path: `${LIST}?position.latitude=10&position.longitude=10&position.radius=0&skip=200`,
    });
  });
});
