/** Time that passes as a test lets it. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Simulates time in the tests of a file. @returns what lets so many milliseconds pass, with all that is due in them */
export function simulateTime(): (milliseconds: number) => Promise<unknown> {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  return (milliseconds) => vi.advanceTimersByTimeAsync(milliseconds);
}
