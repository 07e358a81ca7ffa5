/** Whose turn it is to be looked up: requests of one network, of which some guess and some are ended. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GuessLimit, MOST_LOOK_UPS } from '../../src/auth/guesses.ts';
import { LONGEST_WAIT } from '../../src/load/background.ts';
import { DeadlineError } from '../../src/load/shared-loads.ts';
import { TestBackground } from '../shared/memory-snapshot.ts';

const PERIOD = 60;

let limit: GuessLimit;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  limit = new GuessLimit();
});

afterEach(() => vi.useRealTimers());

/** A request whose guess is over the limit. */
class OverLimit extends TestBackground {
  override async countGuess() {
    return PERIOD;
  }
}

/** Takes as many turns as there are; what comes back ends them. */
function fill() {
  const ends: (() => void)[] = [];
  for (let index = 0; index < MOST_LOOK_UPS; index++) {
    void limit.inTurn(new TestBackground(), () => new Promise<void>((end) => ends.push(end)));
  }
  return ends;
}

it('goes to the request that has waited longest', async () => {
  const ends = fill();
  const begun: number[] = [];
  const waiting = [1, 2, 3].map((number) =>
    limit.inTurn(new TestBackground(), async () => begun.push(number)),
  );
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual([]);
  expect(limit.hasRoom(new TestBackground())).toBe(false);
  ends[0]?.();
  await Promise.all(waiting);
  expect(begun).toEqual([1, 2, 3]);
});

it('is not waited for in another network', async () => {
  fill();
  const other = Object.assign(new TestBackground(), { network: '192.0.2.2' });
  expect(await limit.inTurn(other, async () => 'looked up')).toBe('looked up');
});

it('no longer comes once the limit is known', async () => {
  fill();
  const lookUp = vi.fn();
  const waiting = limit.inTurn(new TestBackground(), lookUp);
  waiting.catch(() => {});
  await limit.count(new OverLimit());
  await expect(waiting).rejects.toMatchObject({
    code: 'address_limited',
    headers: { 'retry-after': `${PERIOD}` },
  });
  // What is left of the period is what a later request is told to wait.
  vi.advanceTimersByTime(20_500);
  await expect(limit.inTurn(new TestBackground(), lookUp)).rejects.toMatchObject({
    headers: { 'retry-after': '40' },
  });
  expect(lookUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(PERIOD * 1_000);
  expect(await limit.inTurn(new TestBackground(), async () => 'looked up')).toBe('looked up');
});

it('does not come after the request has given up', async () => {
  const ends = fill();
  const lookUp = vi.fn();
  const waiting = limit.inTurn(new TestBackground(), lookUp);
  waiting.catch(() => {});
  await vi.advanceTimersByTimeAsync(LONGEST_WAIT);
  await expect(waiting).rejects.toBeInstanceOf(DeadlineError);
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(LONGEST_WAIT);
  expect(lookUp).not.toHaveBeenCalled();
});

it('ends by itself when it is never given back', async () => {
  fill();
  await vi.advanceTimersByTimeAsync(10_500);
  const waiting = limit.inTurn(new TestBackground(), async () => 'looked up');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waiting).toBe('looked up');
});
