/** Whose token is looked up when: requests of one network, of which some guess and some hang. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { Authenticator } from '../../src/auth/authenticator.ts';
import { MOST_LOOK_UPS } from '../../src/auth/guesses.ts';
import { TestBackground } from '../support/stores/memory-snapshot.ts';

/** Ends the reads of tokens, in the order in which they began; what comes is no record. */
let reads: (() => void)[];
/** Seconds for which guesses are refused once another has been counted. */
let limitedFor: number;
let authenticator: Authenticator;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  reads = [];
  limitedFor = 0;
  const get = async () => {
    await new Promise<void>((end) => reads.push(end));
    return new Map<string, null>();
  };
  authenticator = new Authenticator({ get }, 'staging', () => {});
});

afterEach(() => vi.useRealTimers());

/** Requests of a network, each with a token of its own: the codes of the problems that they end in. */
function guess(count: number, network = '192.0.2.1'): Promise<string[]> {
  const ask = async () => {
    const request = Object.assign(new TestBackground(), { network });
    request.countGuess = async () => limitedFor;
    const headers = new Headers({ 'x-access-token': generateToken('staging') });
    return authenticator.authenticate(headers, request);
  };
  return Promise.all(Array.from({ length: count }, () => ask().then(String, ({ code }) => code)));
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

it('ten of a network wait for storage at once, and the rest is refused once the limit is known', async () => {
  const codes = guess(MOST_LOOK_UPS + 3);
  await waitForReads(MOST_LOOK_UPS);
  await pass(500);
  expect(reads).toHaveLength(MOST_LOOK_UPS);
  reads[0]?.();
  await waitForReads(MOST_LOOK_UPS + 1);
  limitedFor = 60;
  for (const end of reads) end();
  const limited = Array(MOST_LOOK_UPS + 2).fill('address_limited');
  expect((await codes).toSorted()).toEqual([...limited, 'token_unknown']);
  expect(reads).toHaveLength(MOST_LOOK_UPS + 1);
});

it('another network does not wait', async () => {
  guess(MOST_LOOK_UPS);
  await waitForReads(MOST_LOOK_UPS);
  const other = guess(1, '192.0.2.2');
  await waitForReads(MOST_LOOK_UPS + 1);
  reads.at(-1)?.();
  expect(await other).toEqual(['token_unknown']);
});

it('one whose turn does not come in time is a 503, and is not looked up after that', async () => {
  const codes = guess(MOST_LOOK_UPS + 1);
  await waitForReads(MOST_LOOK_UPS);
  await pass(5_000);
  expect(await codes).toEqual(Array(MOST_LOOK_UPS + 1).fill('storage_unreachable'));
  const begun = reads.length;
  for (const end of reads) end();
  await pass(5_000);
  expect(reads).toHaveLength(begun);
});
