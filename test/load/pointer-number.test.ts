/** The number of the pointer tells late copies of an older one. */
import { beforeEach, describe, expect, it } from 'vitest';
import { objectKey } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { IDS_PART } from '../../src/snapshot/manifest.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { HeldRelease, SECOND, THIRD } from './support/held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  isolate = new HeldRelease();
});

describe('the number of the pointer', () => {
  /** An isolate that follows number 3, and the pointers before it. */
  async function followThird(): Promise<Pointer[]> {
    await isolate.publishFirst();
    const pointers = [isolate.pointer];
    for (const stores of [SECOND, THIRD]) {
      await isolate.source.publish(stores, '2026-01-02T00:00:00Z');
      pointers.push(isolate.pointer);
    }
    await isolate.refresh();
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
    return pointers;
  }

  it('grows: a late copy of an older pointer is not followed', async () => {
    const [, second, third] = await followThird();
    isolate.pointer = second as Pointer;
    await isolate.refreshFor(270_000);
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
    isolate.pointer = third as Pointer;
    await isolate.refresh();
    // What was seen before the higher number came back does not count.
    isolate.pointer = second as Pointer;
    await isolate.refreshFor(300_000);
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
  });

  it('that is lower is followed when it has stood for five minutes', async () => {
    const [, second] = await followThird();
    isolate.pointer = second as Pointer;
    await isolate.refreshFor(300_000);
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
    await isolate.refresh();
    expect((await isolate.current()).storeCount).toBe(SECOND.length);
    expect(isolate.reports).toEqual([]);
  });

  it('that is lower has to be the same one all the time', async () => {
    const [first, second] = await followThird();
    for (let time = 0; time < 4; time++) {
      for (const pointer of [first, second]) {
        isolate.pointer = pointer as Pointer;
        await isolate.refreshFor(90_000);
      }
    }
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
  });

  it('that is lower and failed has to stand again after a higher one was seen', async () => {
    const [, second, third] = await followThird();
    await (await isolate.current()).load([IDS_PART], isolate);
    const part = objectKey(GENERATION, second?.manifest.parts[IDS_PART]?.hash ?? '');
    const bytes = isolate.source.values.get(part) as Uint8Array;
    isolate.source.values.delete(part);
    isolate.pointer = second as Pointer;
    await isolate.refreshFor(330_000);
    expect(isolate.reports).toHaveLength(1);
    isolate.source.values.set(part, bytes);
    isolate.pointer = third as Pointer;
    await isolate.refreshFor(150_000);
    isolate.pointer = second as Pointer;
    await isolate.refreshFor(270_000);
    expect((await isolate.current()).storeCount).toBe(THIRD.length);
  });
});
