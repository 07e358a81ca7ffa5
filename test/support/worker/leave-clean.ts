/**
 * Test files of the Worker share isolates and their storage: each leaves both as it found them, and no
 * test leaves a mock or a clock to the next. A file alone in its isolate would cost a second more.
 */
import { reset } from 'cloudflare:test';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { storage } from './bound-storage.ts';
import { watchLog } from './harness.ts';

beforeEach(watchLog);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

afterAll(async () => {
  storage.reset();
  await reset();
});
