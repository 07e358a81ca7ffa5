/** What an isolate remembers of tokens, how many of them, and what it makes of that while KV is late or fails. */
import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_RECORDS, MAX_UNKNOWNS, RECORD_LIFETIME } from '../../src/auth/authenticator.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { TOKEN_RECORD, tokenEntry } from '../support/worker/harness.ts';
import { issue, START, stage, store } from './support/authenticator-stage.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});

const REVOKED = { revokedAt: '2026-11-20T12:00:01Z' };

/** A token of its own for each number. */
const numbered = (number: number) => `sk_test_${String(number).padStart(32, '0')}`;

it('asks for a record that many requests find due as for one, and tells once that it does not come', async () => {
  const { enter, read, report } = stage();
  const token = await issue();
  await enter(token);
  read.mockClear().mockRejectedValue(new Error('KV is down'));
  vi.setSystemTime(START + RECORD_LIFETIME);
  await Promise.all(Array.from({ length: 20 }, () => enter(token)));
  // Every read is tried twice.
  expect(read).toHaveBeenCalledTimes(2);
  expect(report).toHaveBeenCalledExactlyOnceWith('token_read_failed', expect.anything());
});

it('keeps so many unknown tokens, and none of them takes the place of a known one', async () => {
  const { enter, codeOf, read } = stage();
  const known = await issue();
  await enter(known);
  for (let guess = 0; guess <= MAX_UNKNOWNS; guess++) await codeOf(numbered(guess));
  read.mockClear();
  await enter(known);
  await codeOf(numbered(1));
  expect(read).not.toHaveBeenCalled();
  await codeOf(numbered(0));
  expect(read).toHaveBeenCalledTimes(1);
});

it('keeps so many records, and drops the one read longest ago', async () => {
  const { enter, read } = stage();
  const record = sealJson(TOKEN_RECORD);
  read.mockImplementation(async ([key = '']) => new Map([[key, record]]));
  for (let number = 0; number <= MAX_RECORDS; number++) await enter(numbered(number));
  read.mockClear();
  await enter(numbered(1));
  expect(read).not.toHaveBeenCalled();
  await enter(numbered(0));
  expect(read).toHaveBeenCalledTimes(1);
});

it('stays revoked when a read that began earlier comes later', async () => {
  const gate = stage();
  const token = numbered(1);
  const early = Promise.withResolvers<Map<string, string>>();
  const late = Promise.withResolvers<Map<string, string>>();
  gate.read.mockReturnValueOnce(early.promise).mockReturnValueOnce(late.promise);
  const first = gate.codeOf(token);
  // After a second another read begins.
  await vi.advanceTimersByTimeAsync(1_000);
  const second = gate.codeOf(token);
  late.resolve(new Map([await tokenEntry(token, REVOKED)]));
  expect(await second).toBe('token_revoked');
  early.resolve(new Map([await tokenEntry(token)]));
  await Promise.allSettled(gate.request.deferred);
  await first;
  expect(await gate.codeOf(token)).toBe('token_revoked');
  expect(gate.read).toHaveBeenCalledTimes(2);
});

it('waits again for a record that is due when the failure is a while ago', async () => {
  const gate = stage();
  const token = await issue();
  await gate.enter(token);
  gate.read.mockRejectedValue(new Error('KV is down'));
  vi.setSystemTime(START + RECORD_LIFETIME);
  await gate.enter(token);
  gate.read.mockRestore();
  await store(token, REVOKED);
  vi.advanceTimersByTime(4 * RECORD_LIFETIME);
  expect(await gate.codeOf(token)).toBe('token_revoked');
});
