/** A fresh isolate answers after three steps of storage at the most; each reads all it can. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import worker from '../../src/worker.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { issueToken, ORIGIN, openStage, type Stage } from '../support/worker/harness.ts';
import type { HeldStorage } from '../support/worker/held-storage.ts';
import { closeHeldStage, type HeldStage, LIST, openHeldStage } from './support/held-stage.ts';

const NEAR = 'position.latitude=48&position.longitude=7&position.radius=50';

let held: HeldStage;
let storage: HeldStorage;
let stage: Stage;
let token: string;
let manifest: Manifest;

beforeEach(async () => {
  held = await openHeldStage();
  ({ storage, stage, token, manifest } = held);
});

afterEach(() => closeHeldStage(held));

/** Fails unless `path` is answered with `status` after exactly these steps. */
async function expectSteps(
  path: string,
  status: number,
  ...steps: readonly (readonly string[])[]
): Promise<unknown> {
  const answer = stage.request(path, { token });
  for (const step of steps) await storage.step(...step);
  const response = await answer;
  expect(response.status).toBe(status);
  expect(storage.held).toEqual([]);
  return response.json();
}

const FIRST = ['token', 'pointer'];

describe('a fresh isolate', () => {
  it('gets a store by id or by slug in three steps', async () => {
    const byId = `${LIST}/${storeId(7)}?fields=slug`;
    const store = await expectSteps(byId, 200, FIRST, ['ids', 'chunks'], ['1 chunk']);
    expect(store).toEqual({ slug: 'store-7' });
    stage = openStage(storage.env);
    await expectSteps(`${LIST}/store-7`, 200, FIRST, ['slugs', 'chunks'], ['1 chunk']);
    stage = openStage(storage.env);
    const parts = ['slugs', 'chunks', 'hours'];
    await expectSteps(`${LIST}/store-7?at=now`, 200, FIRST, parts, ['1 chunk']);
  });

  it('knows in two that there is no such store', async () => {
    await expectSteps(`${LIST}/${'9'.repeat(24)}`, 404, FIRST, ['ids', 'chunks']);
  });

  it.each<[string, string, string[]]>([
    ['in the order by id', '', []],
    ['near a position', `&${NEAR}`, ['places']],
    ['by name', '&sort=profile.name&lang=fr', ['rank/name/fr']],
    ['with their openings', '&openAt=2026-07-01T10:00Z&at=2026-07-01T10:00Z', ['hours']],
    ['of a verticale', '&verticale.equals=BIKE', ['sets/verticales']],
    [
      'of everything together',
      `&${NEAR}&sort=profile.name,slug__desc&lang=en&verticale.notIn=SKI`,
      ['places', 'rank/name/en', 'rank/slug', 'sets/verticales'],
    ],
  ])('lists stores in three steps: %s', async (_, query, parts) => {
    const path = `${LIST}?limit=100&fields=slug${query}`;
    const answer = stage.request(path, { token });
    await storage.step(...FIRST);
    await storage.step('chunks', ...parts);
    await expect.poll(() => storage.held.length).toBeGreaterThan(0);
    expect(storage.held).toMatchObject([{ name: expect.stringMatching(/^\d+ chunks$/) }]);
    storage.held[0]?.finish();
    const response = await answer;
    expect(response.status).toBe(200);
    const { docs } = (await response.json()) as { docs: unknown[] };
    expect(docs.length).toBeGreaterThan(10);
    expect(new Set(storage.keys).size).toBe(storage.keys.length);
  });

  it('counts without documents, and has the index for what comes next', async () => {
    const parts = ['chunks', 'places', 'sets/verticales'];
    await expectSteps(`${LIST}?limit=0&${NEAR}&verticale.equals=BIKE`, 200, FIRST, parts);
  });

  it('says in one step that a list has not changed', async () => {
    const etag = (await openStage().request(LIST, { token })).headers.get('etag') ?? '';
    const context = createExecutionContext();
    const headers = { 'x-access-token': token, 'if-none-match': etag };
    const request = new Request(ORIGIN + LIST, { headers });
    const answer = worker.fetch(request, stage.env, context);
    await storage.step(...FIRST);
    expect((await answer).status).toBe(304);
    storage.letGo();
    await waitOnExecutionContext(context);
  });

  it('reads nothing twice for a crowd, some of whose requests are equal and some not', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issueToken()));
    const queries = ['?limit=7', '?skip=3&limit=20', '?sort=slug__desc&limit=5', '?limit=0'];
    const paths = [
      ...queries.map((query) => LIST + query),
      ...Array.from({ length: 8 }, (_, index) => `${LIST}/store-${3 * index + 1}`),
      ...Array.from({ length: 8 }, (_, index) => `${LIST}/${storeId(2 * index + 1)}`),
    ];
    storage.isHolding = false;
    const crowd = Array.from({ length: 60 }, (_, index) =>
      stage.request(paths[index % paths.length] as string, {
        token: tokens[index % tokens.length] as string,
      }),
    );
    const answers = await Promise.all(crowd);
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(storage.keys.toSorted()).toEqual([...new Set(storage.keys)].toSorted());
    // Each token has two keys, its record and its rotation.
    expect(storage.keys.filter((key) => key.startsWith('token/'))).toHaveLength(2 * 5);
  });

  it('tells its health in one step', async () => {
    await expectSteps('/healthz', 200, ['pointer', 'run']);
  });

  it('refuses bad parameters in one step', async () => {
    await expectSteps(`${LIST}?limit=x`, 400, FIRST);
  });
});

describe('an isolate that has its index', () => {
  it('reads the documents in one step, and not again', async () => {
    storage.isHolding = false;
    expect((await stage.request(`${LIST}?limit=1`, { token })).status).toBe(200);
    storage.isHolding = true;
    const answer = stage.request(`${LIST}?limit=100`, { token });
    await storage.step(`${manifest.chunkCount - 1} chunks`);
    expect((await answer).status).toBe(200);
    await expectSteps(`${LIST}?limit=100`, 200);
    await expectSteps(`${LIST}?limit=20&skip=13`, 200);
  });

  it('reads the one part that another query needs', async () => {
    storage.isHolding = false;
    await stage.request(LIST, { token });
    storage.isHolding = true;
    await expectSteps(`${LIST}?sort=profile.name&lang=fr`, 200, ['rank/name/fr']);
    await expectSteps(`${LIST}/store-3`, 200, ['slugs']);
    await expectSteps(`${LIST}/store-4`, 200);
  });
});
