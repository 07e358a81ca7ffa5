/** Pruning and purging: what goes, what stays, and that nothing goes which somebody needs. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { readCondemned } from '../../scripts/release/condemned.ts';
import { declareIntent } from '../../scripts/release/intents.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { readHead } from '../../scripts/release/log.ts';
import { planPrune, pruneReleases } from '../../scripts/release/prune.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { purgeReleases } from '../../scripts/release/purge.ts';
import { rollBack } from '../../scripts/release/roll-back.ts';
import { OBJECT_PREFIX, objectKey, releaseKey } from '../../src/snapshot/keys.ts';
import {
  type CompiledStores,
  compileStores,
  publishCompiled,
  publishOptions,
  storesFrom,
} from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

const DAY = 24 * 3600_000;
const SIGNATURE = { by: 'ops', note: null };
const { signal } = new AbortController();

/** Fourteen releases, one every two days. */
const releases: CompiledStores[] = [];
/** Where they were published. */
const published = new MemoryTarget();
let target: MemoryTarget;

beforeAll(async () => {
  for (let index = 1; index <= 14; index++) {
    const compiled = await compileStores(storesFrom(index, index + 3));
    await publishCompiled(published, compiled, 2 * index - 1);
    releases.push(compiled);
  }
});

beforeEach(() => {
  target = published.fork();
});

function prune(keep = 10) {
  const now = () => target.time;
  return pruneReleases(target, { keep, progress: SILENT_PROGRESS, signal, now });
}

const idOf = (index: number) => releases[index - 1]?.manifest.release ?? '';

/** Hashes of the objects of releases. */
function objectsOf(...indexes: number[]): Set<string> {
  return new Set(indexes.flatMap((index) => [...(releases[index - 1]?.objects.keys() ?? [])]));
}

