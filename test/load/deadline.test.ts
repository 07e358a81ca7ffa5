/** Every read of storage comes to an end. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../../src/load/deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});

afterEach(() => vi.useRealTimers());

describe('a deadline', () => {
  it('ends a read that hangs, with an error that names the key', async () => {
    const read = withDeadline(new Promise(() => {}), 'snapshot/object/x');
    read.catch(() => {});
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(read).rejects.toThrow('snapshot/object/x took longer than 10000 ms');
  });

  it('passes on what comes in time', async () => {
    expect(await withDeadline(Promise.resolve(7), 'x')).toBe(7);
    await expect(withDeadline(Promise.reject(new Error('down')), 'x')).rejects.toThrow('down');
    expect(vi.getTimerCount()).toBe(0);
  });
});
