/**
 * The number that an isolate serves never falls, however reads of the pointer and of parts overlap: but
 * for a lower pointer that has stood for five minutes, and for the fallback to the release before.
 */
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import type { SnapshotSource } from '../../src/storage/reading.ts';
import { decodePointer, publish } from '../support/stores/memory-snapshot.ts';
import { WatchedStorage } from '../support/watched-storage.ts';
import { FIRST, HeldRelease, REFRESH_INTERVAL, SECOND, THIRD } from './support/held-release.ts';
import { simulateTime } from './support/simulated-time.ts';

const MINUTE = 60_000;

const pass = simulateTime();

describe('a lower number of the pointer', () => {
  let isolate: HeldRelease;
  /** Pointers by their number, from 1 on. */
  let pointers: readonly (Pointer | null)[];

  beforeEach(async () => {
    isolate = new HeldRelease();
    await isolate.publishFirst();
    const first = isolate.pointer;
    await isolate.publish(SECOND);
    const second = isolate.pointer;
    await isolate.publish(THIRD);
    pointers = [null, first, second, isolate.pointer];
    await isolate.refresh();
    expect((await isolate.current()).number).toBe(3);
  });

  /** The numbers that are served while the pointer has this one, looked at every half minute. */
  async function servedWith(number: number, minutes: number): Promise<number[]> {
    isolate.pointer = pointers[number] as Pointer;
    const numbers: number[] = [];
    for (let passed = 0; passed < minutes; passed += 0.5) {
      await isolate.refresh();
      numbers.push((await isolate.current()).number);
    }
    return numbers;
  }

  it.each<[string, ...(readonly [number: number, minutes: number, served: number])[]]>([
    // The first look begins these minutes.
    ['is followed when it has stood for five minutes', [2, 5, 3], [2, 0.5, 2]],
    [
      'has to be the same one all the time',
      ...Array.from({ length: 8 }, (_, turn) => [1 + (turn % 2), 2, 3] as const),
    ],
    ['has to stand again after a higher one was seen', [2, 4, 3], [3, 0.5, 3], [2, 5, 3]],
  ])('%s', async (_, ...steps) => {
    for (const [number, minutes, served] of steps) {
      expect(await servedWith(number, minutes)).toEqual(Array(2 * minutes).fill(served));
    }
  });

  it('whose release fails is tried again two minutes later', async () => {
    await isolate.load([IDS_PART]);
    await servedWith(2, 5);
    isolate.source.begin({ hangs: true });
    vi.advanceTimersByTime(REFRESH_INTERVAL);
    await isolate.current();
    (await isolate.source.waitForReads(1))[0]?.finish();
    await isolate.source.failReads(2);
    isolate.source.end();
    await isolate.settle().catch(() => {});
    expect(await servedWith(2, 2)).toEqual([3, 3, 3, 2]);
  });
});

/** What may happen to an isolate, and how often; reads are held until a step ends them. */
const WEIGHTS = {
  publish: 2,
  ask: 5,
  finish: 12,
  fail: 2,
  pass: 4,
  passLong: 1,
  // Storage set up anew, or a late copy: the pointer has an older number for a while.
  rewind: 1,
  fallBack: 1,
};
type Incident = keyof typeof WEIGHTS;

const INCIDENTS = Object.entries(WEIGHTS).map(([incident, weight]) => {
  return { weight, arbitrary: fc.constant(incident as Incident) };
});
/** What happens, and a number that says how: which read, how long, how far back. */
const STEPS = fc.array(fc.tuple(fc.oneof(...INCIDENTS), fc.nat(9)), {
  minLength: 50,
  maxLength: 200,
});

const SHORT = [100, 1_000, 1_000, 1_500];
const LONG = [30_000, 2 * MINUTE, 5 * MINUTE];
const lengthOf = (lengths: readonly number[], which: number) =>
  lengths[which % lengths.length] as number;

/** An isolate in a random history, which remembers what its reads of the pointer have brought. */
class History extends WatchedStorage {
  private readonly isolate = new HeldRelease(this, 1_000);
  private readonly published: Pointer[] = [];
  /** Numbers of the pointer in the order in which they came, with the time of each. */
  private readonly seen: { number: number; at: number }[] = [];
  /** The release that answered last. */
  private last: LoadedRelease | undefined;

  override get source(): SnapshotSource {
    const source = super.source;
    const read = source.readDocument.bind(source);
    source.readDocument = async (...asked) => {
      const bytes = await read(...asked);
      const number = decodePointer(bytes)?.number;
      if (number !== undefined) this.seen.push({ number, at: Date.now() });
      return bytes;
    };
    return source;
  }

  async play(steps: readonly (readonly [Incident, number])[]): Promise<void> {
    await this.publishNext();
    await this.ask();
    await this.last?.load([CHUNKS_PART, IDS_PART], this.isolate);
    this.begin({ hangs: true });
    const answers: Promise<void>[] = [];
    for (const [incident, which] of steps) {
      const read = this.held[which % Math.max(1, this.held.length)];
      if (incident === 'publish') await this.publishNext();
      else if (incident === 'rewind') this.rewind(which % 4);
      else if (incident === 'pass') await pass(lengthOf(SHORT, which));
      else if (incident === 'passLong') await pass(lengthOf(LONG, which));
      else if (incident === 'ask') answers.push(this.ask());
      else if (incident === 'fallBack') answers.push(this.fallBack());
      else if (incident === 'finish') read?.finish();
      else read?.fail(new Error('KV is down'));
      await pass(0);
    }
    this.letGo();
    await pass(10_000);
    await Promise.all(answers);
  }

  private async ask(): Promise<void> {
    const release = await this.isolate.current();
    const [before, after] = [this.last?.number ?? 0, release.number];
    this.last = release;
    if (after < before && !this.hasStood(after)) throw new Error(`${after} after ${before}`);
  }

  private async fallBack(): Promise<void> {
    if (this.last) this.last = await this.isolate.insteadOf(this.last);
  }

  private async publishNext(): Promise<void> {
    const stores = [FIRST, SECOND, THIRD][this.published.length % 3] as typeof FIRST;
    this.rewind(0);
    await publish(this.values, stores);
    this.published.push(this.isolate.pointer);
  }

  /** Puts back the pointer of so many publications ago. */
  private rewind(by: number): void {
    const pointer = this.published.at(-1 - by);
    if (pointer) this.isolate.pointer = pointer;
  }

  /** Whether every read of the pointer has brought this number for five minutes. */
  private hasStood(number: number): boolean {
    const since = this.seen.findLastIndex((each) => each.number !== number) + 1;
    return Date.now() - (this.seen[since]?.at ?? Infinity) >= 5 * MINUTE;
  }
}

it('in random histories of overlapping reads, lower numbers, failing parts and fallbacks', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, (steps) => new History().play(steps)),
    { numRuns: 300, seed: 38 },
  );
});
