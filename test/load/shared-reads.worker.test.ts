/** A crowd of first requests shares one load, and no request waits for ever. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/worker.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { issueToken, ORIGIN, type Stage } from '../support/worker/harness.ts';
import type { HeldStorage } from '../support/worker/held-storage.ts';
import { closeHeldStage, type HeldStage, LIST, openHeldStage } from './support/held-stage.ts';

let held: HeldStage;
let storage: HeldStorage;
let stage: Stage;
let token: string;

beforeEach(async () => {
  held = await openHeldStage({ RATE_LIMITER: { limit: async () => ({ success: true }) } });
  ({ storage, stage, token } = held);
});

afterEach(() => closeHeldStage(held));

/** Sends a request with a context of its own, and keeps what is handed to `waitUntil`. */
function send(path: string) {
  const context = createExecutionContext();
  const open = new Set<Promise<unknown>>();
  const waitUntil = vi.spyOn(context, 'waitUntil').mockImplementation((work) => {
    open.add(work);
    work.finally(() => open.delete(work)).catch(() => {});
  });
  const request = new Request(ORIGIN + path, { headers: { 'x-access-token': token } });
  const response = worker.fetch(request, stage.env, context);
  return { response, open, waitUntil, context };
}

describe('a crowd', () => {
  it('of first requests, some equal and some not, reads nothing twice', async () => {
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
});

describe('a load', () => {
  it('goes on when the request that began it has ended', async () => {
    const path = `${LIST}/store-5?fields=id`;
    const first = send(path);
    const others: ReturnType<typeof send>[] = [];
    for (const names of [['token', 'pointer'], ['slugs', 'chunks'], ['1 chunk']]) {
      const reads = await storage.waitFor(...names);
      others.push(send(path));
      await scheduler.wait(1);
      expect(storage.held).toHaveLength(names.length);
      expect(first.open.size).toBeGreaterThan(0);
      for (const { finish } of reads.slice(1)) finish();
      await scheduler.wait(1);
      expect(first.open.size).toBeGreaterThan(0);
      reads[0]?.finish();
    }
    expect(await (await first.response).json()).toEqual({ id: storeId(5) });
    await Promise.all(first.open);
    for (const other of others) {
      expect((await other.response).status).toBe(200);
      await Promise.all(other.open);
    }
    await waitOnExecutionContext(first.context);
  });
});
