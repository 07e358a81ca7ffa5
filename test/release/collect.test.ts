/** Collecting and purging: what goes, what stays, and what one leaves that comes to nothing. */
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { findCollectable } from '../../scripts/release/collect.ts';
import { readHead } from '../../scripts/release/log.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import {
  LOG_PREFIX,
  logKey,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  RELEASE_PREFIX,
  releaseName,
} from '../../src/snapshot/keys.ts';
import { commandContext } from '../support/command-context.ts';
import { servedSlugs } from '../support/publish-stage.ts';
import { publishOptions, publishRelease } from '../support/stores/compiled-stores.ts';
import { DAY, range, useFourteenReleases } from './support/fourteen-releases.ts';
import { collect as collectNow, goBack, purge as purgeNow } from './support/operator.ts';

const stage = useFourteenReleases();
const { idOf, names, objectsOf, release, stored } = stage;

const nameOf = (number: number) => releaseName(number, idOf(number));
const collect = () => collectNow(stage.target);

describe('collecting', () => {
  it('waits for a day, and then deletes what is not kept, and no more', async () => {
    // Release 14 went live a moment ago: by the log of a day ago release 4 is kept.
    expect((await collect()).generations).toEqual([]);
    expect(names()).toEqual(range(4, 14).map(nameOf));
    stage.target.time += DAY;
    const { generations, releases: gone } = await collect();
    expect(generations).toHaveLength(1);
    expect(gone).toEqual([nameOf(4)]);
    expect(names()).toEqual(range(5, 14).map(nameOf));
    expect(stored()).toEqual([...objectsOf(...range(5, 14))].sort());
    expect(await collect()).toMatchObject({ generations: [], releases: [], objects: [] });
  });

  it('says beforehand what it would do, and writes nothing', async () => {
    stage.target.time += DAY;
    const planned = await findCollectable(stage.target, await readLog(stage.target));
    expect(stage.target.writes).toEqual([]);
    expect(await collect()).toEqual(planned);
  });

  it('that is cut short at any point leaves what is kept whole; the next one finishes', async () => {
    stage.target.time += DAY;
    const due = stage.target.fork();
    stage.target.writes.length = 0;
    await collect();
    const writes = stage.target.writes.length;
    const expected = stored();
    expect(writes).toBeGreaterThan(10);
    for (let stop = 0; stop < writes; stop += 3) {
      stage.target = due.fork();
      stage.target.writes.length = 0;
      stage.target.isOut = () => stage.target.writes.length >= stop;
      await expect(collect()).rejects.toThrow('the power is out');
      stage.target.isOut = () => false;
      expect(stored()).toEqual(expect.arrayContaining([...objectsOf(...range(5, 14))]));
      await collect();
      expect(stored()).toEqual(expected);
    }
  });

  it('deletes nothing when an entry cannot be read', async () => {
    stage.target.ledgerValues.set(logKey(9), { bytes: new Uint8Array([1]), storedAt: 0 });
    stage.target.time += DAY;
    await expect(collect()).rejects.toMatchObject({ code: 'log_unreadable' });
    expect(stage.target.writes).toEqual([]);
  });

  it('drops entries of the log after 400 days, but those of kept releases', async () => {
    const entries = () =>
      [...stage.target.ledgerValues.keys()]
        .filter((key) => key.startsWith(LOG_PREFIX))
        .map((key) => Number(key.slice(LOG_PREFIX.length)));
    stage.target.time += 400 * DAY;
    await collect();
    expect(entries()).toEqual(range(5, 14));
    expect((await readHead(stage.target.ledger))?.number).toBe(14);
  });
});

const purge = () => purgeNow(stage.target);
const generations = () =>
  new Set(
    [...stage.target.values.keys()]
      .filter((key) => key.startsWith(OBJECT_PREFIX))
      .map((key) => key.split('/')[3]),
  );

