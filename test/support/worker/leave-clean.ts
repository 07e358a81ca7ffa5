/**
 * Test files of the Worker share isolates and their storage: each leaves both as it found them, and no
 * test leaves a mock or a clock to the next. A file alone in its isolate would cost a second more.
 */
import { reset } from 'cloudflare:test';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

/** What the service logs is not printed; a test may look at it. */
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

afterAll(async () => {
  await reset();
});
