/** The first publication of a day: it looks at what lies in storage, deletes what is due, and may begin anew. */
import { beforeEach, describe, expect, it } from 'vitest';
import { totalBytes } from '../../scripts/build/release-reader.ts';
import { listKeys } from '../../scripts/storage/key-value-store.ts';
import { OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { publishAsJob } from '../support/publish-as-job.ts';
import { compileStores, dayOfJanuary, storesFrom } from '../support/stores/compiled-stores.ts';
import { goBack } from './support/operator.ts';

const HOUR = 3600_000;

/** A generation that was begun in December, and never named. */
const FORGOTTEN = objectKey('20251201T000000Z-forgot', 'a'.repeat(32));

let target: MemoryTarget;
let remarks: string[];

beforeEach(async () => {
  target = new MemoryTarget();
  remarks = [];
  await publishAt(1, 10, 3);
});

/** Publishes as the command does, at an hour of January. */
async function publishAt(day: number, hour: number, count: number) {
  target.time = dayOfJanuary(day).getTime() + hour * HOUR;
  const compiled = await compileStores(storesFrom(1, count));
  return publishAsJob(compiled, target, { force: true }, (text) => void remarks.push(text));
}

const generation = () => target.pointer?.manifest.generation ?? '';

describe('the first publication of a day', () => {
  it('deletes what the log of the days before has given up, also if it finds nothing to change, and the next ones do not look', async () => {
    target.values.set(FORGOTTEN, new Uint8Array(3));
    expect((await publishAt(1, 11, 4)).collected).toBeNull();
    // Only what is a day old counts, and that must say so twelve hours after the generation began.
    const { alreadyLive, collected } = await publishAt(2, 12, 4);
    expect([alreadyLive, collected?.objects]).toEqual([true, [FORGOTTEN]]);
    expect(target.values.has(FORGOTTEN)).toBe(false);
    expect((await publishAt(2, 13, 6)).collected).toBeNull();
  });

  it('is live although it cannot delete, and says so', async () => {
    target.values.set(FORGOTTEN, new Uint8Array(3));
    target.isOut = (key) => key === FORGOTTEN;
    const { number, collected } = await publishAt(2, 12, 4);
    expect({ number, collected }).toEqual({ number: 2, collected: null });
    expect(target.pointer?.number).toBe(2);
    expect(remarks.at(-1)).toContain(
      'could not be deleted, snapshot prune does it: the power is out',
    );
  });

  it('begins a generation where the newest weighs over four times what is live', async () => {
    const first = generation();
    const live = target.pointer?.manifest;
    if (!live) throw new Error('nothing is live');
    const most = 4 * totalBytes(live);
    const stored = await listKeys(target.objects, OBJECT_PREFIX);
    const bytes = stored.reduce((sum, key) => sum + (target.values.get(key)?.length ?? 0), 0);
    const filling = objectKey(first, 'b'.repeat(32));
    target.values.set(filling, new Uint8Array(most - bytes));
    await publishAt(2, 10, 4);
    expect(generation()).toBe(first);
    const now = await listKeys(target.objects, OBJECT_PREFIX);
    expect(now.every((key) => key.startsWith(`${OBJECT_PREFIX}${first}/`))).toBe(true);
    target.values.set(filling, new Uint8Array(2 * most));
    // Later the same day no run collects.
    await publishAt(2, 11, 5);
    expect(generation()).toBe(first);
    const { uploaded } = await publishAt(3, 10, 6);
    expect(generation()).not.toBe(first);
    const { objects } = await compileStores(storesFrom(1, 6));
    expect(uploaded.objects).toBe(objects.size);
  });

  it('that is held hears of that before it looks at anything', async () => {
    await publishAt(1, 11, 4);
    await goBack(target);
    target.objects.list = () => {
      throw new Error('listed');
    };
    const held = publishAt(2, 10, 5);
    await expect(held).rejects.toMatchObject({ code: 'publication_held' });
  });
});
