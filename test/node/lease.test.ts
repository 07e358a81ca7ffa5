/** Leases, which keep pruning and publishing apart. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  LEASE_LIFETIME,
  LEASE_PREFIX,
  type Lease,
  withLease,
} from '../../scripts/publish/lease.ts';
import { encodeJson } from '../../scripts/publish/published-release.ts';
import { dayOfJanuary } from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

describe('a lease', () => {
  const busy = { code: 'target_busy', details: { holder: 'first' } };
  const nothing = async () => {};

  afterEach(() => vi.useRealTimers());

  it.each([
    ['prune', 'publish'],
    ['publish', 'prune'],
  ] as const)('refuses %s while somebody does %s', async (kind, rival) => {
    const target = new MemoryTarget();
    await withLease(target, rival, 'first', async () => {
      await expect(withLease(target, kind, 'second', nothing)).rejects.toMatchObject(busy);
    });
    await withLease(target, kind, 'second', nothing);
    expect([...target.values.keys()]).toEqual([]);
  });

  it('allows two publishers', async () => {
    const target = new MemoryTarget();
    const inner = withLease(target, 'publish', 'first', () =>
      withLease(target, 'publish', 'second', async () => 'both'),
    );
    expect(await inner).toBe('both');
  });

  it('is given back after a failure', async () => {
    const target = new MemoryTarget();
    const failing = withLease(target, 'publish', 'first', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(target.values.size).toBe(0);
  });

  it('that is listed and not shown is left alone: KV may show it late', async () => {
    const target = new MemoryTarget();
    const late = `${LEASE_PREFIX}publish/late`;
    target.values.set(late, encodeJson({}));
    const get = target.get.bind(target);
    target.get = async (key) => (key === late ? null : get(key));
    await withLease(target, 'prune', 'second', nothing);
    expect([...target.values.keys()]).toEqual([late]);
  });

  it('of somebody who publishes is seen by a prune after a while, where lists are late', async () => {
    const target = new MemoryTarget();
    const until = new Date(Date.now() + LEASE_LIFETIME).toISOString();
    const settle = async () => {
      target.values.set(`${LEASE_PREFIX}publish/x`, encodeJson({ holder: 'first', until }));
    };
    Object.assign(target, { settle });
    await expect(withLease(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
  });

  it('of a process that was killed ends by itself', async () => {
    vi.useFakeTimers({ now: dayOfJanuary(1), toFake: ['Date', 'setInterval', 'clearInterval'] });
    const target = new MemoryTarget();
    const until = new Date(Date.now() + LEASE_LIFETIME).toISOString();
    target.values.set(`${LEASE_PREFIX}publish/x`, encodeJson({ holder: 'first', until }));
    vi.setSystemTime(Date.now() + LEASE_LIFETIME - 1);
    await expect(withLease(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
    vi.setSystemTime(Date.now() + 1);
    await withLease(target, 'prune', 'second', nothing);
    expect(target.values.size).toBe(0);
  });

  it('is renewed while the work lasts, and lost for good when that fails for too long', async () => {
    vi.useFakeTimers({ now: dayOfJanuary(1), toFake: ['Date', 'setInterval', 'clearInterval'] });
    const target = new MemoryTarget();
    const check = (lease: Lease) => () => lease.assertHeld();
    await withLease(target, 'publish', 'first', async (lease) => {
      await vi.advanceTimersByTimeAsync(10 * LEASE_LIFETIME);
      expect(check(lease)).not.toThrow();
      await expect(withLease(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
      target.beforeWrite = () => {
        throw new Error('unreachable');
      };
      await vi.advanceTimersByTimeAsync(LEASE_LIFETIME);
      expect(check(lease)).toThrow('could not be told for 15 minutes');
      target.beforeWrite = () => {};
      await vi.advanceTimersByTimeAsync(LEASE_LIFETIME);
      expect(check(lease)).toThrow();
    });
  });
});
