/** Purging: everything goes but what is live, at once; and what a purge leaves that comes to nothing. */
import { describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { readCondemned } from '../../scripts/release/condemned.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { readHead } from '../../scripts/release/log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { purgeReleases } from '../../scripts/release/purge.ts';
import { rollBack } from '../../scripts/release/roll-back.ts';
import { CONDEMNED_PREFIX, LOG_PREFIX } from '../../src/snapshot/keys.ts';
import { publishOptions } from './compiled-stores.ts';
import { DAY, range, signal, useFourteenReleases } from './fourteen-releases.ts';

const SIGNATURE = { by: 'ops', note: null };

const stage = useFourteenReleases();
const { idOf, objectsOf, prune, release, stored } = stage;

function purge() {
  const { target } = stage;
  const now = () => target.time;
  return purgeReleases(target, { signature: SIGNATURE, progress: SILENT_PROGRESS, signal, now });
}

describe('a purge', () => {
  it('leaves the live release alone, and the log', async () => {
    const { live, releases: gone } = await purge();
    expect(live).toBe(idOf(14));
    expect(gone).toHaveLength(9);
    expect(stored()).toEqual([...objectsOf(14)].sort());
    const head = await readHead(stage.target.ledger);
    expect(head).toMatchObject({ number: 15, kind: 'purge', before: null, back: null });
    const kept = await readKeptReleases(stage.target, head);
    expect(kept.releases.map(({ manifest }) => manifest.release)).toEqual([idOf(14)]);
    expect(kept.stays).toHaveLength(15);
    const back = rollBack(stage.target, { release: null, signature: SIGNATURE, hold: true });
    await expect(back).rejects.toMatchObject({ code: 'no_earlier_release' });
  });

  it('of what a publication under way relies on has it begin anew', async () => {
    const { create } = stage.target.ledger;
    let purged: Promise<unknown> | undefined;
    // Right before its entry somebody purges.
    stage.target.ledger.create = async (key, bytes) => {
      if (!purged) {
        purged = purge();
        await purged;
      }
      return create.call(stage.target.ledger, key, bytes);
    };
    await publishRelease(release(2), stage.target, publishOptions(stage.target));
    expect(stored()).toEqual(expect.arrayContaining([...objectsOf(2, 14)]));
    expect(await readHead(stage.target.ledger)).toMatchObject({ number: 16, kind: 'publish' });
  });

  describe('that cannot add its entry', () => {
    const condemned = async () => (await readCondemned(stage.target.ledger)).records;
    const unreachable = (key: string) => {
      if (key.startsWith(LOG_PREFIX)) throw new Error('storage is unreachable');
    };

    it('takes its record away: nothing is deleted, and one can go back at once', async () => {
      const all = stored();
      stage.target.beforeWrite = unreachable;
      await expect(purge()).rejects.toThrow('storage is unreachable');
      expect(await condemned()).toEqual([]);
      expect(stored()).toEqual(all);
      stage.target.beforeWrite = () => {};
      const back = { release: null, signature: SIGNATURE, hold: false };
      expect((await rollBack(stage.target, back)).to.manifest.release).toBe(idOf(13));
      const begin = stage.target.time;
      await publishRelease(release(2), stage.target, publishOptions(stage.target));
      expect(stage.target.time).toBe(begin);
    });

    it('takes its record away though nobody knows whether that was written', async () => {
      const { put } = stage.target.ledger;
      stage.target.ledger.put = async (key, bytes) => {
        await put.call(stage.target.ledger, key, bytes);
        if (key.startsWith(CONDEMNED_PREFIX)) throw new Error('no answer');
      };
      await expect(purge()).rejects.toThrow('no answer');
      expect(await condemned()).toEqual([]);
    });

    it('says why, though the record cannot be taken away; the next prune does that', async () => {
      stage.target.beforeWrite = unreachable;
      stage.target.ledger.delete = () => Promise.reject(new Error('still unreachable'));
      await expect(purge()).rejects.toThrow('storage is unreachable');
      const kept = objectsOf(...range(5, 14));
      const keptOnes = async () =>
        (await condemned()).flatMap(({ objects }) => objects).filter((hash) => kept.has(hash));
      expect(await keptOnes()).not.toEqual([]);
      stage.target.beforeWrite = () => {};
      await prune();
      expect(await keptOnes()).toEqual([]);
    });

    it('or is not told that it has: nothing is deleted before a prune has recorded it', async () => {
      const all = stored();
      const { create, get } = stage.target.ledger;
      stage.target.ledger.create = async (key, bytes, guard) => {
        await create.call(stage.target.ledger, key, bytes, guard);
        stage.target.ledger.get = () => Promise.reject(new Error('no answer'));
        throw new Error('no answer');
      };
      await expect(purge()).rejects.toThrow('no answer');
      stage.target.ledger.get = get;
      expect(await readHead(stage.target.ledger)).toMatchObject({ number: 15, kind: 'purge' });
      expect(await condemned()).toEqual([]);
      expect(stored()).toEqual(all);
      const { kept, deleted } = await prune();
      expect({ kept, deleted }).toEqual({
        kept: [idOf(14)],
        deleted: { releases: [], objects: [] },
      });
      stage.target.time += DAY;
      await prune();
      expect(stored()).toEqual([...objectsOf(14)].sort());
    });

    it('for a day leaves that record, by which a prune may be deleting', async () => {
      const { create } = stage.target.ledger;
      let isLate = false;
      stage.target.ledger.create = (key, bytes, guard) => {
        if (!isLate) stage.target.time += DAY;
        isLate = true;
        return create.call(stage.target.ledger, key, bytes, guard);
      };
      await purge();
      expect((await condemned()).map(({ isDeleted }) => isDeleted).sort()).toEqual([false, true]);
      expect(stored()).toEqual([...objectsOf(14)].sort());
    });
  });
});
