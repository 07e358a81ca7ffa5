/** What an isolate remembers of tokens, how many of them, and what it makes of that while KV is late or fails. */
import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_RECORDS, MAX_UNKNOWNS, RECORD_LIFETIME } from '../../src/auth/authenticator.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { TOKEN_RECORD } from '../support/worker/harness.ts';
import { pass } from '../support/worker/held-storage.ts';
import { issue, START, stage, store } from './support/authenticator-stage.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});

const REVOKED = { revokedAt: '2026-11-20T12:00:01Z' };

/** A token of its own for each number. */
const numbered = (number: number) => `sk_test_${String(number).padStart(32, '0')}`;

it('asks for a record that many requests find due as for one, and tells once that it does not come', async () => {
  const { enter, tokens, reports } = stage();
  const token = await issue();
  await enter(token);
  tokens.broken = true;
  tokens.reads = 0;
  vi.setSystemTime(START + RECORD_LIFETIME);
  await Promise.all(Array.from({ length: 20 }, () => enter(token)));
  // Every read is tried twice.
  expect(tokens.reads).toBe(2);
  expect(reports.map(({ event }) => event)).toEqual(['token_read_failed']);
});

it('keeps so many unknown tokens, and none of them takes the place of a known one', async () => {
  const { enter, codeOf, tokens } = stage();
  const known = await issue();
  await enter(known);
  for (let guess = 0; guess <= MAX_UNKNOWNS; guess++) await codeOf(numbered(guess));
  tokens.reads = 0;
  await enter(known);
  await codeOf(numbered(1));
  expect(tokens.reads).toBe(0);
  await codeOf(numbered(0));
  expect(tokens.reads).toBe(1);
});

it('keeps so many records, and drops the one read longest ago', async () => {
  const { enter, tokens } = stage();
  const record = sealJson(TOKEN_RECORD);
  tokens.get = async ([key = '']) => {
    tokens.reads++;
    return new Map([[key, record]]);
  };
  for (let number = 0; number <= MAX_RECORDS; number++) await enter(numbered(number));
  tokens.reads = 0;
  await enter(numbered(1));
  expect(tokens.reads).toBe(0);
  await enter(numbered(0));
  expect(tokens.reads).toBe(1);
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

it('waits again for a record that is due when the failure is a while ago', async () => {
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
