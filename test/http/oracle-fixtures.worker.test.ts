/** The fixture stores through the front door: every request answers what the oracle says. */
import { reset } from 'cloudflare:test';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { answerList } from '../support/oracle/answer.ts';
import type { ListParams } from '../support/oracle/parameters.ts';
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
  it.each<[string, ListParams]>([
    ['sort=name__desc&lang=es', { sort: ['name__desc'], lang: 'es' }],
    ['sort=localization.default', { sort: ['localization.default'] }],
    [
      'position.latitude=48.8566&position.longitude=2.3522&position.radius=50',
      { position: { latitude: 48.8566, longitude: 2.3522, radius: 50 } },
    ],
  ])('shows every store exactly once: %s', async (query, params) => {
    const expected = answerList(FIXTURE_STORES, { ...params, limit: Infinity, fields: ['id'] });
    const seen: unknown[] = [];
    for (let skip = 0; skip <= expected.total; skip += 7) {
      const { body } = await stage.ask(`${LIST}?${query}&fields=id&limit=7&skip=${skip}`);
      seen.push(...(body as { docs: object[] }).docs);
    }
    expect(seen).toEqual(expected.docs);
  });
});
