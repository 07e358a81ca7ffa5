/** What an isolate remembers of tokens, how many of them, and what it makes of that while KV is late or fails. */
import { beforeEach, expect, it, vi } from 'vitest';
import { MAX_RECORDS, MAX_UNKNOWNS, RECORD_LIFETIME } from '../../src/auth/authenticator.ts';
import { TOKEN_KEY_PREFIX } from '../../src/auth/token.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { storage } from '../support/worker/bound-storage.ts';
import { issueToken, loggedFaults, storeToken, TOKEN_RECORD } from '../support/worker/harness.ts';
import { LET_IN, openGate } from './support/token-stage.ts';

const START = Date.parse('2026-11-20T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START });
});

const REVOKED = { revokedAt: '2026-11-20T12:00:01Z' };

/** A token of its own for each number. */
const numbered = (number: number) => `sk_test_${String(number).padStart(32, '0')}`;

it('asks for a record that many requests find due as for one, and tells once that it does not come', async () => {
  const { codeOf, read } = openGate();
  const token = await issueToken();
  await codeOf(token);
  read.mockClear().mockRejectedValue(new Error('KV is down'));
  vi.setSystemTime(START + RECORD_LIFETIME);
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(token)));
  expect(new Set(codes)).toEqual(new Set([LET_IN]));
  // Every read is tried twice.
  expect(read).toHaveBeenCalledTimes(2);
  expect(loggedFaults().filter(({ event }) => event === 'token_read_failed')).toHaveLength(1);
});

it.each([
  ['unknown tokens, none of which takes the place of a known one', MAX_UNKNOWNS, null],
  ['records', MAX_RECORDS, sealJson(TOKEN_RECORD)],
])('keeps so many %s, and forgets the one read longest ago', async (_, most, record) => {
  const { codeOf, read } = openGate();
  const known = await issueToken();
  await codeOf(known);
  read.mockImplementation((async ([key = '']) => new Map([[key, record]])) as never);
  for (let number = 0; number <= most; number++) await codeOf(numbered(number));
  read.mockClear();
  if (record === null) await codeOf(known);
  await codeOf(numbered(1));
  expect(read).not.toHaveBeenCalled();
  await codeOf(numbered(0));
  expect(read).toHaveBeenCalledTimes(1);
});

it('stays revoked when a read that began earlier comes later', async () => {
  const { codeOf, read } = openGate();
  const token = numbered(1);
  storage.begin({ hangs: true }, (key) => key.startsWith(TOKEN_KEY_PREFIX));
  const first = codeOf(token);
  // After a second another read begins.
  await vi.advanceTimersByTimeAsync(1_000);
  const second = codeOf(token);
  const [, late] = await storage.waitForReads(2);
  await storeToken(token, REVOKED);
  late?.finish();
  expect(await second).toBe('token_revoked');
  await storeToken(token);
  storage.letGo();
  await first;
  expect(await codeOf(token)).toBe('token_revoked');
  expect(read).toHaveBeenCalledTimes(2);
});

it('waits again for a record that is due when the failure is a while ago', async () => {
  const gate = openGate();
  const token = await issueToken();
  await gate.codeOf(token);
  gate.read.mockRejectedValue(new Error('KV is down'));
  vi.setSystemTime(START + RECORD_LIFETIME);
  await gate.codeOf(token);
  gate.read.mockRestore();
  await storeToken(token, REVOKED);
  vi.advanceTimersByTime(4 * RECORD_LIFETIME);
  expect(await gate.codeOf(token)).toBe('token_revoked');
});
