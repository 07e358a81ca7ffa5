/** Publishing: what is written, in which order, and what is live then. */
import { describe, expect, it } from 'vitest';
import { append, readHead } from '../../scripts/release/log.ts';
import { type LogEntry, stayLive } from '../../scripts/release/log-entry.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { planEntry, publishRelease, putLive } from '../../scripts/release/publish-release.ts';
import { OTHER_WRITES } from '../../scripts/release/write-objects.ts';
import {
  FORMAT_VERSION,
  logKey,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
} from '../../src/snapshot/keys.ts';
import { MemoryTarget, sourceOf } from '../support/memory-target.ts';
import {
  FIRST_TIME,
  liveKey,
  NEW_STORES,
  OLD_STORES,
  publish,
  publishedOld,
  SECOND_TIME,
  servedSlugs,
} from '../support/publish-stage.ts';
import {
  compileStores,
  publishOptions,
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

describe('a first publication', () => {
  it('writes the objects, the log, the release by its name, the pointer, each once, and names what they are of', async () => {
    const compiled = await compileStores(OLD_STORES);
    const { objects } = compiled;
    const target = new MemoryTarget();
    const publication = await publish(compiled, target);
    const { release } = compiled.manifest;
    const keys = [...objects.keys()].map((hash) => liveKey(target, hash));
    expect(target.writes.slice(0, -3).sort()).toEqual(keys.sort());
    const last = [logKey(1), releaseKey(`1-${release}`), POINTER_KEY];
    expect(target.writes.slice(-3)).toEqual(last);
    const bytes = [...objects.values()].reduce((sum, object) => sum + object.length, 0);
    const nothingBefore = { previous: null, previousName: null };
    const first = { number: 1, ...nothingBefore, alreadyLive: false, storeCount: 3 };
    expect(publication).toEqual({
      release,
      ...first,
      uploaded: { objects: objects.size, bytes },
    });
    const publishedAt = FIRST_TIME.toISOString();
    const generation = expect.stringMatching(/^20260102T030406Z-[a-z]{6}$/);
    expect(target.pointer).toEqual({
      format: FORMAT_VERSION,
      log: { id: expect.any(String), ...target.site, replaces: [] },
      number: 1,
      manifest: { ...compiled.manifest, generation },
      publishedAt,
      before: null,
    });
    const named = target.values.get(releaseKey(`1-${release}`));
    expect(decodePointer(named)).toEqual({ manifest: target.pointer?.manifest, publishedAt });
    expect(await readHead(target.ledger)).toMatchObject({ by: 'tester', back: null, hold: null });
  });
});

describe('a second publication', () => {
  it('names what was live before, and uploads only objects that are not in its generation', async () => {
    const target = await publishedOld();
    const { log, manifest } = target.pointer ?? {};
    const there = new Set(target.values.keys());
    const compiled = await compileStores(NEW_STORES);
    const { objects } = compiled;
    const publication = await publish(compiled, target, SECOND_TIME);
    expect(target.pointer).toEqual({
      format: FORMAT_VERSION,
      log,
      number: 2,
      manifest: { ...compiled.manifest, generation: manifest?.generation },
      publishedAt: SECOND_TIME.toISOString(),
      before: { number: 1, manifest, publishedAt: FIRST_TIME.toISOString() },
    });
    const uploads = uploadsOf(target);
    expect(uploads.filter((key) => there.has(key))).toEqual([]);
    for (const hash of objects.keys()) {
      expect(target.values.has(liveKey(target, hash))).toBe(true);
    }
    expect(publication.uploaded.objects).toBe(uploads.length);
    expect(uploads.length).toBeLessThan(objects.size);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
    expect((await readHead(target.ledger))?.cost).toEqual({
      writes: uploads.length + OTHER_WRITES,
      bytes: publication.uploaded.bytes,
    });
  });

  it.each([
    ['uploads again into a generation of others', false, 2],
    ['keeps what it uploaded into one of its own', true, 1],
  ])('whose number is taken by an entry that changes nothing %s', async (_, afresh, times) => {
    const target = await publishedOld();
    const generation = generationOf(target);
    const compiled = await compileStores(NEW_STORES);
    target.meanwhile(async () => {
      const head = (await readHead(target.ledger)) as LogEntry;
      await append(target, { ...stayLive(head, OPS), kind: 'resume' });
    });
    const publication = await publish(compiled, target, SECOND_TIME, { afresh });
    const uploads = uploadsOf(target);
    expect(publication.number).toBe(3);
    expect(publication.uploaded.objects).toBe(uploads.length);
    const hashes = new Set(uploads.map((key) => key.split('/').at(-1)));
    expect(uploads.length).toBe(hashes.size * times);
    expect(generationOf(target) !== generation).toBe(afresh);
    expect(await servedSlugs(sourceOf(target))).toEqual(['store-2', 'store-3', 'store-4']);
  });

  it('after a rollback writes into the newest generation, not into that of the live release', async () => {
    const target = await publishedOld();
    const first = generationOf(target);
    await publish(await compileStores(NEW_STORES), target, SECOND_TIME, { afresh: true });
    const second = generationOf(target);
    expect(second).not.toBe(first);
    await goBack(target);
    expect(generationOf(target)).toBe(first);
    const head = await readHead(target.ledger);
    expect([head?.newest, head?.hold?.by]).toEqual([second, 'ops']);
    const five = await compileStores(storesFrom(2, 5));
    const held = publishRelease(five, target, publishOptions());
    await expect(held).rejects.toMatchObject({ code: 'publication_held' });
    await resume(target);
    await publishRelease(five, target, publishOptions());
    expect(generationOf(target)).toBe(second);
    const keys = [...five.objects.keys()].map((hash) => objectKey(second, hash));
    expect(keys.filter((key) => !target.values.has(key))).toEqual([]);
  });
});

describe('two publishers', () => {
  it('at once: one wins, the other says so, nothing is mixed', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const slow = await compileStores(storesFrom(1, 4));
    let rival = '';
    target.meanwhile(async () => {
      rival = await publishStores(target, storesFrom(1, 5), 2);
    });
    const refusal = await publishRelease(slow, target, publishOptions()).catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: rival, number: 2 } },
      message: expect.stringContaining(`live is release 2-${rival}`),
    });
    expect(target.pointer?.manifest.release).toBe(rival);
    // Run again, the first one comes after the rival.
    const again = await publishRelease(slow, target, publishOptions());
    expect(again).toMatchObject({ previous: rival, number: 3 });
  });

  it.each([
    ['found nothing live', 0],
    ['decided by a log that has moved on', 1],
  ])('of which one %s: it does not publish', async (_what, entries) => {
    const target = new MemoryTarget();
    if (entries > 0) await publishStores(target, storesFrom(1, 3), 1);
    const log = await readLog(target);
    const live = await publishStores(target, storesFrom(1, 4), 2);
    target.writes.length = 0;
    const compiled = await compileStores(storesFrom(1, 5));
    const options = publishOptions();
    const publication = planEntry(compiled, target, log, options).then((planned) =>
      putLive(compiled, target, log, planned, options),
    );
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(target.decisions).toEqual([]);
    expect(target.pointer?.manifest.release).toBe(live);
  });
});

const REHEARSAL = publishOptions({ dryRun: true });

describe('a rehearsal', () => {
  it('says what would be uploaded and writes nothing', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const before = new Map(target.values);
    const next = await compileStores(storesFrom(1, 5));
    const planned = await publishRelease(next, target, REHEARSAL);
    expect(target.values).toEqual(before);
    expect(planned.uploaded.objects).toBeGreaterThan(0);
    const published = await publishRelease(next, target, publishOptions());
    expect(published).toEqual({ ...planned, number: 2 });
  });

  it('of what is live writes nothing, as publishing does, and says that afresh uploads all', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    target.writes.length = 0;
    const same = await compileStores(storesFrom(1, 3));
    const nothing = { uploaded: { objects: 0, bytes: 0 }, alreadyLive: true };
    expect(await publishRelease(same, target, REHEARSAL)).toMatchObject(nothing);
    expect(await publishRelease(same, target, publishOptions())).toMatchObject(nothing);
    const afresh = await publishRelease(same, target, { ...REHEARSAL, afresh: true });
    expect(afresh).toMatchObject({ uploaded: { objects: same.objects.size } });
    expect(target.writes).toEqual([]);
  });
});
