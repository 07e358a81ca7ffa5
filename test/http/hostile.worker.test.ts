/** Thousands of requests that nobody sends by mistake: refused in good order, and at a bounded price. */
import { reset } from 'cloudflare:test';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { releaseName } from '../../src/snapshot/keys.ts';
import { decoded } from '../support/worker/decoded-text.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';
import { type HostileRequest, HostileRequests } from './hostile/hostile-requests.ts';
import type { Known } from './hostile/hostile-values.ts';
import { FIXTURE_STORES } from './support/fixture-stores.ts';
import { faultOf, MOST_WORK, send, WorkCounter } from './support/hostile-stage.ts';

const COUNT = inject('hostileRequests');

/** Requests of one test, each of which has draws of its own: a test ends within its time. */
const PART = 2_000;
const PARTS = Array.from({ length: Math.ceil(COUNT / PART) }, (_, index) => ({
  seed: index + 1,
  count: Math.min(PART, COUNT - index * PART),
}));

const STORES = FIXTURE_STORES.slice(0, 30);

/** Limiters that let everything through: what they do is tested elsewhere. */
const OPEN = { limit: async () => ({ success: true }) };

/** Status of the answers of all parts, with how many there were. */
const statuses = new Map<number, number>();
const most = { suggestions: 0, faults: 0, sortPasses: 0 };

let known: Known;
let env: Env;

beforeAll(async () => {
  const token = await issueToken();
  const stage = openStage({ RATE_LIMITER: OPEN, GUESS_LIMITER: OPEN });
  const first = await publishStores(STORES);
  const second = await publishStores(STORES.slice(1));
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await stage.request('/v2/external/stores', { token });
  env = stage.env;
  known = {
    token,
    ids: STORES.map(({ id }) => id),
    slugs: STORES.map(({ slug }) => slug),
    releases: [releaseName(1, first.release), releaseName(2, second.release)],
  };
});

afterAll(() => {
  vi.restoreAllMocks();
  return reset();
});

it.each(PARTS)(
  '$count hostile requests of seed $seed fail nowhere, give nothing away and cost little',
  async ({ seed, count }) => {
    const secret = known.token.slice(known.token.lastIndexOf('_') + 1);
    const requests = new HostileRequests(seed, known);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const counter = new WorkCounter();
    const wrong: string[] = [];
    const blame = (what: string, { method, target, headers }: HostileRequest) => {
      const asked = `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}`;
      wrong.push(`${what}: ${asked}`);
    };
    for (let index = 0; index < count && wrong.length < 10; index++) {
      const request = requests.next();
      const response = await send(request, env);
      const shown = [...response.headers].join();
      const text = response.status < 400 ? '' : await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const fault = faultOf(request, response, text);
      if (fault) blame(fault, request);
      const lines = [...log.mock.calls, ...errors.mock.calls].flat().map(String);
      if ([shown, text, ...lines].some((each) => decoded(each).includes(secret))) {
        blame('a secret', request);
      }
      if (log.mock.calls.length !== 1 || errors.mock.calls.length > 0) {
        blame(`logged ${lines.join('\n').slice(0, 2_000)}`, request);
      }
      log.mockClear();
      errors.mockClear();
      const work = counter.take();
      for (const kind of ['suggestions', 'faults', 'sortPasses'] as const) {
        most[kind] = Math.max(most[kind], work[kind]);
        if (work[kind] > MOST_WORK[kind]) blame(`${work[kind]} ${kind}`, request);
      }
    }
    counter.stop();
    expect(wrong).toEqual([]);
  },
);

it('are what they are meant to be: all kinds of answers, and work that is counted', () => {
  expect([...statuses.keys()].sort()).toEqual([200, 302, 304, 400, 401, 404, 405, 410, 503]);
  expect(Math.min(...Object.values(most))).toBeGreaterThan(0);
  const answers = Object.fromEntries([...statuses].sort());
  console.info(`${COUNT} hostile requests:`, answers, 'most work for one:', most);
});
