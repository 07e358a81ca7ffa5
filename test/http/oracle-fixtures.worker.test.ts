/** The fixture stores through the front door: every request answers what the oracle says. */
import { reset } from 'cloudflare:test';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../src/model/store.ts';
import { answerList } from '../support/oracle/answer.ts';
import type { ListParams } from '../support/oracle/parameters.ts';
import { FIXTURE_STORES } from './support/fixture-stores.ts';
import { type OracleStage, openOracleStage } from './support/oracle-stage.ts';
import { getRequests, listRequests } from './support/random-requests.ts';

const LIST = '/v2/external/stores';
const SEED = 20261121;

let stage: OracleStage;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  stage = await openOracleStage(FIXTURE_STORES);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await reset();
});

async function list(query: string): Promise<{ total: number; docs: Store[] }> {
  const { status, body } = await stage.ask(`${LIST}?${query}`);
  expect(status, query).toBe(200);
  return body as { total: number; docs: Store[] };
}

describe('random requests over the fixtures', () => {
  it('answer lists as the oracle does', async () => {
    const property = fc.asyncProperty(listRequests(FIXTURE_STORES), stage.checkList);
    await fc.assert(property, { seed: SEED, numRuns: 3000 });
  });

  it('answer single stores as the oracle does', async () => {
    const property = fc.asyncProperty(getRequests(FIXTURE_STORES), stage.checkGet);
    await fc.assert(property, { seed: SEED, numRuns: 1000 });
  });
});

describe('paging through the fixtures', () => {
  const walks: [string, ListParams][] = [
    ['', {}],
    ['sort=name__desc&lang=es', { sort: ['name__desc'], lang: 'es' }],
    ['sort=externalRating__desc', { sort: ['externalRating__desc'] }],
    [
      'sort=localization.default,temporal.timezone',
      { sort: ['localization.default', 'temporal.timezone'] },
    ],
    [
      'position.latitude=48.8566&position.longitude=2.3522&position.radius=50',
      { position: { latitude: 48.8566, longitude: 2.3522, radius: 50 } },
    ],
  ];

  it.each(walks)('shows every store exactly once: %s', async (query, params) => {
    const expected = answerList(FIXTURE_STORES, { ...params, limit: Infinity, fields: ['id'] });
    for (const limit of [1, 7, 100]) {
      const seen: string[] = [];
      for (let skip = 0; skip <= expected.total; skip += limit) {
        const { total, docs } = await list(
          `${query}&fields=id&limit=${limit}&skip=${skip}`.replace(/^&/, ''),
        );
        expect(total).toBe(expected.total);
        seen.push(...docs.map(({ id }) => id));
      }
      expect(seen).toEqual(expected.docs.map((doc) => (doc as Store).id));
      expect(new Set(seen).size).toBe(expected.total);
    }
  });
});
