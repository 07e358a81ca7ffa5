/** Requests within the limits of the API, and the waits between attempts. */
import { describe, expect, it } from 'vitest';
import { RequestPace, readRateLimit } from '../../scripts/storage/pace.ts';
import { TestClock } from '../support/cloudflare/stage.ts';

/** Runs `count` requests through `pace` and returns when each began, milliseconds from now on. */
async function beginnings(pace: RequestPace, clock: TestClock, count: number): Promise<number[]> {
  const start = clock.now();
  const times: number[] = [];
  const request = async () => void times.push(clock.now() - start);
  await Promise.all(Array.from({ length: count }, () => pace.run(request)));
  return times;
}

describe('the pace of requests', () => {
  it('keeps any window of time to its number of requests', async () => {
    const clock = new TestClock();
    const pace = new RequestPace({ inFlight: 4, requests: 5, window: 1000 }, clock);
    expect(await beginnings(pace, clock, 12)).toEqual([
      ...[0, 0, 0, 0, 0],
      ...[1000, 1000, 1000, 1000, 1000],
      ...[2000, 2000],
    ]);
  });

  it('begins nothing during a pause, the longest of those that were asked for', async () => {
    const clock = new TestClock();
    const pace = new RequestPace({ inFlight: 2, requests: 100, window: 1000 }, clock);
    pace.pause(5000);
    pace.pause(300);
    expect(await beginnings(pace, clock, 3)).toEqual([5000, 5000, 5000]);
  });

  it('has so many requests under way, and no more', async () => {
    const pace = new RequestPace({ inFlight: 3, requests: 100, window: 1000 }, new TestClock());
    let running = 0;
    let most = 0;
    const request = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => pace.run(request)));
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  it('lets nothing begin that was interrupted while it waited, and everyone else after it', async () => {
    const clock = new TestClock();
    const pace = new RequestPace({ inFlight: 1, requests: 100, window: 1000 }, clock);
    const interruption = new AbortController();
    interruption.abort(new Error('interrupted'));
    pace.pause(1000);
    const refused = pace.run(() => Promise.resolve('ran'), interruption.signal);
    await expect(refused).rejects.toThrow('interrupted');
    expect(await pace.run(() => Promise.resolve('ran'))).toBe('ran');
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

  it('holds up everything while little is left', async () => {
    const clock = new TestClock();
    const begin = clock.now();
    const pace = new RequestPace({ inFlight: 6, requests: 100, window: 1000 }, clock);
    pace.heed({ remaining: 6, renewal: 5000 });
    await pace.run(async () => {});
    expect(clock.now() - begin).toBe(0);
    pace.heed({ remaining: 5, renewal: 5000 });
    await pace.run(async () => {});
    expect(clock.now() - begin).toBe(5000);
  });

  it('tells how long many requests take', () => {
    const pace = new RequestPace({ inFlight: 6, requests: 100, window: 1000 }, new TestClock());
    expect([0, 1, 100, 101, 301].map((count) => pace.durationOf(count))).toEqual([
      0, 0, 0, 1000, 3000,
    ]);
  });
});
