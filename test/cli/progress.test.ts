/** The words and figures of the progress line. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatBytes, LoggedProgress, progressLine } from '../../scripts/cli/progress.ts';

describe('the progress line', () => {
  it('shows share, amounts and time left where the total is known', () => {
    const state = { done: 25_000_000, total: 100_000_000, unit: 'bytes', seconds: 30 } as const;
    expect(progressLine('Uploading', state)).toBe(
      `Uploading  ${'█'.repeat(6)}${'░'.repeat(18)}  25 MB of 100 MB  1 min 30 s left`,
    );
  });

  it('shows the amount where it is not', () => {
    const state = { done: 12_345, total: null, unit: 'stores', seconds: 3 } as const;
    expect(progressLine('Reading', state)).toBe('Reading  12,345 stores');
  });

  it('guesses no time before anything is done', () => {
    const state = { done: 0, total: 10, unit: 'objects', seconds: 3 } as const;
    expect(progressLine('Checking', state)).toBe(
      `Checking  ${'░'.repeat(24)}  0 objects of 10 objects`,
    );
  });
});

describe('progress without a terminal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is a line a minute, also while nothing moves', () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const progress = new LoggedProgress((line) => lines.push(line));
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

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9_949, '9.9 kB'],
    [9_950, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [117_600_000, '118 MB'],
    [2_500_000_000, '2.5 GB'],
    [9_000_000_000_000, '9000 GB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
