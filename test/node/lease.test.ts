/** Leases, which keep pruning and publishing apart. */
import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ownMark } from '../../scripts/cli/process-mark.ts';
import {
  LEASE_LIFETIME,
  LEASE_PREFIX,
  type Lease,
  type LeaseKind,
  withLease,
} from '../../scripts/release/lease.ts';
import { encodeJson } from '../../scripts/release/published-release.ts';
import { dayOfJanuary } from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

describe('a lease', () => {
  const busy = { code: 'target_busy', details: { holder: 'first' } };
  const nothing = async () => {};

  function hold<T>(
    target: MemoryTarget,
    kind: LeaseKind,
    holder: string,
    work: (lease: Lease) => Promise<T>,
    breaking?: string,
  ): Promise<T> {
    return withLease(target, { kind, holder, breaking }, work);
  }

  /** Puts the lease of a publisher that ends in 15 minutes. */
  function leave(target: MemoryTarget, id: string, process = { machine: 'another', pid: 1 }) {
    const until = new Date(Date.now() + LEASE_LIFETIME).toISOString();
    const lease = { holder: 'first', until, process };
    target.values.set(`${LEASE_PREFIX}publish/${id}`, encodeJson(lease));
  }

  afterEach(() => vi.useRealTimers());

  it.each([
    ['prune', 'publish'],
    ['publish', 'prune'],
  ] as const)('refuses %s while somebody does %s', async (kind, rival) => {
    const target = new MemoryTarget();
    await hold(target, rival, 'first', async () => {
      await expect(hold(target, kind, 'second', nothing)).rejects.toMatchObject(busy);
    });
    await hold(target, kind, 'second', nothing);
    expect([...target.values.keys()]).toEqual([]);
  });

  it('allows two publishers', async () => {
    const target = new MemoryTarget();
    const inner = hold(target, 'publish', 'first', () =>
      hold(target, 'publish', 'second', async () => 'both'),
    );
    expect(await inner).toBe('both');
  });

  it('is given back after a failure', async () => {
    const target = new MemoryTarget();
    const failing = hold(target, 'publish', 'first', async () => {
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
    await hold(target, 'prune', 'second', nothing);
    expect([...target.values.keys()]).toEqual([late]);
  });

  it('of somebody who publishes is seen by a prune after a while, where lists are late', async () => {
    const target = new MemoryTarget();
    Object.assign(target, { settle: async () => leave(target, 'x') });
    await expect(hold(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
  });

  it('of a process that was killed ends by itself', async () => {
    vi.useFakeTimers({ now: dayOfJanuary(1), toFake: ['Date', 'setInterval', 'clearInterval'] });
    const target = new MemoryTarget();
    leave(target, 'x');
    vi.setSystemTime(Date.now() + LEASE_LIFETIME - 1);
    await expect(hold(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
    vi.setSystemTime(Date.now() + 1);
    await hold(target, 'prune', 'second', nothing);
    expect(target.values.size).toBe(0);
  });

  it('of a process of this machine that is gone is taken over at once', async () => {
    const target = new MemoryTarget();
    const { pid = 0 } = spawnSync(process.execPath, ['--version']);
    leave(target, 'alive', ownMark());
    await expect(hold(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
    target.values.clear();
    leave(target, 'gone', { ...ownMark(), pid });
    await hold(target, 'prune', 'second', nothing);
    expect(target.values.size).toBe(0);
    // Elsewhere the same number is another process.
    leave(target, 'elsewhere', { machine: 'another', pid });
    await expect(hold(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
  });

  it('is broken by its id, and no other is', async () => {
    const target = new MemoryTarget();
    const refusal = { explanation: expect.stringContaining('--break-lease 0f3a5c7e') };
    leave(target, '0f3a5c7e-0000-4000-8000-000000000000');
    await expect(hold(target, 'prune', 'second', nothing)).rejects.toMatchObject(refusal);
    await expect(hold(target, 'prune', 'second', nothing, '0f3a5c7f')).rejects.toMatchObject(busy);
    await hold(target, 'prune', 'second', nothing, '0f3a5c7e');
    expect(target.values.size).toBe(0);
  });

  it('is renewed while the work lasts, and lost for good when that fails for too long', async () => {
    vi.useFakeTimers({ now: dayOfJanuary(1), toFake: ['Date', 'setInterval', 'clearInterval'] });
    const target = new MemoryTarget();
    const check = (lease: Lease) => () => lease.assertHeld();
    await hold(target, 'publish', 'first', async (lease) => {
      await vi.advanceTimersByTimeAsync(10 * LEASE_LIFETIME);
      expect(check(lease)).not.toThrow();
      await expect(hold(target, 'prune', 'second', nothing)).rejects.toMatchObject(busy);
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
