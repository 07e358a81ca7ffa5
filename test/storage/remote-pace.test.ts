/** Requests within the limits of the API, and the waits between attempts. */
import { describe, expect, it } from 'vitest';
import { readRateLimit, requestPace, secondsFor } from '../../scripts/storage/pace.ts';
import { TestClock } from '../support/cloudflare/stage.ts';

/** Runs `count` requests through `pace` and returns when each began, milliseconds from now on. */
async function beginnings(
  pace: ReturnType<typeof requestPace>,
  clock: TestClock,
  count: number,
): Promise<number[]> {
  const start = clock.now();
  const times: number[] = [];
  const request = async () => void times.push(clock.now() - start);
  await Promise.all(Array.from({ length: count }, () => pace.run(request)));
  return times;
}

describe('the pace of requests', () => {
  it('begins nothing during a pause, the longest of those that were asked for', async () => {
    const clock = new TestClock();
    const pace = requestPace(clock);
    pace.pause(5000);
    pace.pause(300);
    expect(await beginnings(pace, clock, 3)).toEqual([5000, 5000, 5000]);
  });

  it('has six requests under way, and no more', async () => {
    const pace = requestPace(new TestClock());
    let running = 0;
    let most = 0;
    const request = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => pace.run(request)));
    expect([most, running]).toEqual([6, 0]);
  });

  it('is held up while little is left of the limit', async () => {
    const clock = new TestClock();
    const pace = requestPace(clock);
    pace.heed({ remaining: 6, renewal: 5000 });
    expect(await beginnings(pace, clock, 1)).toEqual([0]);
    pace.heed({ remaining: 5, renewal: 5000 });
    expect(await beginnings(pace, clock, 1)).toEqual([5000]);
  });

  it('lets 1,200 requests pass in five minutes', () => {
    expect([0, 1_199, 1_200, 2_500].map(secondsFor)).toEqual([0, 0, 300, 600]);
  });
});

describe('what an answer says of the limit', () => {
  it.each([
    ['"default";r=50;t=30', { remaining: 50, renewal: 30_000 }],
    ['"default"; t=7; r=0', { remaining: 0, renewal: 7_000 }],
    ['"default";r=50', null],
    ['', null],
    [null, null],
  ])('is read from %j', (header, expected) => {
    expect(readRateLimit(header)).toEqual(expected);
  });
});
