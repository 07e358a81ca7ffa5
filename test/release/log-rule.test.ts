/** What the log says is kept and given up, at the limits of each rule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeLog, type LogEntry, nameGeneration } from '../../scripts/release/log-entry.ts';
import { entryTo } from '../support/memory-target.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');

/** An entry of the generation and content of these numbers, so long after the begin. */
function entryOf(
  number: number,
  after: number,
  more: Partial<LogEntry> & { in?: string; of?: number } = {},
): LogEntry {
  const { in: generation = nameOf(0), of = number, ...others } = more;
  const entry = entryTo(of.toString(16).padStart(16, '0'), 1);
  const manifest = { ...entry.manifest, generation };
  return { ...entry, number, manifest, newest: generation, from: BEGIN + after, ...others };
}

/** The name of a generation that began so long after the begin. */
const nameOf = (after: number): string =>
  `${new Date(BEGIN + after).toISOString().replace(/[-:]|\.\d+/g, '')}-letters`.slice(0, 23);

it('what was live within eight days of the last entry is kept', () => {
  const often = Array.from({ length: 40 }, (_, index) => entryOf(index + 1, index * 6 * HOUR));
  const { kept } = judgeLog(often.toReversed());
  // The last entry is 234 hours after the first: what ended before hour 42 is gone.
  expect(kept.map(({ number }) => number)).toEqual(
    Array.from({ length: 34 }, (_, index) => 40 - index),
  );
});

describe('a generation is given up', () => {
  it('by a purge after it began', () => {
    const begun = nameOf(DAY);
    const isGivenUp = (after: number) => {
      const purge = entryOf(2, after, { kind: 'purge', newest: nameOf(0) });
      return judgeLog([purge, entryOf(1, 0)]).isGivenUp(begun);
    };
    expect([isGivenUp(DAY), isGivenUp(DAY + 1)]).toEqual([false, true]);
    expect(judgeLog([]).isGivenUp(begun)).toBe(false);
  });

  it('never while it is the newest, though nothing in it is kept', () => {
    const newest = nameOf(2 * DAY);
    const head = entryOf(1, 9 * DAY, { newest });
    expect(judgeLog([head]).isGivenUp(newest)).toBe(false);
  });

  it('never because it began in the second of the last entry', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: -5_000, max: 5_000 }),
        (from, clock) => {
          const head = entryOf(1, from, { kind: 'purge' });
          const generation = nameGeneration(BEGIN + from + clock, head);
          expect(judgeLog([head]).isGivenUp(generation)).toBe(false);
        },
      ),
    );
  });
});

it('the log is read as far as what is kept needs, and what is given up', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 6 * DAY }),
    of: fc.integer({ min: 0, max: 5 }),
    kind: fc.constantFrom<LogEntry['kind'][]>('publish', 'publish', 'publish', 'purge'),
    begins: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const entries: LogEntry[] = [];
      const begun: string[] = [];
      let after = 0;
      for (const { wait, begins, ...decided } of steps) {
        after += wait;
        if (begins || begun.length === 0) begun.push(nameOf(after));
        entries.unshift(entryOf(entries.length + 1, after, { ...decided, in: begun.at(-1) ?? '' }));
      }
      const length =
        entries.findIndex((_, index) => judgeLog(entries.slice(0, index + 1)).isEnough) + 1;
      if (length === 0) return;
      const [part, whole] = [judgeLog(entries.slice(0, length)), judgeLog(entries)];
      expect(part.kept).toEqual(whole.kept);
      for (const each of begun) expect(part.isGivenUp(each)).toBe(whole.isGivenUp(each));
    }),
    { numRuns: 500 },
  );
});
