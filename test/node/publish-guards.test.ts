/** What keeps a bad export, a second publisher or a prune from spoiling what is live. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import { type ReviewOptions, reviewChange } from '../../scripts/diff/review-change.ts';
import {
  LEASE_LIFETIME,
  LEASE_PREFIX,
  type Lease,
  withLease,
} from '../../scripts/publish/lease.ts';
import {
  type PublishOptions,
  publishRelease,
  rehearsePublication,
} from '../../scripts/publish/publish-release.ts';
import { encodeJson, readPointer } from '../../scripts/publish/published-release.ts';
import { turnPointer } from '../../scripts/publish/turn-pointer.ts';
import { markWithdrawn } from '../../scripts/publish/withdrawal.ts';
import { objectKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { compileStores, dayOfJanuary, publishStores, storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { MemoryTarget } from './memory-target.ts';
import { useSnapshotTool } from './snapshot-tool.ts';

const LIMITS: ReviewOptions = { maxRemoved: 20, force: false, mostSuspects: 100 };

const { signal } = new AbortController();

function watched(): CommandContext & { readonly remarks: string[] } {
  const remarks: string[] = [];
  const remark = (text: string) => void remarks.push(text);
  return { json: false, progress: SILENT_PROGRESS, signal, remark, remarks };
}

function optionsOn(day: number, more: Partial<PublishOptions> = {}): PublishOptions {
  return { author: 'tester', now: dayOfJanuary(day), progress: SILENT_PROGRESS, ...more };
}

describe('a review', () => {
  let target: MemoryTarget;

  beforeEach(async () => {
    target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 10), 1);
    target.writes.length = 0;
  });

  it('tells the summary and allows a fifth of the stores to go', async () => {
    const context = watched();
    const next = await compileStores(storesFrom(3, 12));
    const { diff, pointer } = await reviewChange(target, next, LIMITS, context);
    expect(diff?.removed).toHaveLength(2);
    expect(pointer).toEqual(await readPointer(target));
    expect(context.remarks).toEqual([expect.stringContaining('removed  2')]);
    expect(target.writes).toEqual([]);
  });

  it('refuses when more go, after telling the summary', async () => {
    const context = watched();
    const next = await compileStores(storesFrom(4, 20));
    await expect(reviewChange(target, next, LIMITS, context)).rejects.toMatchObject({
      code: 'suspicious_change',
      message: '3 of 10 live stores (30 %) would go, more than 20 %; nothing was published',
      details: { maxRemoved: 20, diff: { removed: 3, added: 10 } },
      exitCode: 1,
    });
    expect(context.remarks).toHaveLength(1);
  });

  it.each([
    ['a higher bound', { ...LIMITS, maxRemoved: 30 }],
    ['force', { ...LIMITS, force: true }],
  ])('allows them to go with %s', async (_name, limits) => {
    const next = await compileStores(storesFrom(4, 20));
    const { diff } = await reviewChange(target, next, limits, watched());
    expect(diff?.removed).toHaveLength(3);
  });

  it('allows everything where nothing is live', async () => {
    const next = await compileStores(storesFrom(1, 1));
    const strict = { ...LIMITS, maxRemoved: 0 };
    const { pointer, diff } = await reviewChange(new MemoryTarget(), next, strict, watched());
    expect({ pointer, live: diff?.live }).toEqual({ pointer: null, live: null });
  });

  it('refuses what was withdrawn, unless forced to or live', async () => {
    const next = await compileStores(storesFrom(1, 11));
    const { release } = next.manifest;
    await markWithdrawn(target, release, { at: '2026-01-02T00:00:00.000Z', by: 'ops' });
    await expect(reviewChange(target, next, LIMITS, watched())).rejects.toMatchObject({
      code: 'release_withdrawn',
      details: { release, by: 'ops' },
    });
    const forced = reviewChange(target, next, { ...LIMITS, force: true }, watched());
    await expect(forced).resolves.toMatchObject({ diff: { release } });
    await publishStores(target, storesFrom(1, 11), 2);
    const again = reviewChange(target, next, LIMITS, watched());
    await expect(again).resolves.toMatchObject({ diff: { live: release } });
  });

  it.each(['manifest', 'store table', 'chunks'])(
    'cannot compare with a live release without its %s, which only force replaces',
    async (what) => {
      const live = await compileStores(storesFrom(1, 10));
      const { manifest, objects } = live;
      const table = manifest.parts.stores?.hash ?? '';
      const parts = Object.values(manifest.parts).map(({ hash }) => hash);
      const chunks = [...objects.keys()].filter((hash) => !parts.includes(hash));
      if (what === 'manifest') target.values.delete(releaseKey(manifest.release));
      if (what === 'store table') target.values.delete(objectKey(table));
      if (what === 'chunks') for (const hash of chunks) target.values.delete(objectKey(hash));
      const renamed = storesFrom(1, 10).map((store) => ({ ...store, slug: `${store.slug}-b` }));
      const next = await compileStores(renamed);
      await expect(reviewChange(target, next, LIMITS, watched())).rejects.toMatchObject({
        code: 'live_unreadable',
      });
      const context = watched();
      const { diff } = await reviewChange(target, next, { ...LIMITS, force: true }, context);
      expect(diff).toBeNull();
      expect(context.remarks).toEqual(['The live release cannot be read: nothing compared']);
      // The same stores again heal it, and need no force.
      await reviewChange(target, live, LIMITS, watched());
      await publishRelease(live, target, optionsOn(2));
      await reviewChange(target, next, { ...LIMITS, maxRemoved: 100 }, watched());
    },
  );
});

describe('two publishers', () => {
  it('at once: one wins, the other says so, nothing is mixed', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const expected = await readPointer(target);
    const slow = await compileStores(storesFrom(1, 4));
    let rival = '';
    const get = target.get.bind(target);
    // The rival does all its work while the first one reads back its manifest.
    target.get = async (key) => {
      if (key === releaseKey(slow.manifest.release) && target.values.has(key) && rival === '') {
        rival = 'under way';
        rival = await publishStores(target, storesFrom(1, 5), 2);
      }
      return get(key);
    };
    const refusal = await publishRelease(slow, target, optionsOn(3, { expected })).catch(
      (error) => error,
    );
    expect(refusal).toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: rival } },
      message: expect.stringContaining(`live is release ${rival}`),
    });
    expect((await readPointer(target))?.release).toBe(rival);
    // Run again, the first one finds all its objects there and comes after the rival.
    const again = await publishRelease(slow, target, optionsOn(4));
    expect(again).toMatchObject({ previous: rival, uploaded: { objects: 0 } });
  });

  it('of which one decided by a pointer that has turned: it does not publish', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const expected = await readPointer(target);
    const live = await publishStores(target, storesFrom(1, 4), 2);
    const next = await compileStores(storesFrom(1, 5));
    const publication = publishRelease(next, target, optionsOn(3, { expected }));
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect((await readPointer(target))?.release).toBe(live);
  });

  it('of which both find nothing: the second does not overwrite the first', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const next = await compileStores(storesFrom(1, 5));
    const publication = publishRelease(next, target, optionsOn(2, { expected: null }));
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
  });

  it('that write the pointer at the same instant: the one whose write is gone says so', async () => {
    const target = new MemoryTarget();
    const [mine, rivals] = [pointerTo('a', 1), pointerTo('b', 1)];
    target.storing = () => encodeJson(rivals);
    await expect(turnPointer(target, null, mine)).rejects.toMatchObject({
      code: 'publish_conflict',
    });
  });

  it('is not what a late answer of the storage means', async () => {
    const target = new MemoryTarget();
    const before = pointerTo('a', 1);
    target.values.set(POINTER_KEY, encodeJson(before));
    target.get = async () => encodeJson(before);
    await turnPointer(target, before, pointerTo('b', 2));
    expect(target.writes).toEqual([POINTER_KEY]);
  });
});

describe('a rehearsal', () => {
  it('says what would be uploaded and writes nothing', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const before = new Map(target.values);
    const next = await compileStores(storesFrom(1, 5));
    const planned = await rehearsePublication(next, target, optionsOn(2));
    expect(target.values).toEqual(before);
    expect(planned.uploaded.objects).toBeGreaterThan(0);
    expect(await publishRelease(next, target, optionsOn(2))).toEqual(planned);
  });

  it('finds that an object is damaged', async () => {
    const next = await compileStores(storesFrom(1, 5));
    for (const hash of next.objects.keys()) {
      if (hash !== next.manifest.parts.stores?.hash) next.objects.set(hash, new Uint8Array(1));
    }
    await expect(rehearsePublication(next, new MemoryTarget(), optionsOn(1))).rejects.toMatchObject(
      {
        code: 'snapshot_damaged',
      },
    );
  });
});

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

  it('is renewed while the work lasts, and lost when that fails for too long', async () => {
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
    });
  });

  it('that was lost keeps the pointer from turning', async () => {
    const target = new MemoryTarget();
    const live = await publishStores(target, storesFrom(1, 3), 1);
    const lease = {
      assertHeld: () => {
        throw new Error('lost');
      },
    };
    const next = await compileStores(storesFrom(1, 5));
    await expect(publishRelease(next, target, optionsOn(2, { lease }))).rejects.toThrow('lost');
    expect((await readPointer(target))?.release).toBe(live);
  });
});

describe('an object that is reused', () => {
  it('and deleted meanwhile keeps the pointer from turning', async () => {
    const target = new MemoryTarget();
    const live = await publishStores(target, storesFrom(1, 12), 1);
    const next = await compileStores(storesFrom(1, 13));
    const reused = [...next.objects.keys()].map(objectKey).find((key) => target.values.has(key));
    expect(reused).toBeDefined();
    target.beforeWrite = (key) => {
      if (key === releaseKey(next.manifest.release)) target.values.delete(reused ?? '');
    };
    await expect(publishRelease(next, target, optionsOn(2))).rejects.toMatchObject({
      code: 'object_deleted',
    });
    expect((await readPointer(target))?.release).toBe(live);
  });
});

describe('snapshot publish', () => {
  const tool = useSnapshotTool();

  it('refuses a bad export, says why, and publishes it when told to', async () => {
    await tool.snapshot(['publish', '--source', tool.goodFile]);
    const source = join(tool.folder, 'short.ndjson');
    await writeFile(source, ndjson(storesFrom(3, 3)));
    const refused = await tool.snapshot(['publish', '--source', source]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Against live release [0-9a-f]{16} \(3 stores\):\n {2}added {4}0\n {2}removed {2}2\n {2}changed {2}0\nerror: 2 of 3 live stores \(66\.7 %\) would go, more than 20 %; nothing was published\n/,
    );
    const dry = await tool.snapshot([
      ...['publish', '--source', source, '--max-removed', '70', '--dry-run', '--json'],
    ]);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      storeCount: 1,
      diff: { removed: 2, added: 0, changed: 0 },
    });
    const forced = await tool.snapshot(['publish', '--source', source, '--force', '--json']);
    expect(JSON.parse(forced.stdout)).toMatchObject({ dryRun: false, alreadyLive: false });
    await rm(source);
  });

  it.each(['-1', '101', 'x', ''])('refuses a bound of "%s" percent', async (percent) => {
    const args = ['publish', '--source', tool.goodFile, `--max-removed=${percent}`];
    const { code, stderr } = await tool.snapshot(args);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('Expected a percentage from 0 to 100');
  });
});

function pointerTo(digit: string, day: number): Pointer {
  return {
    format: 1,
    release: digit.repeat(16),
    publishedAt: dayOfJanuary(day).toISOString(),
  };
}
