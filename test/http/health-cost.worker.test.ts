/** What a look at /healthz costs, as docs/alerts.md tells operators. */
import { reset } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import { buildStore } from '../support/stores/store-builder.ts';
import { openStage, publishStores } from '../support/worker/harness.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  return reset();
});

it('/healthz reads two keys in a fresh isolate and later on, and none for half a minute', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await publishStores([buildStore(1)]);
  const stage = openStage({ ENVIRONMENT: 'production' });
  vi.useFakeTimers({ toFake: ['Date'] });
  const cost = async () => {
    log.mockClear();
    const { status } = await stage.request('/healthz?ran-within=10800');
    // Nothing has written when publishing last ran.
    expect(status).toBe(503);
    const { event, problem, storage } = JSON.parse(String(log.mock.calls[0]?.[0]));
    expect({ event, problem }).toEqual({ event: 'request', problem: 'run_overdue' });
    return { reads: storage.reads, keys: storage.keys };
  };
  expect(await cost()).toEqual({ reads: 2, keys: 2 });
  expect(await cost()).toEqual({ reads: 0, keys: 0 });
  vi.advanceTimersByTime(29_000);
  expect(await cost()).toEqual({ reads: 0, keys: 0 });
  vi.advanceTimersByTime(2_000);
  const { keys } = await cost();
  expect(keys).toBeGreaterThan(0);
  expect(keys).toBeLessThanOrEqual(2);
});
