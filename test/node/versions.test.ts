/** Snapshots of several format versions in one storage: each tool works on its own alone. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { LEASE_LIFETIME, withLease } from '../../scripts/release/lease.ts';
import { pruneReleases } from '../../scripts/release/prune.ts';
import { planVersionPrune, pruneVersion } from '../../scripts/release/prune-version.ts';
import { encodeJson } from '../../scripts/release/published-release.ts';
import { rollBack } from '../../scripts/release/roll-back.ts';
import { RemoteKvTarget } from '../../scripts/storage/cloudflare-kv.ts';
import { RemoteR2Target } from '../../scripts/storage/cloudflare-r2.ts';
import { putAll } from '../../scripts/storage/in-bulk.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { openApi } from './cloudflare/stage.ts';
import { BUCKET, CloudflareStandIn, SNAPSHOTS_ID } from './cloudflare/stand-in.ts';
import { dayOfJanuary, publishStores, storesFrom } from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';
import { keysOf } from './target-contract.ts';
import { V2_POINTER_KEY, V2_PREFIXES, versionTwoValues } from './version-two.ts';

const { signal } = new AbortController();

/** What neither version has written. */
const OTHERS = new Map([
  ['snapshot/currently', encodeJson('a key of somebody else')],
  ['snapshots/release/1', encodeJson('another')],
]);

const TWO = versionTwoValues(dayOfJanuary(1).toISOString());

let standIn: CloudflareStandIn;

beforeAll(async () => {
  standIn = await CloudflareStandIn.start();
});

afterEach(() => standIn.reset());

afterAll(() => standIn.stop());

async function put(target: SnapshotTarget, values: ReadonlyMap<string, Uint8Array>) {
  const uploads = [...values].map(([key, bytes]) => {
    return { key, size: bytes.length, read: async () => bytes };
  });
  await putAll(target, uploads, () => {});
}

/** Everything in a target, by key. */
async function valuesOf(target: SnapshotTarget): Promise<Map<string, Uint8Array | null>> {
  const values = new Map<string, Uint8Array | null>();
  for (const key of await keysOf(target, '')) values.set(key, await target.get(key));
  return values;
}

/** Does everything that this version's tools do, and returns the id of what is live then. */
async function workHere(target: SnapshotTarget): Promise<string> {
  await publishStores(target, storesFrom(1, 5), 2);
  await publishStores(target, storesFrom(2, 6), 3);
  await publishStores(target, storesFrom(3, 7), 4);
  const { to } = await rollBack(target, { release: null, author: 'ops', now: dayOfJanuary(5) });
  await pruneReleases(target, { keep: 1, author: 'ops', progress: SILENT_PROGRESS, signal });
  return to.release;
}

function prune(target: SnapshotTarget, version: number, day: number) {
  const who = { author: 'ops', progress: SILENT_PROGRESS, signal };
  return pruneVersion(target, { version, now: dayOfJanuary(day), ...who });
}

