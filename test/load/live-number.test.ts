/**
 * The number that an isolate serves never falls, however reads of the pointer and of parts overlap: but
 * for a lower pointer that has stood for five minutes, and for the fallback to the release before.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { HeldSource } from '../support/held-source.ts';
import { decodePointer } from '../support/stores/memory-snapshot.ts';
import { FIRST, HeldRelease, SECOND, THIRD } from './support/held-release.ts';

const MINUTE = 60_000;
const HALF_MINUTE = 30_000;

let isolate: HeldRelease;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  isolate = new HeldRelease();
});

afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** The number that a request is answered from. */
const served = async () => (await isolate.current()).number;

describe('a lower number of the pointer', () => {
  /** Pointers by their number. */
  let pointers: Pointer[];

  beforeEach(async () => {
    await isolate.publishFirst();
    pointers = [isolate.pointer];
    for (const stores of [SECOND, THIRD]) {
      await isolate.source.publish(stores, '2026-01-02T00:00:00Z');
      pointers.push(isolate.pointer);
    }
    await isolate.refresh();
    expect(await served()).toBe(3);
  });

  /** The numbers that are served while the pointer has this one, looked at every half minute. */
  async function servedWith(number: number, milliseconds: number): Promise<number[]> {
    isolate.pointer = pointers[number - 1] as Pointer;
    const numbers: number[] = [];
    for (let passed = 0; passed < milliseconds; passed += HALF_MINUTE) {
      await isolate.refresh();
      numbers.push(await served());
    }
    return numbers;
  }

  it('is followed when it has stood for five minutes', async () => {
    // The first look begins these minutes.
    expect(await servedWith(2, 5 * MINUTE)).toEqual(Array(10).fill(3));
    expect(await servedWith(2, HALF_MINUTE)).toEqual([2]);
  });

  it('has to be the same one all the time', async () => {
    for (let turn = 0; turn < 8; turn++) {
      expect(await servedWith(1 + (turn % 2), 2 * MINUTE)).toEqual(Array(4).fill(3));
    }
  });

  it('has to stand again after a higher one was seen', async () => {
    await servedWith(2, 4 * MINUTE);
    expect(await servedWith(3, HALF_MINUTE)).toEqual([3]);
    expect(await servedWith(2, 5 * MINUTE)).toEqual(Array(10).fill(3));
  });

  it('whose release fails is tried again two minutes later', async () => {
    await (await isolate.current()).load([IDS_PART], isolate);
    await servedWith(2, 5 * MINUTE);
    isolate.source.isHolding = true;
    vi.advanceTimersByTime(HALF_MINUTE);
    await isolate.current();
    (await isolate.source.waitForReads(1))[0]?.finish();
    for (let times = 0; times < 2; times++) {
      (await isolate.source.waitForReads(1))[0]?.fail(new Error('KV is down'));
    }
    isolate.source.isHolding = false;
    await isolate.settle().catch(() => {});
    expect(await servedWith(2, 2 * MINUTE)).toEqual([3, 3, 3, 2]);
  });
});

/** What may happen to an isolate; reads are held until a step ends them. */
const STEPS = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant({ does: 'publish' } as const) },
    { weight: 5, arbitrary: fc.constant({ does: 'ask' } as const) },
    {
      weight: 12,
      arbitrary: fc.record({ does: fc.constant('finish' as const), read: fc.nat(9) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('fail' as const), read: fc.nat(9) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('pass' as const),
        milliseconds: fc.constantFrom(100, 1_000, 1_000, 1_500),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('pass' as const),
        milliseconds: fc.constantFrom(30_000, 2 * MINUTE, 5 * MINUTE),
      }),
    },
    // Storage set up anew, or a late copy: the pointer has an older number for a while.
    { weight: 1, arbitrary: fc.record({ does: fc.constant('rewind' as const), by: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.constant({ does: 'fallBack' } as const) },
  ),
  { minLength: 50, maxLength: 200 },
);

type Step = (typeof STEPS extends fc.Arbitrary<infer Steps> ? Steps : never)[number];

/** An isolate in a random history, which remembers what its reads of the pointer have brought. */
class History extends HeldSource {
  private readonly isolate = new HeldRelease(this, 1_000);
  private readonly published: Pointer[] = [];
  /** Numbers of the pointer in the order in which they came, with the time of each. */
  private readonly seen: { number: number; at: number }[] = [];
  /** The release that answered last. */
  private last: LoadedRelease | undefined;

  override async readDocument(key: string): Promise<ArrayBuffer | null> {
    const bytes = await super.readDocument(key);
    const number = decodePointer(bytes)?.number;
    if (number !== undefined) this.seen.push({ number, at: Date.now() });
    return bytes;
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.publishNext();
    await this.ask();
    await this.last?.load([CHUNKS_PART, IDS_PART], this.isolate);
    this.isHolding = true;
    const answers: Promise<void>[] = [];
    for (const step of steps) {
      if (step.does === 'publish') await this.publishNext();
      else if (step.does === 'rewind') this.rewind(step.by);
      else if (step.does === 'pass') await pass(step.milliseconds);
      else if (step.does === 'ask') answers.push(this.ask());
      else if (step.does === 'fallBack') answers.push(this.fallBack());
      else {
        const read = this.held[step.read % Math.max(1, this.held.length)];
        if (step.does === 'finish') read?.finish();
        else read?.fail(new Error('KV is down'));
      }
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
    await this.publish(stores, '2026-01-02T00:00:00Z');
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
