/** Whose token is looked up when: requests of one network, of which some guess and some hang. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { Authenticator } from '../../src/auth/authenticator.ts';
import { MOST_LOOK_UPS } from '../../src/auth/guesses.ts';
import { READ_STORES } from '../../src/auth/scope.ts';
import { TestBackground } from '../support/stores/memory-snapshot.ts';

/** What each read of a token waits for, in the order in which they began; what comes is no record. */
let reads: PromiseWithResolvers<ReadonlyMap<string, null>>[];
let authenticator: Authenticator;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'Date'] });
  reads = [];
  const get = () => {
    const read = Promise.withResolvers<ReadonlyMap<string, null>>();
    reads.push(read);
    return read.promise;
  };
  authenticator = new Authenticator({ get }, 'staging');
});

afterEach(() => vi.useRealTimers());

/** A request of `network` with a token of its own: the code of the problem that it ends in. */
async function guess({ network = '192.0.2.1', limitedFor = 0 } = {}) {
  const request = Object.assign(new TestBackground(), { network });
  vi.spyOn(request, 'countGuess').mockResolvedValue(limitedFor);
  const headers = new Headers({ 'x-access-token': generateToken('staging') });
  try {
    await authenticator.authenticate(headers, READ_STORES, request);
    return 'let in';
  } catch (error) {
    const { code, headers } = error as { code: string; headers: Record<string, string> };
    const wait = headers['retry-after'];
    return wait === undefined || code !== 'address_limited' ? code : `${code} ${wait}`;
  }
}

/** Hashes are no timers: they take turns of the real event loop. */
async function waitForReads(count: number): Promise<void> {
  while (reads.length < count) await new Promise(setImmediate);
}

/** Lets time pass, and what it brings about happen. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

/** Guesses of one network until no more are looked up at once. */
async function fill(limitedFor = 0): Promise<Promise<string>[]> {
  const answers = Array.from({ length: MOST_LOOK_UPS }, () => guess({ limitedFor }));
  await waitForReads(MOST_LOOK_UPS);
  return answers;
}

it('ten of a network are looked up at once, and the next when one has ended', async () => {
  await fill();
  const waiting = guess();
  await pass(500);
  expect(reads).toHaveLength(MOST_LOOK_UPS);
  reads[0]?.resolve(new Map());
  await waitForReads(MOST_LOOK_UPS + 1);
  reads.at(-1)?.resolve(new Map());
  expect(await waiting).toBe('token_unknown');
});

it('another network does not wait', async () => {
  await fill();
  const other = guess({ network: '192.0.2.2' });
  await waitForReads(MOST_LOOK_UPS + 1);
  reads.at(-1)?.resolve(new Map());
  expect(await other).toBe('token_unknown');
});

it('one whose turn does not come in time is a 503, and is not looked up after that', async () => {
  const answers = await fill();
  const waiting = guess();
  await pass(5_000);
  expect(await waiting).toBe('storage_unreachable');
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['storage_unreachable']));
  const begun = reads.length;
  for (const read of reads) read.resolve(new Map());
  await pass(5_000);
  expect(reads).toHaveLength(begun);
});

it('a turn that is never given back ends by itself', async () => {
  await fill();
  // As for a request that the platform has ended: its read never settles.
  await pass(12_000);
  const begun = reads.length;
  const next = guess();
  await waitForReads(begun + 1);
  reads.at(-1)?.resolve(new Map());
  expect(await next).toBe('token_unknown');
});