describe.each([
  { name: 'memory', open: () => new MemoryTarget() },
  { name: 'KV', open: () => new RemoteKvTarget(openApi(standIn), SNAPSHOTS_ID) },
  { name: 'R2', open: () => new RemoteR2Target(openApi(standIn), BUCKET) },
])('version 2 in $name', ({ open }) => {
  it('is not touched by what is done in this version, and does not see it', async () => {
    const target = open();
    await put(target, new Map([...TWO, ...OTHERS]));
    const live = await workHere(target);
    const after = await valuesOf(target);
    for (const [key, bytes] of [...TWO, ...OTHERS]) expect(after.get(key)).toEqual(bytes);
    const own = [...after.keys()].filter((key) => !TWO.has(key) && !OTHERS.has(key));
    expect(own.length).toBeGreaterThan(10);
    for (const key of own) expect(key).toMatch(/^snapshot\/v3\//);
    const seen = await Promise.all(V2_PREFIXES.map((prefix) => keysOf(target, prefix)));
    expect(new Set(seen.flat())).toEqual(
      new Set([...TWO.keys()].filter((k) => k !== V2_POINTER_KEY)),
    );
    const { releases, unreadable } = await readKeptReleases(target);
    expect(releases.map(({ release }) => release)).toContain(live);
    expect(unreadable).toEqual([]);
  });

  it('is removed as a whole, and nothing else', async () => {
    const target = open();
    await put(target, OTHERS);
    await workHere(target);
    const before = await valuesOf(target);
    await put(target, TWO);
    const planned = await planVersionPrune(target, 2, dayOfJanuary(8));
    const plan = await prune(target, 2, 8);
    expect(plan).toMatchObject({ version: 2, isPublished: true, releases: 2, objects: 3 });
    // Leases come and go, and are deleted besides.
    const keys = [...TWO.keys()].filter((key) => !key.includes('/lease/'));
    expect(new Set(planned.keys)).toEqual(new Set(keys));
    expect(plan.keys).toEqual(planned.keys);
    expect(await valuesOf(target)).toEqual(before);
    expect(await prune(target, 2, 8)).toMatchObject({ isPublished: false, objects: 0 });
  });
});

describe('the removal of another version', () => {
  async function published(): Promise<MemoryTarget> {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 2);
    await put(target, TWO);
    target.writes.length = 0;
    return target;
  }

  it.each([
    ['less than a week old', 'version_in_use', 7, dayOfJanuary(1).toISOString()],
    ['of a time to come', 'version_in_use', 20, dayOfJanuary(21).toISOString()],
    ['without a time', 'version_unreadable', 20, 'yesterday'],
  ])('is refused while its pointer is %s', async (_what, code, day, publishedAt) => {
    const target = await published();
    await put(target, versionTwoValues(publishedAt));
    target.writes.length = 0;
    await expect(prune(target, 2, day)).rejects.toMatchObject({ code, exitCode: 1 });
    await expect(planVersionPrune(target, 2, dayOfJanuary(day))).rejects.toMatchObject({ code });
    expect(target.writes).toEqual([]);
  });

  it.each(['missing', 'damaged'])('is refused while its own pointer is %s', async (state) => {
    const target = await published();
    if (state === 'missing') target.values.delete(POINTER_KEY);
    else target.values.set(POINTER_KEY, encodeJson({ format: 3 }));
    await expect(prune(target, 2, 20)).rejects.toMatchObject({ code: 'version_alone' });
    expect(target.writes).toEqual([]);
  });

  it('takes the pointer first; cut short anywhere, the next one finishes', async () => {
    const complete = await published();
    const before = new Map(complete.values);
    await prune(complete, 2, 8);
    // Its lease, what has ended of others, the pointer.
    expect(complete.writes[2]).toBe(V2_POINTER_KEY);
    for (let stop = 1; stop < complete.writes.length - 1; stop++) {
      const target = new MemoryTarget();
      for (const [key, bytes] of before) target.values.set(key, bytes);
      target.beforeWrite = () => {
        if (target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(prune(target, 2, 8)).rejects.toThrow('the power is out');
      target.beforeWrite = () => {};
      await prune(target, 2, 8);
      expect(target.values).toEqual(complete.values);
    }
  });

  it('lets readers see that the pointer is gone before anything else goes', async () => {
    const target = await published();
    const there: boolean[] = [];
    Object.assign(target, {
      settle: async () => {
        const hasObjects = (await keysOf(target, 'snapshot/object/')).length === 3;
        there.push(hasObjects && target.values.has(V2_POINTER_KEY), hasObjects);
      },
    });
    await prune(target, 2, 8);
    // Once for the lease, once after the pointer.
    expect(there).toEqual([true, true, false, true]);
  });

  it('gives way to a publication of that version, and keeps it away meanwhile', async () => {
    const target = await published();
    const lease = (kind: 'publish' | 'prune') => {
      const until = new Date(Date.now() + LEASE_LIFETIME).toISOString();
      const content = { holder: 'job', until, process: { machine: 'another', pid: 1 } };
      target.values.set(`snapshot/lease/${kind}/1`, encodeJson(content));
    };
    lease('publish');
    await expect(prune(target, 2, 8)).rejects.toMatchObject({ code: 'target_busy' });
    expect(target.values.has(V2_POINTER_KEY)).toBe(true);
    target.values.delete('snapshot/lease/publish/1');
    let kept: readonly string[] = [];
    target.beforeWrite = (key) => {
      if (key !== V2_POINTER_KEY) return;
      kept = [...target.values.keys()].filter((each) => each.startsWith('snapshot/lease/prune/'));
    };
    // A publication of this version has nothing to do with it.
    const both = withLease(target, { kind: 'publish', holder: 'job' }, () => prune(target, 2, 8));
    await both;
    expect(kept).toHaveLength(1);
  });

  it('of a later version takes what is below its prefix', async () => {
    const target = await published();
    const before = new Map(target.values);
    const publishedAt = dayOfJanuary(1).toISOString();
    const four = ['current', 'release/1', 'object/2', 'log/00000001', 'lease/x/y'];
    const values = new Map(four.map((key) => [`snapshot/v4/${key}`, encodeJson({ publishedAt })]));
    await put(target, values);
    target.values.set('snapshot/v40/current', encodeJson('another'));
    const { keys } = await prune(target, 4, 8);
    expect(new Set(keys)).toEqual(new Set([...values.keys()].slice(0, -1)));
    expect(target.values).toEqual(
      new Map([...before, ['snapshot/v40/current', encodeJson('another')]]),
    );
  });
});
