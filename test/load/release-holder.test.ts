/** How an isolate goes over to a new release: behind its answers, or before them after a long pause. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import type { Part } from '../../src/snapshot/column-file.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { rankPart } from '../../src/snapshot/rank-column.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { HeldRelease, SECOND } from './support/held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  isolate = new HeldRelease();
});

afterEach(() => vi.useRealTimers());

const IDLE = 3 * 3600_000;

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

const PARTS = [PLACES_PART, CHUNKS_PART, IDS_PART, rankPart('name', 'fr')];

/** Reads parts of the current release, as a query does. */
async function load(parts: readonly Part[]): Promise<void> {
  const release = await isolate.current();
  await release.load(parts, isolate);
}

const keysRead = () => isolate.source.reads.map(({ key }) => key);

it('a look at the pointer happens behind an answer, once an interval', async () => {
  const first = await isolate.publishFirst();
  const { release } = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
  vi.advanceTimersByTime(29_999);
  await isolate.current();
  expect(isolate.deferred).toHaveLength(0);
  vi.advanceTimersByTime(1);
  expect((await isolate.current()).id).toBe(first);
  await isolate.current();
  expect(isolate.deferred).toHaveLength(1);
  await isolate.settle();
  expect((await isolate.current()).id).toBe(release);
  expect((await isolate.current()).storeCount).toBe(9);
});

it('a look at the pointer takes the parts along that the old release had in use, and no others', async () => {
  await isolate.publishFirst();
  await load(PARTS);
  isolate.source.reads.length = 0;
  const { parts } = await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
  await isolate.refresh();
  const wanted = PARTS.map(({ name }) => objectKey(GENERATION, parts[name]?.hash ?? ''));
  expect(keysRead().toSorted()).toEqual([POINTER_KEY, ...wanted].toSorted());
  isolate.source.reads.length = 0;
  await load(PARTS);
  expect(isolate.source.reads).toEqual([]);
});

it('a look at the pointer that hangs is begun again once an interval, and no more often', async () => {
  const first = await isolate.publishFirst();
  await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z');
  isolate.source.isHolding = true;
  await pass(30_000);
  await isolate.current();
  await pass(29_999);
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
  isolate.source.reads.length = 0;
  await pass(30_000);
  await isolate.current();
  await pass(0);
  expect(keysRead()).toEqual([POINTER_KEY]);
});

it('documents keep their room in memory while the live release is one that cannot be read', async () => {
  await isolate.publishFirst();
  const { pointer } = isolate;
  const lost = { hash: '0'.repeat(32), bytes: 90 * 1024 * 1024 };
  const manifest = { ...pointer.manifest, release: '0'.repeat(16) };
  isolate.pointer = {
    ...pointer,
    number: pointer.number + 1,
    manifest: { ...manifest, parts: { ...manifest.parts, [CHUNKS_PART.name]: lost } },
  };
  await load([CHUNKS_PART]);
  await isolate.refresh();
  const release = await isolate.current();
  (await release.records([0], isolate))[Symbol.dispose]();
  const { keys } = isolate.storage;
  (await release.records([0], isolate))[Symbol.dispose]();
  expect(isolate.storage.keys).toBe(keys);
});

describe('an isolate that was idle looks before it answers, but never waits for long:', () => {
  let first: string;
  let second: string;

  beforeEach(async () => {
    first = await isolate.publishFirst();
    second = (await isolate.source.publish(SECOND, '2026-01-02T00:00:00Z')).release;
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

  describe('after a long pause', () => {
    it('a crowd waits for one look, and is answered from the release that is live', async () => {
      await pass(IDLE);
      isolate.source.reads.length = 0;
      const crowd = Promise.all(Array.from({ length: 20 }, () => isolate.current()));
      expect((await crowd).map(({ id }) => id)).toEqual(Array(20).fill(second));
      expect(isolate.source.reads).toHaveLength(1);
    });

    it('a look that takes longer than a second is not waited for', async () => {
      await pass(IDLE);
      isolate.source.isHolding = true;
      expect(await ask()).toEqual({ id: first, after: 1_000 });
      isolate.source.letGo();
      await isolate.settle();
      expect(await ask()).toEqual({ id: second, after: 0 });
    });

    it('those who come later wait no longer than the rest of that second', async () => {
      await pass(IDLE);
      isolate.source.isHolding = true;
      isolate.current();
      await pass(700);
      expect(await ask()).toEqual({ id: first, after: 300 });
      expect(await ask()).toEqual({ id: first, after: 0 });
      isolate.source.letGo();
    });
  });

  describe('where the pointer was seen within two minutes', () => {
    it('answers do not wait, whatever is under way', async () => {
      await pass(120_000);
      isolate.source.isHolding = true;
      expect(await ask()).toEqual({ id: first, after: 0 });
      expect(isolate.source.held).toHaveLength(1);
      isolate.source.letGo();
    });
  });

  describe('while storage is out of reach', () => {
    it('and fails at once, no request waits and it is asked every five seconds', async () => {
      await pass(IDLE);
      isolate.source.failure = new Error('KV is down');
      isolate.source.reads.length = 0;
      for (let second = 0; second < 300; second++) {
        expect(await ask()).toEqual({ id: first, after: 0 });
        await pass(1_000);
      }
      // Each look is tried twice.
      expect(isolate.source.reads).toHaveLength((2 * 300) / 5);
      isolate.source.failure = null;
      await pass(5_000);
      expect((await ask()).id).toBe(second);
    });

    it('and hangs, only those wait who come in the first second of a look', async () => {
      await pass(IDLE);
      isolate.source.isHolding = true;
      const start = Date.now();
      const waited: { at: number; after: number }[] = [];
      for (let request = 0; request < 24; request++) {
        const at = Date.now() - start;
        const { after } = await ask();
        if (after > 0) waited.push({ at, after });
        await pass(500);
      }
      // A look is begun every five seconds.
      expect(waited).toEqual([0, 5_000, 10_000].map((at) => ({ at, after: 1_000 })));
      isolate.source.letGo();
      await isolate.settle();
    });

    it('and fails slowly, a failed look is not begun anew by each who comes', async () => {
      await pass(IDLE);
      isolate.source.isHolding = true;
      isolate.current();
      await pass(900);
      for (let times = 0; times < 2; times++) {
        (await isolate.source.waitForReads(1))[0]?.fail(new Error('KV is down'));
      }
      await pass(0);
      for (let request = 0; request < 10; request++) {
        expect(await ask()).toEqual({ id: first, after: 0 });
      }
      expect(isolate.source.held).toHaveLength(0);
    });
  });
});
