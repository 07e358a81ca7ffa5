/** Collecting and purging: what goes, what stays, and what one leaves that comes to nothing. */
import { beforeEach, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { findCollectable } from '../../scripts/release/collect.ts';
import { readEntries, readHead } from '../../scripts/release/log.ts';
import { judgeLog } from '../../scripts/release/log-entry.ts';
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
import type { MemoryTarget } from '../support/memory-target.ts';
import { servedSlugs } from '../support/publish-stage.ts';
import { publishRelease } from '../support/stores/compiled-stores.ts';
import { DAY, range, useFourteenReleases } from './support/fourteen-releases.ts';
import { collect, goBack, purge } from './support/operator.ts';

const stage = useFourteenReleases();
const { idOf, names, objectsOf, release, stored } = stage;

const nameOf = (number: number) => releaseName(number, idOf(number));

let target: MemoryTarget;

beforeEach(() => {
  target = stage.target;
});

describe('collecting', () => {
  it('waits for a day, and then deletes what is not kept, and no more', async () => {
    // Release 14 went live a moment ago: by the log of a day ago release 4 is kept.
    expect((await collect(target)).generations).toEqual([]);
    expect(names()).toEqual(range(4, 14).map(nameOf));
    target.time += DAY;
    const { generations, releases: gone } = await collect(target);
    expect(generations).toHaveLength(1);
    expect(gone).toEqual([nameOf(4)]);
    expect(names()).toEqual(range(5, 14).map(nameOf));
    expect(stored()).toEqual(objectsOf(5, 14));
    expect(await collect(target)).toMatchObject({ generations: [], releases: [], objects: [] });
  });

  it('says beforehand what it would do, and writes nothing', async () => {
    target.time += DAY;
    const planned = await findCollectable(target, await readHead(target.ledger));
    expect(target.writes).toEqual([]);
    expect(await collect(target)).toEqual(planned);
  });

  it('that is cut short at any point leaves what is kept whole; the next one finishes', async () => {
    target.time += DAY;
    const due = target.fork();
    target.writes.length = 0;
    await collect(target);
    const writes = target.writes.length;
    const expected = stored();
    expect(writes).toBeGreaterThan(10);
    for (let stop = 0; stop < writes; stop += 3) {
      target = due.fork();
      stage.target = target;
      target.writes.length = 0;
      target.isOut = () => target.writes.length >= stop;
      await expect(collect(target)).rejects.toThrow('the power is out');
      target.isOut = () => false;
      expect(stored()).toEqual(expect.arrayContaining(objectsOf(5, 14)));
      await collect(target);
      expect(stored()).toEqual(expected);
    }
  });

  it('deletes nothing when an entry cannot be read', async () => {
    target.ledgerValues.set(logKey(9), { bytes: new Uint8Array([1]), storedAt: 0 });
    target.time += DAY;
    await expect(collect(target)).rejects.toMatchObject({ code: 'log_unreadable' });
    expect(target.writes).toEqual([]);
  });

  it('drops entries of the log after 400 days, but those of kept releases', async () => {
    target.time += 400 * DAY;
    await collect(target);
    const entries = [...target.ledgerValues.keys()].filter((key) => key.startsWith(LOG_PREFIX));
    expect(entries).toEqual(range(5, 14).map(logKey));
    expect((await readHead(target.ledger))?.number).toBe(14);
  });
});

const generations = () =>
  new Set(
    [...target.values.keys()]
      .filter((key) => key.startsWith(OBJECT_PREFIX))
      .map((key) => key.split('/')[3]),
  );

describe('a purge', () => {
  it('leaves the live stores alone, in a new generation, and the log', async () => {
    const { number, manifest } = (await readHead(target.ledger)) ?? { number: 0 };
    const { entry, deleted } = await purge(target);
    expect(entry).toMatchObject({ number: number + 1, kind: 'purge', before: null, back: null });
    expect(entry.manifest.generation).not.toBe(manifest?.generation);
    expect(deleted.generations).toHaveLength(4);
    expect(generations()).toEqual(new Set([entry.manifest.generation]));
    expect(stored()).toEqual(objectsOf(14));
    expect(target.pointer).toMatchObject({ number: 15, before: null });
    const entries = await readEntries(target, entry, 15);
    expect(judgeLog(entries).kept.map(({ manifest: each }) => each.release)).toEqual([idOf(14)]);
    expect(entries).toHaveLength(15);
    await expect(goBack(target)).rejects.toMatchObject({ code: 'no_earlier_release' });
    expect(names()).toEqual([`15-${idOf(14)}`]);
  });

  it('gives Workers the time to read what is live now before it deletes', async () => {
    const begin = target.time;
    let first: number | null = null;
    target.beforeWrite = (key) => {
      if (target.pointer?.number === 15 && key.startsWith(OBJECT_PREFIX)) {
        first ??= target.time;
      }
    };
    await purge(target);
    expect(first).toBe(begin + target.readersWait);
  });

  it('leaves to a later purge what that gives up: Workers may still read it', async () => {
    let later = 0;
    const sleep = async () => {
      target.time += 60_000;
      if (later++ > 0) throw new Error('the power is out');
      await expect(purge(target)).rejects.toThrow('the power is out');
    };
    await purge(Object.assign(target, { clock: { ...target.clock, sleep } }));
    expect(target.pointer?.number).toBe(16);
    expect(generations().size).toBe(2);
  });

  it.each([
    ['no answer', () => Promise.reject(new Error('no answer'))],
    ['the answer that it is there already', async () => false],
  ])('that is given %s when it adds its entry says so, and deletes nothing', async (_, answer) => {
    const { create, get } = target.ledger;
    target.ledger.create = async (key, bytes) => {
      await create.call(target.ledger, key, bytes);
      target.ledger.get = () => Promise.reject(new Error('no answer'));
      return answer();
    };
    await expect(purge(target)).rejects.toMatchObject({ code: 'entry_unknown' });
    target.ledger.get = get;
    target.ledger.create = create;
    expect(stored()).toEqual(objectsOf(1, 14));
    target.time += 2_000;
    await purge(target);
    expect(generations().size).toBe(1);
  });

  it('refuses where an object of the live release is lost, and says what heals it', async () => {
    const live = (await readHead(target.ledger))?.manifest;
    const lost = objectKey(live?.generation ?? '', live?.parts.ids?.hash ?? '');
    expect(target.values.delete(lost)).toBe(true);
    await expect(purge(target)).rejects.toMatchObject({
      code: 'release_damaged',
      message: expect.stringContaining('publish --afresh'),
    });
    expect(target.decisions).toEqual([]);
    await publishRelease(release(14), target, { afresh: true });
    await purge(target);
    expect(stored()).toEqual(objectsOf(14));
  });
});

/** Purges again, after which nothing is left but what is live. */
async function expectPurged(): Promise<void> {
  target.time += 10_000;
  await purge(target);
  expect(generations().size).toBe(1);
  expect(names()).toEqual([`${target.pointer?.number}-${idOf(14)}`]);
  expect(target.pointer?.before).toBeNull();
  expect(await servedSlugs(target)).toHaveLength(4);
}

describe('a purge that stops half-way', () => {
  it('that is interrupted while it waits says that it is to be run again', async () => {
    const interruption = new AbortController();
    const { signal } = interruption;
    const remark = () => interruption.abort(new InterruptedError());
    target.context = commandContext({ signal, remark });
    const stopped = purge(target);
    await expect(stopped).rejects.toMatchObject({
      exitCode: 130,
      code: 'interrupted',
      message: expect.stringMatching(/^interrupted: release 15-\w+ is live .* run purge again$/),
    });
    expect(generations().size).toBe(5);
    target.context = commandContext();
    await expectPurged();
  });

  it.each([
    ['cannot write the pointer', (key: string) => key === POINTER_KEY, 'pointer to it could not'],
    ['cannot delete', (key: string) => key.startsWith(`${RELEASE_PREFIX}1-`), 'the power is out'],
  ])('that %s says why, and that it is to be run again', async (_what, fails, reason) => {
    target.isOut = fails;
    await expect(purge(target)).rejects.toMatchObject({
      exitCode: 1,
      code: 'purge_unfinished',
      message: expect.stringMatching(`${reason}.*; run purge again$`),
    });
    target.isOut = () => false;
    await expectPurged();
  });
});
