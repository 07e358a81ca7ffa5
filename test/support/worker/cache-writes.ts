import { vi } from 'vitest';

/**
 * Call it before the first write to `caches.default`; what it returns waits for all of them. They
 * run behind answers, and `reset` of `cloudflare:test` would cut them off in the next test.
 */
export function watchCacheWrites(): () => Promise<unknown> {
  const put = vi.spyOn(caches.default, 'put');
  return () => Promise.allSettled(put.mock.results.map(({ value }) => value));
}
