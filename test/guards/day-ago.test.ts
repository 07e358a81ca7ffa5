/** Which release the guards take for that of a day ago. */
import { describe, expect, it } from 'vitest';
import { findDayAgo, type WentLive } from '../../scripts/guards/day-ago.ts';

describe('the release of a day ago', () => {
  const hour = (number: number) => new Date(Date.UTC(2026, 0, 2, number)).toISOString();
  const entry = (release: string, since: number, more: Partial<WentLive> = {}): WentLive => ({
    release,
    since: hour(since),
    accepted: [],
    ...more,
  });
  const now = new Date(hour(30));

  it.each<[string, WentLive[], string | null]>([
    ['was live then', [entry('a', 0), entry('b', 5), entry('c', 7)], 'b'],
    ['went live to the hour', [entry('a', 0), entry('b', 6), entry('c', 7)], 'b'],
    ['is the first one where none was live then', [entry('a', 8), entry('b', 9)], 'a'],
    ['is the live one', [entry('a', 0), entry('b', 5)], null],
    ['is none where nothing was live', [], null],
  ])('%s', (_name, entries, release) => {
    expect(findDayAgo(entries, now)?.release ?? null).toBe(release);
  });

  it('is not asked by guards that something passed by intent since', () => {
    const entries = [
      entry('a', 0, { accepted: ['changed'] }),
      entry('b', 7, { accepted: ['removed'] }),
      entry('c', 8),
    ];
    expect(findDayAgo(entries, now)).toMatchObject({
      release: 'a',
      exempt: new Set(['removed']),
    });
  });
});
