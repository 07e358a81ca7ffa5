/** Publishing: what is written, in which order, what is live then, and what the next one finds when one goes wrong. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readRelease } from '../../scripts/build/release-reader.ts';
import { CommandError, InterruptedError } from '../../scripts/cli/command-error.ts';
import { append, readHead } from '../../scripts/release/log.ts';
import { type LogEntry, stayLive } from '../../scripts/release/log-entry.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { putLive } from '../../scripts/release/publish-release.ts';
import { chooseSample } from '../../scripts/release/write-objects.ts';
import {
  FORMAT_VERSION,
  logKey,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
} from '../../src/snapshot/keys.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { commandContext } from '../support/command-context.ts';
import { MemoryTarget, pointerTo } from '../support/memory-target.ts';
import { liveKey, servedSlugs } from '../support/publish-stage.ts';
import {
  type CompiledStores,
  compileStores,
  dayOfJanuary,
  publishCompiled,
  publishRelease,
  publishStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { decodePointer } from '../support/stores/memory-snapshot.ts';
import { goBack, resume } from './support/operator.ts';

const OPS = { by: 'ops', note: null };

const generationOf = ({ pointer }: MemoryTarget) => pointer?.manifest.generation ?? '';

/** Keys of objects written since `writes` was emptied. */
const uploadsOf = ({ writes }: MemoryTarget) =>
  writes.filter((key) => key.startsWith(OBJECT_PREFIX));

/** Stores 1 to 3 are live in it since the second of January. */
let target: MemoryTarget;
/** Stores 2 to 4. */
let next: CompiledStores;

beforeEach(async () => {
  target = new MemoryTarget();
  await publishStores(target, storesFrom(1, 3), 2);
  target.writes.length = 0;
  next = await compileStores(storesFrom(2, 4));
});

/** Fails unless a Worker has these stores, whole. */
async function expectServed(from: number, to: number): Promise<void> {
  expect(await servedSlugs(target)).toEqual(storesFrom(from, to).map(({ slug }) => slug));
}

it('a first publication writes the objects, the log, the release by its name, the pointer, each once, and names what they are of', async () => {
  const { objects, manifest } = next;
  target = new MemoryTarget();
  const publication = await publishCompiled(target, next, 2);
  const { release } = manifest;
  const keys = [...objects.keys()].map((hash) => liveKey(target, hash));
  expect(target.writes.slice(0, -3).sort()).toEqual(keys.sort());
  const last = [logKey(1), releaseKey(`1-${release}`), POINTER_KEY];
  expect(target.writes.slice(-3)).toEqual(last);
  const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
  expect(publication).toEqual({
    release,
    number: 1,
    previous: null,
    previousName: null,
    alreadyLive: false,
    storeCount: 3,
    uploaded: { objects: objects.size, bytes },
    cost: null,
  });
  const publishedAt = dayOfJanuary(2).toISOString();
  const generation = expect.stringMatching(/^20260102T000001Z-[a-z]{6}$/);
  expect(target.pointer).toEqual({
    format: FORMAT_VERSION,
    log: { id: expect.any(String), ...target.site, replaces: [] },
    number: 1,
    manifest: { ...manifest, generation },
    publishedAt,
    before: null,
  });
  const named = target.values.get(releaseKey(`1-${release}`));
  expect(decodePointer(named)).toEqual({ manifest: target.pointer?.manifest, publishedAt });
  expect(await readHead(target.ledger)).toMatchObject({ by: 'tester', back: null, hold: null });
});

