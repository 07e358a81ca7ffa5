/** How an isolate goes over to a new release: behind its answers, or before them after a long pause. */

import { beforeEach, describe, expect, it } from 'vitest';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { HeldRelease, PARTS, REFRESH_INTERVAL, SECOND } from './support/held-release.ts';
import { simulateTime } from './support/simulated-time.ts';

const pass = simulateTime();
let isolate: HeldRelease;
let first: string;

beforeEach(async () => {
  isolate = new HeldRelease();
  first = await isolate.publishFirst();
});

const IDLE = 3 * 3600_000;

describe('a look at the pointer', () => {
  it('takes the parts along that the old release had in use, and no others', async () => {
    await isolate.load();
    isolate.keysRead();
    const { parts } = await isolate.publish(SECOND);
    await isolate.refresh();
    const wanted = PARTS.map(({ name }) => objectKey(GENERATION, parts[name]?.hash ?? ''));
    expect(isolate.keysRead().toSorted()).toEqual([POINTER_KEY, ...wanted].toSorted());
    await isolate.load();
    expect(isolate.keysRead()).toEqual([]);
  });

  it('that hangs is begun again once an interval, and no more often', async () => {
    await isolate.publish(SECOND);
    isolate.source.begin({ hangs: true });
    await pass(REFRESH_INTERVAL);
    await isolate.current();
    await pass(REFRESH_INTERVAL - 1);
    await isolate.current();
    expect(isolate.source.held).toHaveLength(1);
    await pass(1);
    expect((await isolate.current()).id).toBe(first);
    expect(isolate.source.held).toHaveLength(2);
    // The first look was ended with its request; the second one comes.
    isolate.source.held.splice(0, 1);
    isolate.source.letGo();
    await pass(0);
    expect((await isolate.current()).storeCount).toBe(SECOND.length);
    isolate.keysRead();
    await pass(REFRESH_INTERVAL);
    await isolate.current();
    await pass(0);
    expect(isolate.keysRead()).toEqual([POINTER_KEY]);
  });

  it('that finds a release which cannot be read leaves documents their room in memory', async () => {
    const { pointer } = isolate;
    const lost = { hash: '0'.repeat(32), bytes: 90 * 1024 * 1024 };
    const manifest = { ...pointer.manifest, release: '0'.repeat(16) };
    isolate.pointer = {
      ...pointer,
      number: pointer.number + 1,
      manifest: { ...manifest, parts: { ...manifest.parts, [CHUNKS_PART.name]: lost } },
    };
    await isolate.load([CHUNKS_PART]);
    await isolate.refresh();
    const release = await isolate.current();
    (await release.records([0], isolate))[Symbol.dispose]();
    const { keys } = isolate.storage;
    (await release.records([0], isolate))[Symbol.dispose]();
    expect(isolate.storage.keys).toBe(keys);
  });
});

describe('an isolate that was idle looks before it answers, but never waits for long', () => {
  let second: string;

  beforeEach(async () => {
    second = (await isolate.publish(SECOND)).release;
    await pass(IDLE);
    isolate.keysRead();
  });

  /** Asks for the release, and says what came and after how many milliseconds. */
  async function ask(): Promise<{ id: string; after: number }> {
    const start = Date.now();
    let answer: { id: string; after: number } | undefined;
    isolate.current().then(({ id }) => {
      answer = { id, after: Date.now() - start };
    });
    for (let step = 0; !answer; step++) {
      if (step > 300) throw new Error('nothing came within three seconds');
      await pass(step === 0 ? 0 : 10);
    }
    return answer;
  }

  it('a crowd waits for one look, and is answered from the release that is live', async () => {
    const crowd = Promise.all(Array.from({ length: 20 }, () => isolate.current()));
    expect((await crowd).map(({ id }) => id)).toEqual(Array(20).fill(second));
    expect(isolate.keysRead()).toHaveLength(1);
  });

  it('within two minutes after a look answers do not wait, whatever is under way', async () => {
    await isolate.current();
    await pass(120_000);
    isolate.source.begin({ hangs: true });
    expect(await ask()).toEqual({ id: second, after: 0 });
    expect(isolate.source.held).toHaveLength(1);
    isolate.source.letGo();
  });

  it('where storage fails at once, no request waits and it is asked every five seconds', async () => {
    isolate.source.begin({ fails: true });
    for (let second = 0; second < 300; second++) {
      expect(await ask()).toEqual({ id: first, after: 0 });
      await pass(1_000);
    }
    // Each look is tried twice.
    expect(isolate.keysRead()).toHaveLength((2 * 300) / 5);
    isolate.source.end();
    await pass(5_000);
    expect((await ask()).id).toBe(second);
  });

  it('where storage hangs, only those wait who come in the first second of a look', async () => {
    isolate.source.begin({ hangs: true });
    const start = Date.now();
    isolate.current();
    await pass(700);
    const waited: { at: number; after: number }[] = [];
    for (let request = 0; request < 24; request++) {
      const at = Date.now() - start;
      const { id, after } = await ask();
      expect(id).toBe(first);
      if (after > 0) waited.push({ at, after });
      await pass(500);
    }
    // A look is begun every five seconds.
    expect(waited).toEqual([
      { at: 700, after: 300 },
      { at: 5_000, after: 1_000 },
      { at: 10_000, after: 1_000 },
    ]);
    isolate.source.letGo();
    await isolate.settle();
    expect(await ask()).toEqual({ id: second, after: 0 });
  });

  it('where storage fails slowly, a failed look is not begun anew by each who comes', async () => {
    isolate.source.begin({ hangs: true });
    isolate.current();
    await pass(900);
    await isolate.source.failReads(2);
    await pass(0);
    for (let request = 0; request < 10; request++) {
      expect(await ask()).toEqual({ id: first, after: 0 });
    }
    expect(isolate.source.held).toHaveLength(0);
  });
});
