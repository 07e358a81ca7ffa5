/** Collecting: what goes, what stays, and that it may be cut short; purge.test.ts has purges. */
import { describe, expect, it } from 'vitest';
import { findCollectable } from '../../scripts/release/collect.ts';
import { readHead } from '../../scripts/release/log.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { LOG_PREFIX, logKey, releaseName } from '../../src/snapshot/keys.ts';
import { DAY, range, useFourteenReleases } from './support/fourteen-releases.ts';
import { collect as collectNow } from './support/operator.ts';

const stage = useFourteenReleases();
const { idOf, names, objectsOf, stored } = stage;

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
      stage.target.beforeWrite = () => {
        if (stage.target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(collect()).rejects.toThrow('the power is out');
      stage.target.beforeWrite = () => {};
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
