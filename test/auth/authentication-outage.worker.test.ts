/** While KV is out of reach: a caller whose record is in memory hardly notices. */
import { reset } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_RECORDS, RECORD_LIFETIME, RENEWAL_AGE } from '../../src/auth/authenticator.ts';
import { sealJson } from '../../src/sealed-json.ts';
import { TOKEN_RECORD } from '../support/worker/harness.ts';
import { pass } from '../support/worker/held-storage.ts';
import { issue, START, stage, store } from './support/authenticator-stage.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

const REVOKED = { revokedAt: '2026-11-20T12:00:01Z' };

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

it('a record in memory serves at once while KV does not answer', async () => {
  const gate = stage();
  const token = await issue();
  const caller = await gate.enter(token);
  vi.setSystemTime(START + RENEWAL_AGE);
  hang(gate);
  for (let second = 0; second < 30; second++) {
    // No time passes until it has come.
    expect(await gate.enter(token)).toBe(caller);
    await pass(1_000);
  }
  expect(gate.reports.map(({ event }) => event)).toEqual(['token_read_failed']);
});

it('a record in memory is the new one as soon as KV answers, for all requests', async () => {
  const gate = stage();
  const token = await issue();
  await gate.enter(token);
  await store(token, REVOKED);
  vi.setSystemTime(START + RENEWAL_AGE);
  const answer = hang(gate);
  expect(await gate.enter(token)).toBeDefined();
  await waitForReads(gate, 2);
  answer();
  await Promise.all(gate.request.deferred);
  expect(await gate.codeOf(token)).toBe('token_revoked');
  expect(gate.tokens.reads).toBe(2);
});

it('a record in memory of long ago is relied on only when KV had a second to bring a newer one', async () => {
  const gate = stage();
  const token = await issue();
  const caller = await gate.enter(token);
  vi.setSystemTime(START + 5 * RECORD_LIFETIME);
  const answer = hang(gate);
  const settled = vi.fn();
  const entered = gate.enter(token);
  entered.then(settled);
  await waitForReads(gate, 2);
  await pass(900);
  expect(settled).not.toHaveBeenCalled();
  await pass(100);
  expect(await entered).toBe(caller);
  answer();
});

it('a record in memory stays revoked when a read that began earlier comes later', async () => {
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
  const first = gate.codeOf(token);
  await landed(1);
  await store(token, REVOKED);
  await pass(1_000);
  const second = gate.codeOf(token);
  await landed(2);
  landing[1]?.();
  expect(await second).toBe('token_revoked');
  landing[0]?.();
  await Promise.allSettled(gate.request.deferred);
  await first;
  expect(await gate.codeOf(token)).toBe('token_revoked');
});

it('a request that waits in vain goes by the newest record in memory, not by the one that it knew', async () => {
  const gate = stage();
  const token = await issue();
  await gate.enter(token);
  vi.setSystemTime(START + RECORD_LIFETIME);
  const answer = hang(gate);
  const waiting = gate.codeOf(token);
  await waitForReads(gate, 2);
  // So many others came meanwhile that its record was forgotten, and was read again, revoked.
  const { tokens } = gate;
  const get = tokens.get.bind(tokens);
  const record = sealJson(TOKEN_RECORD);
  tokens.get = async ([key = '']) => new Map([[key, record]]);
  for (let number = 0; number < MAX_RECORDS; number++) {
    await gate.enter(`sk_test_${String(number).padStart(32, '0')}`);
  }
  await store(token, REVOKED);
  tokens.hanging = null;
  tokens.get = get;
  expect(await gate.codeOf(token)).toBe('token_revoked');
  await pass(1_000);
  expect(await waiting).toBe('token_revoked');
  answer();
});

it('requests that wait for the same record tell once that it does not come', async () => {
  const gate = stage();
  const token = await issue();
  await gate.enter(token);
  gate.tokens.broken = true;
  vi.setSystemTime(START + RECORD_LIFETIME);
  await Promise.all(Array.from({ length: 20 }, () => gate.enter(token)));
  expect(gate.reports.map(({ event }) => event)).toEqual(['token_read_failed']);
});

it('a record in memory is waited for again when the failure is a while ago', async () => {
  const gate = stage();
  const token = await issue();
  await gate.enter(token);
  gate.tokens.broken = true;
  vi.setSystemTime(START + RECORD_LIFETIME);
  await gate.enter(token);
  gate.tokens.broken = false;
  await store(token, REVOKED);
  vi.advanceTimersByTime(4 * RECORD_LIFETIME);
  expect(await gate.codeOf(token)).toBe('token_revoked');
});
