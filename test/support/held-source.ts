/** Storage of which a test decides when each read ends, and how. */
import type { Freshness, StoredObject } from '../../src/storage/reading.ts';
import { MemorySource } from './stores/memory-snapshot.ts';

/** How a test ends a read that waits for it. */
export interface Ends {
  /** Ends with what storage has by then. */
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

/** Adds a read to those that are held, and waits until the test ends it. */
export function hold<About extends object>(held: (About & Ends)[], about: About): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const forget = () => {
    const index = held.indexOf(read);
    if (index >= 0) held.splice(index, 1);
  };
  const read = {
    ...about,
    finish: () => {
      forget();
      resolve();
    },
    fail: (error: Error) => {
      forget();
      reject(error);
    },
  };
  held.push(read);
  return promise;
}

interface HeldRead extends Ends {
  readonly keys: readonly string[];
}

export class HeldSource extends MemorySource {
  /** Reads that wait, in the order in which they began. */
  readonly held: HeldRead[] = [];
  /** Whether reads wait from here on. */
  isHolding = false;

  override async readDocument(key: string): Promise<ArrayBuffer | null> {
    await this.wait([key]);
    return super.readDocument(key);
  }

  override async readObjects(
    objects: readonly StoredObject[],
    freshness: Freshness,
  ): Promise<(ArrayBuffer | null)[]> {
    await this.wait(objects.map(({ key }) => key));
    return super.readObjects(objects, freshness);
  }

  /** Waits until so many reads are held. No clock is looked at: tests have clocks of their own. */
  async waitForReads(count: number): Promise<readonly HeldRead[]> {
    while (this.held.length < count) await new Promise(setImmediate);
    return this.held;
  }

  /** Fails so many reads, one after the other. */
  async failReads(count: number): Promise<void> {
    for (let rest = count; rest > 0; rest--) {
      (await this.waitForReads(1))[0]?.fail(new Error('KV is down'));
    }
  }

  /** Ends all reads that wait, and lets others through. */
  letGo(): void {
    this.isHolding = false;
    for (const { finish } of this.held.splice(0)) finish();
  }

  private async wait(keys: readonly string[]): Promise<void> {
    if (this.isHolding) await hold(this.held, { keys });
  }
}
