/** Pruning: what goes, what stays, and that nothing goes which somebody needs; purge.test.ts has purges. */
import { beforeEach, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { readCondemned } from '../../scripts/release/condemned.ts';
import { declareIntent } from '../../scripts/release/intents.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { readHead } from '../../scripts/release/log.ts';
import { planPrune } from '../../scripts/release/prune.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { rollBack } from '../../scripts/release/roll-back.ts';
import { objectKey, releaseKey } from '../../src/snapshot/keys.ts';
import { publishOptions } from './compiled-stores.ts';
import { DAY, range, useFourteenReleases } from './fourteen-releases.ts';

const SIGNATURE = { by: 'ops', note: null };

const stage = useFourteenReleases();
const { idOf, objectsOf, prune, release, stored } = stage;

describe('a prune', () => {
  it('condemns what nobody goes back to, and deletes it a day later', async () => {
    const all = stored();
    const first = await prune();
    expect(first.kept).toEqual(range(5, 14).reverse().map(idOf));
    expect(first.deleted).toEqual({ releases: [], objects: [] });
    expect([...first.condemned.releases].sort()).toEqual(range(1, 4).map(idOf).sort());
    expect(stored()).toEqual(all);
    stage.target.time += DAY - 1;
    expect((await prune()).deleted.objects).toEqual([]);
    stage.target.time += 1;
    const second = await prune();
    expect([...second.deleted.objects].sort()).toEqual([...first.condemned.objects].sort());
    expect(stored()).toEqual([...objectsOf(...range(5, 14))].sort());
    expect(range(1, 14).map((index) => stage.target.values.has(releaseKey(idOf(index))))).toEqual(
      range(1, 14).map((index) => index >= 5),
    );
    // Once lists have caught up the record goes, too.
    stage.target.time += DAY;
    await prune();
    expect((await readCondemned(stage.target.ledger)).records).toEqual([]);
  });

  it('keeps more when told to, never fewer', async () => {
    expect((await prune(12)).kept).toHaveLength(12);
    expect((await prune(1)).kept).toHaveLength(10);
  });

  it('says beforehand what it would do, and writes nothing', async () => {
    stage.target.writes.length = 0;
    const planned = await planPrune(stage.target, { keep: 10, progress: SILENT_PROGRESS });
    expect(stage.target.writes).toEqual([]);
    expect(await prune()).toEqual(planned);
  });

  it('leaves alone what a publication under way relies on, for a day', async () => {
    const objects = [...objectsOf(1)];
    const intent = { by: 'job', release: idOf(1), head: 14, objects };
    await declareIntent(stage.target.ledger, intent);
    await prune();
    stage.target.time += DAY - 1;
    await prune();
    expect(stored()).toEqual(expect.arrayContaining(objects));
    // The publication was killed: the next prunes give up what it relied on.
    stage.target.time += 1;
    await prune();
    expect(stage.target.intents).toEqual([]);
    expect(stored()).toEqual(expect.arrayContaining(objects));
    stage.target.time += DAY;
    await prune();
    expect(stored()).toEqual([...objectsOf(...range(5, 14))].sort());
  });

  it('that is cut short at any point leaves what is kept whole; the next one finishes', async () => {
    await prune();
    stage.target.time += DAY;
    const condemned = stage.target.fork();
    stage.target.writes.length = 0;
    await prune();
    const writes = stage.target.writes.length;
    const expected = stored();
    expect(writes).toBeGreaterThan(10);
    for (let stop = 0; stop < writes; stop += 3) {
      stage.target = condemned.fork();
      stage.target.writes.length = 0;
      stage.target.beforeWrite = () => {
        if (stage.target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(prune()).rejects.toThrow('the power is out');
      stage.target.beforeWrite = () => {};
      expect(stored()).toEqual(expect.arrayContaining([...objectsOf(...range(5, 14))]));
      await prune();
      expect(stored()).toEqual(expected);
    }
  });

  it('deletes nothing when it cannot tell what a release consists of', async () => {
    const { chunks } = release(10).manifest.parts;
    stage.target.values.delete(objectKey(chunks?.hash ?? ''));
    stage.target.writes.length = 0;
    await expect(prune()).rejects.toMatchObject({
      code: 'release_damaged',
      message: expect.stringContaining('nothing was deleted'),
    });
    expect(stage.target.writes).toEqual([]);
  });
});

describe('what is condemned', () => {
  beforeEach(async () => {
    await prune();
  });

  it('counts as absent: nobody goes back to it', async () => {
    const kept = await readKeptReleases(stage.target, await readHead(stage.target.ledger), {
      keep: 14,
    });
    expect(kept.releases).toHaveLength(10);
    const options = { release: idOf(3), signature: SIGNATURE, hold: false };
    await expect(rollBack(stage.target, options)).rejects.toMatchObject({
      code: 'release_unknown',
    });
  });

  it('is uploaded again by whoever needs it, ten minutes after saying so', async () => {
    const begin = stage.target.time;
    const { uploaded } = await publishRelease(
      release(3),
      stage.target,
      publishOptions(stage.target),
    );
    expect(uploaded.objects).toBeGreaterThan(0);
    expect(stage.target.time - begin).toBe(10 * 60_000);
    stage.target.time += DAY;
    await prune();
    expect(stored()).toEqual(expect.arrayContaining([...objectsOf(3)]));
    const kept = await readKeptReleases(stage.target, await readHead(stage.target.ledger));
    expect(kept.releases[0]?.manifest.release).toBe(idOf(3));
  });
});