describe('a second publication', () => {
  it('names what was live before, and uploads only objects that are not in its generation', async () => {
    const { log, manifest } = target.pointer ?? {};
    const there = new Set(target.values.keys());
    const { objects } = next;
    const publication = await publishCompiled(target, next, 3);
    expect(target.pointer).toEqual({
      format: FORMAT_VERSION,
      log,
      number: 2,
      manifest: { ...next.manifest, generation: manifest?.generation },
      publishedAt: dayOfJanuary(3).toISOString(),
      before: { number: 1, manifest, publishedAt: dayOfJanuary(2).toISOString() },
    });
    const uploads = uploadsOf(target);
    expect(uploads.filter((key) => there.has(key))).toEqual([]);
    for (const hash of objects.keys()) {
      expect(target.values.has(liveKey(target, hash))).toBe(true);
    }
    expect(publication.uploaded.objects).toBe(uploads.length);
    expect(uploads.length).toBeLessThan(objects.size);
    await expectServed(2, 4);
  });

  it.each([
    ['uploads again into a generation of others', false, 2],
    ['keeps what it uploaded into one of its own', true, 1],
  ])('whose number is taken by an entry that changes nothing %s', async (_, afresh, times) => {
    const generation = generationOf(target);
    target.meanwhile(async () => {
      const head = (await readHead(target.ledger)) as LogEntry;
      await append(target, { ...stayLive(head, OPS), kind: 'resume' });
    });
    const publication = await publishCompiled(target, next, 3, { afresh });
    const uploads = uploadsOf(target);
    expect(publication.number).toBe(3);
    expect(publication.uploaded.objects).toBe(uploads.length);
    const hashes = new Set(uploads.map((key) => key.split('/').at(-1)));
    expect(uploads.length).toBe(hashes.size * times);
    expect(generationOf(target) !== generation).toBe(afresh);
    await expectServed(2, 4);
  });

  it('after a rollback writes into the newest generation, not into that of the live release', async () => {
    const first = generationOf(target);
    await publishStores(target, storesFrom(2, 4), 3, { afresh: true });
    const second = generationOf(target);
    expect(second).not.toBe(first);
    await goBack(target);
    expect(generationOf(target)).toBe(first);
    const head = await readHead(target.ledger);
    expect([head?.newest, head?.hold?.by]).toEqual([second, 'ops']);
    const five = await compileStores(storesFrom(2, 5));
    const held = publishRelease(five, target);
    await expect(held).rejects.toMatchObject({ code: 'publication_held' });
    await resume(target);
    await publishRelease(five, target);
    expect(generationOf(target)).toBe(second);
    const keys = [...five.objects.keys()].map((hash) => objectKey(second, hash));
    expect(keys.filter((key) => !target.values.has(key))).toEqual([]);
  });
});

describe('two publishers', () => {
  it('at once: one wins, the other says so, nothing is mixed', async () => {
    let rival = '';
    target.meanwhile(async () => {
      rival = await publishStores(target, storesFrom(1, 5), 3);
    });
    const refusal = await publishRelease(next, target).catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: rival, number: 2 } },
      message: expect.stringContaining(`live is release 2-${rival}`),
    });
    expect(target.pointer?.manifest.release).toBe(rival);
    // Run again, the first one comes after the rival.
    const again = await publishRelease(next, target);
    expect(again).toMatchObject({ previous: rival, number: 3 });
  });

  it('of which one found nothing live: it does not publish', async () => {
    target = new MemoryTarget();
    const log = await readLog(target);
    const live = await publishStores(target, storesFrom(1, 4), 2);
    target.writes.length = 0;
    const publication = putLive(readRelease(next), target, log, { signature: OPS });
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(target.decisions).toEqual([]);
    expect(target.pointer?.manifest.release).toBe(live);
  });
});

it('a rehearsal of what is live writes nothing, as publishing does, and says that afresh uploads all', async () => {
  const same = await compileStores(storesFrom(1, 3));
  const rehearsal = { dryRun: true };
  const nothing = { uploaded: { objects: 0, bytes: 0 }, alreadyLive: true };
  expect(await publishRelease(same, target, rehearsal)).toMatchObject(nothing);
  expect(await publishRelease(same, target)).toMatchObject(nothing);
  const afresh = await publishRelease(same, target, { ...rehearsal, afresh: true });
  expect(afresh).toMatchObject({ uploaded: { objects: same.objects.size } });
  expect(target.writes).toEqual([]);
});

it('an interrupt in the very last request finds the release decided: its pointer is written all the same', async () => {
  target.beforeWrite = (key) => {
    if (key !== POINTER_KEY) return;
    target.beforeWrite = () => {};
    throw new InterruptedError();
  };
  await publishCompiled(target, next, 3);
  await expectServed(2, 4);
});

it.each([
  ['is waited for', 3, 1, 3_000],
  ['is written once more after two minutes, which is told', 1_000, 2, 120_000],
])('an object that storage shows late %s', async (_what, late, times, wait) => {
  /** What readers are shown so often in the place of what was put. */
  const shown = new Map<string, { bytes: Uint8Array | null; left: number }>();
  const { get } = target.objects;
  target.beforeWrite = (key) => {
    shown.set(key, { bytes: target.values.get(key) ?? null, left: late });
  };
  target.objects.get = async (key) => {
    const before = shown.get(key);
    return before && before.left-- > 0 ? before.bytes : get(key);
  };
  const reasons = new Set<string>();
  target.context = commandContext({ remark: (reason) => void reasons.add(reason) });
  Object.assign(target.objects, { lateness: 120_000 });
  const { uploaded } = await publishCompiled(target, next, 3);
  for (const reason of reasons) expect(reason).toContain('storage does not show yet all that was');
  expect(reasons.size > 0).toBe(times > 1);
  expect(uploadsOf(target)).toHaveLength(times * uploaded.objects);
  const waited = target.time - dayOfJanuary(3).getTime();
  expect(waited).toBeGreaterThanOrEqual(uploaded.objects * wait);
  // The last wait before a look that is late enough may be too long by as much.
  expect(waited).toBeLessThanOrEqual(uploaded.objects * (wait + 15_000));
});