function stored(): string[] {
  const keys = [...target.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
  return keys.map((key) => key.slice(OBJECT_PREFIX.length)).sort();
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a prune', () => {
  it('condemns what nobody goes back to, and deletes it a day later', async () => {
    const all = stored();
    const first = await prune();
    expect(first.kept).toEqual(range(5, 14).reverse().map(idOf));
    expect(first.deleted).toEqual({ releases: [], objects: [] });
    expect([...first.condemned.releases].sort()).toEqual(range(1, 4).map(idOf).sort());
    expect(stored()).toEqual(all);
    target.time += DAY - 1;
    expect((await prune()).deleted.objects).toEqual([]);
    target.time += 1;
    const second = await prune();
    expect([...second.deleted.objects].sort()).toEqual([...first.condemned.objects].sort());
    expect(stored()).toEqual([...objectsOf(...range(5, 14))].sort());
    expect(range(1, 14).map((index) => target.values.has(releaseKey(idOf(index))))).toEqual(
      range(1, 14).map((index) => index >= 5),
    );
    // Once lists have caught up the record goes, too.
    target.time += DAY;
    await prune();
    expect((await readCondemned(target.ledger)).sentences).toEqual([]);
  });

  it('keeps more when told to, never fewer', async () => {
    expect((await prune(12)).kept).toHaveLength(12);
    expect((await prune(1)).kept).toHaveLength(10);
  });

  it('says beforehand what it would do, and writes nothing', async () => {
    target.writes.length = 0;
    const planned = await planPrune(target, { keep: 10, progress: SILENT_PROGRESS });
    expect(target.writes).toEqual([]);
    expect(await prune()).toEqual(planned);
  });

  it('leaves alone what a publication under way relies on, for a day', async () => {
    const objects = [...objectsOf(1)];
    const intent = { by: 'job', release: idOf(1), head: 14, objects };
    await declareIntent(target.ledger, intent);
    await prune();
    target.time += DAY - 1;
    await prune();
    expect(stored()).toEqual(expect.arrayContaining(objects));
    // The publication was killed: the next prunes give up what it relied on.
    target.time += 1;
    await prune();
    expect(target.intents).toEqual([]);
    expect(stored()).toEqual(expect.arrayContaining(objects));
    target.time += DAY;
    await prune();
    expect(stored()).toEqual([...objectsOf(...range(5, 14))].sort());
  });

  it('that is cut short at any point leaves what is kept whole; the next one finishes', async () => {
    await prune();
    target.time += DAY;
    const condemned = target.fork();
    target.writes.length = 0;
    await prune();
    const writes = target.writes.length;
    const expected = stored();
    expect(writes).toBeGreaterThan(10);
    for (let stop = 0; stop < writes; stop += 3) {
      target = condemned.fork();
      target.writes.length = 0;
      target.beforeWrite = () => {
        if (target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(prune()).rejects.toThrow('the power is out');
      target.beforeWrite = () => {};
      expect(stored()).toEqual(expect.arrayContaining([...objectsOf(...range(5, 14))]));
      await prune();
      expect(stored()).toEqual(expected);
    }
  });

  it('deletes nothing when it cannot tell what a release consists of', async () => {
    const { chunks } = releases[9]?.manifest.parts ?? {};
    target.values.delete(objectKey(chunks?.hash ?? ''));
    target.writes.length = 0;
    await expect(prune()).rejects.toMatchObject({
      code: 'release_damaged',
      message: expect.stringContaining('nothing was deleted'),
    });
    expect(target.writes).toEqual([]);
  });
});

describe('what is condemned', () => {
  beforeEach(async () => {
    await prune();
  });

  it('counts as absent: nobody goes back to it', async () => {
    const kept = await readKeptReleases(target, await readHead(target.ledger), { keep: 14 });
    expect(kept.releases).toHaveLength(10);
    const options = { release: idOf(3), signature: SIGNATURE, hold: false };
    await expect(rollBack(target, options)).rejects.toMatchObject({ code: 'release_unknown' });
  });

  it('is uploaded again by whoever needs it, ten minutes after saying so', async () => {
    const begin = target.time;
    const [third] = releases.slice(2);
    if (!third) throw new Error('no third release');
    const { uploaded } = await publishRelease(third, target, publishOptions(target));
    expect(uploaded.objects).toBeGreaterThan(0);
    expect(target.time - begin).toBe(10 * 60_000);
    target.time += DAY;
    await prune();
    expect(stored()).toEqual(expect.arrayContaining([...objectsOf(3)]));
    const kept = await readKeptReleases(target, await readHead(target.ledger));
    expect(kept.releases[0]?.manifest.release).toBe(idOf(3));
  });
});

describe('a purge', () => {
  const purge = () => {
    const now = () => target.time;
    return purgeReleases(target, { signature: SIGNATURE, progress: SILENT_PROGRESS, signal, now });
  };

  it('leaves the live release alone, and the log', async () => {
    const { live, releases: gone } = await purge();
    expect(live).toBe(idOf(14));
    expect(gone).toHaveLength(9);
    expect(stored()).toEqual([...objectsOf(14)].sort());
    const head = await readHead(target.ledger);
    expect(head).toMatchObject({ number: 15, kind: 'purge', before: null, back: null });
    const kept = await readKeptReleases(target, head);
    expect(kept.releases.map(({ manifest }) => manifest.release)).toEqual([idOf(14)]);
    expect(kept.stays).toHaveLength(15);
    const back = rollBack(target, { release: null, signature: SIGNATURE, hold: true });
    await expect(back).rejects.toMatchObject({ code: 'no_earlier_release' });
  });

  it('of what a publication under way relies on has it begin anew', async () => {
    const [second] = releases.slice(1);
    if (!second) throw new Error('no second release');
    const { create } = target.ledger;
    let purged: Promise<unknown> | undefined;
    // Right before its entry somebody purges.
    target.ledger.create = async (key, bytes) => {
      if (!purged) {
        purged = purge();
        await purged;
      }
      return create.call(target.ledger, key, bytes);
    };
    await publishRelease(second, target, publishOptions(target));
    expect(stored()).toEqual(expect.arrayContaining([...objectsOf(2, 14)]));
    expect(await readHead(target.ledger)).toMatchObject({ number: 16, kind: 'publish' });
  });
});
