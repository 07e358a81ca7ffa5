/** The fixtures, and stores that chance seldom makes, through the front door: all answer what the oracle says. */
import { expect, it } from 'vitest';
import { changed } from '../../fixtures/changed-store.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { storeAt } from '../support/stores/store-variants.ts';
import { LIST } from '../support/worker/harness.ts';
import { compareAnswers, openOracleStage } from './support/oracle-stage.ts';

it('answers over the fixtures', () => compareAnswers(FIXTURE_STORES, 1_200));

it('tells 300 rental points of a store apart', async () => {
  const points = Array.from({ length: 300 }, (_, index): [number, number] => [
    10 + (index % 20) / 64,
    10 + index / 1024,
  ]);
  const crowded = storeAt(1, [50, 10], ...points);
  await compareAnswers([storeAt(2, [10, 10]), crowded, storeAt(3, [50, 10], [10, 10])], 150);
});

it('takes 180 and -180 for one meridian, to the last bit', async () => {
  const stores = [storeAt(1, [5, -180]), storeAt(2, [5, 180]), storeAt(3, [5, -180], [5, 180])];
  const stage = await openOracleStage(stores);
  for (const longitude of [179.7760823, 179.9816105, -179.9816105, -179.793867, 180, -180]) {
    const position = { latitude: 5, longitude, radius: 50 };
    const query = `position.latitude=5&position.longitude=${longitude}&position.radius=50`;
    const { body } = await stage.ask(`${LIST}?${query}&fields=slug,rentalPointSlug`);
    const docs = [{ slug: 'store-1' }, { slug: 'store-2' }, { slug: 'store-3' }];
    expect(body, query).toEqual({ total: 3, docs });
    await stage.checkList({ params: { position }, path: `${LIST}?${query}` });
  }
});

it('has the edge of a circle at the millimetre', async () => {
  const stage = await openOracleStage([storeAt(1, [0.001, 0])]);
  // A thousandth of a degree of a meridian.
  const edge = Math.round((6371e6 * Math.PI) / 180_000) / 1e6;
  for (const radius of [edge + 0.4e-6, edge, edge - 0.4e-6, edge - 0.6e-6]) {
    const query = `position.latitude=0&position.longitude=0&position.radius=${radius}`;
    const position = { latitude: 0, longitude: 0, radius };
    await stage.checkList({ params: { position }, path: `${LIST}?${query}` });
  }
});

it('orders 500 stores of one name at one place by id', async () => {
  const stores = Array.from({ length: 500 }, (_, index) =>
    changed(storeAt((index * 263) % 500, [10, 10]), {
      'profile.name': index % 2 ? 'Same' : 'SAME',
    }),
  );
  await compareAnswers(stores, 80);
});