describe('a publication whose writing went wrong', () => {
  it('at the pointer, on a day that has no more writes, says from when on readers can follow', async () => {
    target.beforeWrite = (key) => {
      if (key === POINTER_KEY) throw new CommandError('no more writes', 'api_writes_used_up');
    };
    await expect(publishStores(target, storesFrom(2, 4), 3)).rejects.toMatchObject({
      code: 'pointer_behind',
      explanation: expect.stringContaining('From 0:00 UTC on, when KV takes writes again, run'),
    });
    await expectServed(1, 3);
  });

  it.each([
    ['objects are lost', false, () => null],
    ['objects are cut off', true, (bytes: Uint8Array) => bytes.slice(1)],
  ])('is refused when %s', async (_name, stays, store) => {
    target.storing = (key, bytes) => (key.startsWith(OBJECT_PREFIX) ? store(bytes) : bytes);
    const refusal = { code: 'read_back_failed', exitCode: 1 };
    await expect(publishCompiled(target, next, 3)).rejects.toMatchObject(refusal);
    expect(target.writes).not.toContain(POINTER_KEY);
    await expectServed(1, 3);
    // Others may rely on what is there: nothing is deleted.
    expect(target.writes.every((key) => target.values.has(key))).toBe(stays);
    // The next run does not take it for sound.
    target.storing = (_key, bytes) => bytes;
    await publishCompiled(target, next, 3);
    await expectServed(2, 4);
  });

  it('once puts what reads back wrong once more, without waiting for it to get right', async () => {
    const spoilt = new Set<string>();
    target.storing = (key, bytes) => {
      const isFirst = key.startsWith(OBJECT_PREFIX) && !spoilt.has(key);
      spoilt.add(key);
      return isFirst ? bytes.slice(1) : bytes;
    };
    Object.assign(target.objects, { lateness: 120_000 });
    const sleep = () => Promise.reject(new Error('it waits'));
    Object.assign(target, { clock: { ...target.clock, sleep } });
    await publishCompiled(target, next, 3);
    await expectServed(2, 4);
  });

  it.each(['missing', 'damaged'])(
    'is refused when an object of the snapshot is %s',
    async (fault) => {
      const { objects } = next;
      const fresh = [...objects.keys()].find((each) => !target.values.has(liveKey(target, each)));
      const hash = fresh ?? '';
      if (fault === 'missing') objects.delete(hash);
      else objects.set(hash, new Uint8Array([1]));
      for (const dryRun of [true, false]) {
        await expect(publishCompiled(target, next, 3, { dryRun })).rejects.toMatchObject({
          code: 'snapshot_damaged',
          message: expect.stringContaining(`object ${hash} is ${fault}; build it again`),
        });
      }
      expect(target.decisions).toEqual([]);
    },
  );
});

const refs = (count: number, letter: string): ObjectRef[] =>
  Array.from({ length: count }, (_, index) => ({ hash: `${letter}${index}`, bytes: 1 }));

function sampleOf(chunks: readonly ObjectRef[]): string[] {
  const parts = refs(3, 'part');
  const { manifest: empty } = pointerTo('0'.repeat(16), 1);
  const manifest = { ...empty, parts: Object.fromEntries(parts.map((part) => [part.hash, part])) };
  return chooseSample({ manifest, missing: [...parts, ...chunks] }).map(({ hash }) => hash);
}

it.each([
  [0, 0],
  [1, 1],
  [51, 2],
  [1_000, 21],
  [50_000, 201],
])('of %d chunks %d are read back, the last too, and every index part', (count, expected) => {
  const chunks = refs(count, 'chunk');
  const sample = sampleOf(chunks);
  expect(sample.filter((hash) => hash.startsWith('part'))).toHaveLength(3);
  expect(sample.filter((hash) => hash.startsWith('chunk'))).toHaveLength(expected);
  expect(new Set(sample).size).toBe(sample.length);
  if (count > 0) expect(sample).toContain(chunks.at(-1)?.hash);
});
