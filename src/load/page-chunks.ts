/**
 * Gives the memory of chunks back that the cache has dropped, at the latest when no page needs them any
 * more: left to the garbage collector, 70 MB of dropped chunks were seen beside 60 MB of heap.
 */
import type { Chunk } from '../snapshot/chunks.ts';
import { MAX_WAIT } from './read-context.ts';

/** The chunks of one page, from when it asks for them until it is disposed. */
export interface PageHold extends Disposable {
  /** Names of the chunks, in memory or to come. */
  readonly hashes: Set<string>;
  /** When it ends even if it is not disposed, in milliseconds since 1970: its request may have been ended. */
  readonly until: number;
}

export class PageChunks {
  private readonly holds = new Set<PageHold>();
  /** Chunks that were dropped while pages need them, by name: these share them. */
  private readonly dropped = new Map<string, Chunk>();

  /** Returns a hold for a page, which adds the names of its chunks to it. */
  open(): PageHold {
    const now = Date.now();
    for (const { until, [Symbol.dispose]: end } of this.holds) {
      if (now < until) break;
      end();
    }
    const hold = {
      hashes: new Set<string>(),
      until: now + 2 * MAX_WAIT,
      [Symbol.dispose]: () => this.end(hold),
    };
    this.holds.add(hold);
    return hold;
  }

  /** Returns a dropped chunk that a page still holds. */
  get(hash: string): Chunk | undefined {
    return this.dropped.get(hash);
  }

  /** Takes a chunk that the cache has dropped. */
  drop(chunk: Chunk, hash: string): void {
    if (this.isHeld(hash)) {
      this.dropped.set(hash, chunk);
      return;
    }
    this.dropped.delete(hash);
    chunk.giveBack();
  }

  private end(hold: PageHold): void {
    this.holds.delete(hold);
    for (const [hash, chunk] of this.dropped) if (hold.hashes.has(hash)) this.drop(chunk, hash);
  }

  private isHeld(hash: string): boolean {
    for (const { hashes } of this.holds) if (hashes.has(hash)) return true;
    return false;
  }
}
