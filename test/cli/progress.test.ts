/** The words and figures of the progress line. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lineProgress, progressLine } from '../../scripts/cli/progress.ts';

describe('the progress line', () => {
  it('shows share, amounts and time left where the total is known', () => {
    const amounts = { done: 25_000_000, total: 100_000_000, unit: 'bytes' } as const;
    expect(progressLine({ name: 'Uploading', ...amounts }, 30)).toBe(
      `Uploading  ${'█'.repeat(6)}${'░'.repeat(18)}  25 MB of 100 MB  1 min 30 s left`,
    );
  });

  it('shows the amount where it is not', () => {
    const phase = { name: 'Reading', done: 12_345, total: null, unit: 'stores' } as const;
    expect(progressLine(phase, 3)).toBe('Reading  12,345 stores');
  });
});

describe('progress without a terminal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is a line a minute, also while nothing moves', () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const progress = lineProgress((line) => lines.push(line));
    progress.begin('Checking', 10, 'objects');
    vi.advanceTimersByTime(30_000);
    progress.begin('Uploading', 100, 'objects');
    progress.update(20);
    vi.advanceTimersByTime(29_999);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(60_001);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^Uploading {2}.*20 objects of 100 objects {2}2 min 0 s left$/);
    progress.end();
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
  });
});
