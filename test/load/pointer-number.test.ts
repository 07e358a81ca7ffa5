/** The number of the pointer tells late copies of an older one. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PointerNumber } from '../../src/load/pointer-number.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60_000;

let number: PointerNumber;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  number = new PointerNumber();
  number.follow(3);
});

afterEach(() => vi.useRealTimers());

function isToFollow(seen: number, isHeld: boolean, now: number): boolean {
  vi.setSystemTime(START + now);
  return number.isToFollow(seen, isHeld);
}

/** Whether a look is to follow `seen`, of one every half minute from `since` up to `until`. */
function isFollowed(seen: number, since: number, until: number): boolean {
  let isOnce = false;
  for (let now = since; now <= until; now += 30 * SECOND) {
    isOnce ||= isToFollow(seen, false, now);
  }
  return isOnce;
}

describe('the number of the pointer', () => {
  it('is followed when it grows, and when what it leads to is held no more', () => {
    expect(isToFollow(4, false, 0)).toBe(true);
    expect(isToFollow(4, true, 0)).toBe(true);
    expect(isToFollow(3, true, 0)).toBe(false);
    expect(isToFollow(3, false, 0)).toBe(true);
  });

  it('that is lower is followed when it has stood for five minutes', () => {
    expect(isFollowed(2, 0, 5 * MINUTE - 1)).toBe(false);
    expect(isToFollow(2, false, 5 * MINUTE)).toBe(true);
  });

  it('that is lower has to be the same one all the time', () => {
    for (let turn = 0; turn < 8; turn++) {
      const since = turn * 2 * MINUTE;
      expect(isFollowed(1 + (turn % 2), since, since + MINUTE)).toBe(false);
    }
  });

  it('that is lower and failed has to stand again after a higher one was seen', () => {
    isFollowed(2, 0, 5 * MINUTE);
    number.fail(2);
    isToFollow(3, true, 7 * MINUTE);
    expect(isFollowed(2, 8 * MINUTE, 13 * MINUTE - SECOND)).toBe(false);
  });

  it('of a release that could not be read is tried again after two minutes, another one at once', () => {
    number.fail(4);
    expect(isFollowed(4, 0, 2 * MINUTE - 1)).toBe(false);
    expect(isToFollow(5, false, MINUTE)).toBe(true);
    expect(isToFollow(4, false, 2 * MINUTE)).toBe(true);
  });

  it('of the release that was followed last can fail as well', () => {
    number.fail();
    expect(isFollowed(3, 0, 2 * MINUTE - 1)).toBe(false);
    expect(isToFollow(3, false, 2 * MINUTE)).toBe(true);
  });
});
