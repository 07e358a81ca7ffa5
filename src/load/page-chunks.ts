/**
 * Gives the memory of chunks back that the cache has dropped, at the latest when no page needs them any
 * more: left to the garbage collector, 70 MB of dropped chunks were seen beside 60 MB of heap.
 */
import type { Chunk } from '../snapshot/chunks.ts';
import { MAX_WAIT } from './read-context.ts';

/** The use of chunks by one page, from when it asks for them until it is disposed. */
interface PageUse extends Disposable {
  /** Names of the chunks, in memory or to come. */
  readonly hashes: Set<string>;
  /** When it ends even if it is not disposed, in milliseconds since 1970: its request may have been ended. */
  readonly until: number;
}

export class PageChunks {
  private readonly uses = new Set<PageUse>();
  /** Chunks that were dropped while pages need them, by name: these share them. */
  private readonly dropped = new Map<string, Chunk>();

  /** Returns the use of a page, which adds the names of its chunks to it. */
  open(): PageUse {
    const now = Date.now();
    for (const { until, [Symbol.dispose]: end } of this.uses) {
      if (now < until) break;
      end();
    }
    const use = {
      hashes: new Set<string>(),
      until: now + 2 * MAX_WAIT,
      [Symbol.dispose]: () => {
        this.uses.delete(use);
        for (const [hash, chunk] of this.dropped) if (use.hashes.has(hash)) this.drop(chunk, hash);
      },
    };
    this.uses.add(use);
    return use;
  }

  /** Returns a dropped chunk that a page still uses. */
  get(hash: string): Chunk | undefined {
    return this.dropped.get(hash);
  }

  /** Takes a chunk that the cache has dropped. */
  drop(chunk: Chunk, hash: string): void {
    for (const { hashes } of this.uses) {
      if (!hashes.has(hash)) continue;
      this.dropped.set(hash, chunk);
      return;
    }
    this.dropped.delete(hash);
    chunk.giveBack();
  }
}
