/** While KV is out of reach: whose record is in memory hardly notices, others are told to come again. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RECORD_LIFETIME, STALE_LIMIT } from '../../src/auth/authenticator.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { pass } from '../support/worker/held-storage.ts';
import { issue, problemOf, START, stage, store } from './support/authenticator-stage.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

type Stage = ReturnType<typeof stage>;

/** Lets KV hang; what is returned lets it answer. */
function hang({ tokens }: Stage): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  tokens.hanging = promise;
  return () => {
    tokens.hanging = null;
    resolve();
  };
}

/** Lets KV take note of what was begun, which takes hashing. */
async function waitForReads({ tokens }: Stage, count: number): Promise<void> {
  while (tokens.reads < count) await scheduler.wait(1);
  expect(tokens.reads).toBe(count);
}

/** Moves the clock of the authenticator on together with that of timers. */
async function passBoth({ clock }: Stage, milliseconds: number): Promise<void> {
  clock.now += milliseconds;
  await pass(milliseconds);
}

describe('a record in memory', () => {
  it('serves after a second when KV does not answer', async () => {
    const gate = stage();
    const token = await issue();
    const caller = await gate.enter(token);
    gate.clock.now = START + RECORD_LIFETIME;
    const answer = hang(gate);
    const settled = vi.fn();
    const entered = gate.enter(token);
    entered.then(settled);
    await waitForReads(gate, 2);
    await passBoth(gate, 999);
    expect(settled).not.toHaveBeenCalled();
    await passBoth(gate, 1);
    expect(await entered).toBe(caller);
    expect(gate.background.storage.waited).toBeGreaterThanOrEqual(1_000);
    expect(gate.reports.map(({ event }) => event)).toEqual(['token_read_failed']);
    answer();
  });

  it('serves at once while KV is known to be out of reach', async () => {
    const gate = stage();
    const token = await issue();
    const caller = await gate.enter(token);
    gate.clock.now = START + RECORD_LIFETIME;
    const answer = hang(gate);
    const first = gate.enter(token);
    await waitForReads(gate, 2);
    await passBoth(gate, 1_000);
    await first;
    for (let second = 0; second < 25; second++) {
      // No time passes until it has come.
      expect(await gate.enter(token)).toBe(caller);
      await passBoth(gate, 1_000);
    }
    answer();
  });

  it('is the new one as soon as KV answers, for all requests', async () => {
    const gate = stage();
    const token = await issue();
    await gate.enter(token);
    await store(token, { revokedAt: '2026-11-20T12:00:01Z' });
    gate.clock.now = START + RECORD_LIFETIME;
    const answer = hang(gate);
    const first = gate.enter(token);
    await waitForReads(gate, 2);
    await passBoth(gate, 1_000);
    expect(await first).toBeDefined();
    answer();
    await Promise.all(gate.background.deferred);
    const { reads } = gate.tokens;
    expect((await problemOf(() => gate.enter(token))).code).toBe('token_revoked');
    expect(gate.tokens.reads).toBe(reads);
  });

  it('of long ago is relied on only when KV had as long as anything may take', async () => {
    const gate = stage();
    const token = await issue();
    const caller = await gate.enter(token);
    gate.clock.now = START + 5 * RECORD_LIFETIME;
    const answer = hang(gate);
    const settled = vi.fn();
    const entered = gate.enter(token);
    entered.then(settled);
    await waitForReads(gate, 2);
    await passBoth(gate, 4_000);
    expect(settled).not.toHaveBeenCalled();
    await passBoth(gate, 1_000);
    expect(await entered).toBe(caller);
    answer();
  });

  it('stays revoked when a read that began earlier comes later', async () => {
    const gate = stage();
    const token = await issue();
    const { tokens } = gate;
    const get = tokens.get.bind(tokens);
    const landing: (() => void)[] = [];
    tokens.get = async (...asked: Parameters<typeof get>) => {
      const read = await get(...asked);
      await new Promise<void>((land) => landing.push(land));
      return read;
    };
    const landed = async (count: number) => {
      while (landing.length < count) await scheduler.wait(1);
    };
    const first = problemOf(() => gate.enter(token));
    await landed(1);
    await store(token, { revokedAt: '2026-11-20T12:00:01Z' });
    await passBoth(gate, 1_000);
    const second = problemOf(() => gate.enter(token));
    await landed(2);
    landing[1]?.();
    expect((await second).code).toBe('token_revoked');
    landing[0]?.();
    await Promise.allSettled(gate.background.deferred);
    await first;
    expect((await problemOf(() => gate.enter(token))).code).toBe('token_revoked');
  });

  it('is waited for again when the failure is a while ago', async () => {
    const gate = stage();
    const token = await issue();
    await gate.enter(token);
    gate.tokens.broken = true;
    gate.clock.now = START + RECORD_LIFETIME;
    await gate.enter(token);
    gate.tokens.broken = false;
    await store(token, { revokedAt: '2026-11-20T12:00:01Z' });
    gate.clock.now += 4 * RECORD_LIFETIME;
    expect((await problemOf(() => gate.enter(token))).code).toBe('token_revoked');
  });

  it('does not serve for ever', async () => {
    const gate = stage();
    const token = await issue();
    await gate.enter(token);
    gate.clock.now = START + STALE_LIMIT;
    const answer = hang(gate);
    const problem = problemOf(() => gate.enter(token));
    await waitForReads(gate, 2);
    await passBoth(gate, 5_000);
    expect(await problem).toMatchObject({
      code: 'storage_unreachable',
      headers: { 'retry-after': '5' },
    });
    answer();
  });
});

describe('a token that is not in memory', () => {
  it('shares the read of others, and is kept although all of them gave up', async () => {
    const gate = stage();
    const token = await issue();
    const answer = hang(gate);
    const crowd = Array.from({ length: 10 }, () => problemOf(() => gate.enter(token)));
    await waitForReads(gate, 1);
    await passBoth(gate, 999);
    await waitForReads(gate, 1);
    await passBoth(gate, 1);
    await waitForReads(gate, 2);
    await passBoth(gate, 4_000);
    for (const problem of await Promise.all(crowd)) expect(problem.status).toBe(503);
    const { reads } = gate.tokens;
    answer();
    await Promise.all(gate.background.deferred);
    expect(await gate.enter(token)).toBeDefined();
    expect(gate.tokens.reads).toBe(reads);
  });

  it('counts what its read cost', async () => {
    const gate = stage();
    const token = await issue({ partner: 'Vélo' });
    await gate.enter(token);
    const { reads, keys, bytes } = gate.background.storage;
    // Its record, and the rotation that it has not got.
    expect([reads, keys]).toEqual([1, 2]);
    // é takes two bytes.
    expect(bytes).toBe(
      new TextEncoder().encode((await env.TOKENS.get(tokenKey(await hashToken(token)))) ?? '')
        .length,
    );
  });
});