describe('a purge', () => {
  it('leaves the live stores alone, in a new generation, and the log', async () => {
    const { number, manifest } = (await readHead(stage.target.ledger)) ?? { number: 0 };
    const { entry, deleted } = await purge();
    expect(entry).toMatchObject({ number: number + 1, kind: 'purge', before: null, back: null });
    expect(entry.manifest.generation).not.toBe(manifest?.generation);
    expect(deleted.generations).toHaveLength(4);
    expect(generations()).toEqual(new Set([entry.manifest.generation]));
    expect(stored()).toEqual([...objectsOf(14)].sort());
    expect(stage.target.pointer).toMatchObject({ number: 15, before: null });
    const kept = await (await readLog(stage.target)).rule(15);
    expect(kept.kept.map(({ manifest: each }) => each.release)).toEqual([idOf(14)]);
    expect(kept.entries).toHaveLength(15);
    await expect(goBack(stage.target)).rejects.toMatchObject({ code: 'no_earlier_release' });
    expect(names()).toEqual([`15-${idOf(14)}`]);
  });

  it('gives Workers the time to read what is live now before it deletes', async () => {
    const begin = stage.target.time;
    let first: number | null = null;
    stage.target.beforeWrite = (key) => {
      if (stage.target.pointer?.number === 15 && key.startsWith(OBJECT_PREFIX)) {
        first ??= stage.target.time;
      }
    };
    await purge();
    expect(first).toBe(begin + stage.target.readersWait);
  });

  it('leaves to a later purge what that gives up: Workers may still read it', async () => {
    const { target } = stage;
    let later = 0;
    const sleep = async () => {
      target.time += 60_000;
      if (later++ > 0) throw new Error('the power is out');
      await expect(purgeNow(target)).rejects.toThrow('the power is out');
    };
    await purgeNow(Object.assign(target, { clock: { ...target.clock, sleep } }));
    expect(target.pointer?.number).toBe(16);
    expect(generations().size).toBe(2);
  });

  it.each([
    ['no answer', () => Promise.reject(new Error('no answer'))],
    ['the answer that it is there already', async () => false],
  ])('that is given %s when it adds its entry says so, and deletes nothing', async (_, answer) => {
    const { create, get } = stage.target.ledger;
    stage.target.ledger.create = async (key, bytes) => {
      await create.call(stage.target.ledger, key, bytes);
      stage.target.ledger.get = () => Promise.reject(new Error('no answer'));
      return answer();
    };
    await expect(purge()).rejects.toMatchObject({ code: 'entry_unknown' });
    stage.target.ledger.get = get;
    stage.target.ledger.create = create;
    expect(stored()).toEqual([...objectsOf(...range(1, 14))].sort());
    stage.target.time += 2_000;
    await purge();
    expect(generations().size).toBe(1);
  });

  it('refuses where an object of the live release is lost, and says what heals it', async () => {
    const live = (await readHead(stage.target.ledger))?.manifest;
    const lost = objectKey(live?.generation ?? '', live?.parts.ids?.hash ?? '');
    expect(stage.target.values.delete(lost)).toBe(true);
    await expect(purge()).rejects.toMatchObject({
      code: 'release_incomplete',
      message: expect.stringContaining('publish --afresh'),
    });
    expect(stage.target.decisions).toEqual([]);
    await publishRelease(release(14), stage.target, publishOptions({ afresh: true }));
    await purge();
    expect(stored()).toEqual([...objectsOf(14)].sort());
  });
});

/** Purges again, after which nothing is left but what is live. */
async function expectPurged(): Promise<void> {
  stage.target.time += 10_000;
  await purge();
  expect(generations().size).toBe(1);
  expect(names()).toEqual([`${stage.target.pointer?.number}-${idOf(14)}`]);
  expect(stage.target.pointer?.before).toBeNull();
  expect(await servedSlugs(stage.target)).toHaveLength(4);
}

describe('a purge that stops half-way', () => {
  it('that is interrupted while it waits says that it is to be run again', async () => {
    const { target } = stage;
    const interruption = new AbortController();
    const { signal } = interruption;
    const onWait = () => interruption.abort(new InterruptedError());
    const context = commandContext({ signal });
    const stopped = purgeNow(Object.assign(target, { onWait, context }));
    await expect(stopped).rejects.toMatchObject({
      exitCode: 130,
      code: 'interrupted',
      message: expect.stringMatching(/^interrupted: release 15-\w+ is live .* run purge again$/),
      details: { unfinished: true },
    });
    expect(generations().size).toBe(5);
    target.context = commandContext();
    await expectPurged();
  });

  it.each([
    ['cannot write the pointer', (key: string) => key === POINTER_KEY, 'pointer to it could not'],
    ['cannot delete', (key: string) => key.startsWith(`${RELEASE_PREFIX}1-`), 'the power is out'],
  ])('that %s says why, and that it is to be run again', async (_what, fails, reason) => {
    const { target } = stage;
    target.isOut = fails;
    await expect(purgeNow(target)).rejects.toMatchObject({
      exitCode: 1,
      code: 'purge_unfinished',
      message: expect.stringMatching(`${reason}.*; run purge again$`),
    });
    target.isOut = () => false;
    await expectPurged();
  });
});
