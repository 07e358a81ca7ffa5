/**
 * Test files of the Worker share isolates and their storage: each leaves both as it found them.
 * A file alone in its isolate would cost a second more.
 */
import { reset } from 'cloudflare:test';
import { afterAll, vi } from 'vitest';

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await reset();
});
