/**
 * Gives the memory of chunks that were dropped back at once. If they were left to the collector,
 * tens of megabytes of them would pile up before it runs.
 *
 * A page that was begun before a chunk was dropped may still show it, so the chunk waits until all
 * such pages have ended. A page whose request was ended by the platform never does; after a while it
 * is taken for lost, and what waits for it is left to the collector.
 */
import type { Chunk } from '../snapshot/chunk.ts';

/** Milliseconds after which a page is taken for lost: no request waits for storage that long. */
const LOST_AFTER = 10_000;

/** A page of stores that is being answered. */
export interface Page {
  /** Pages are numbered in the order in which they begin. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export class DroppedChunks {
  private lastPage = 0;
  /** Pages that have not ended, in the order in which they began. */
  private readonly pages = new Set<Page>();
  /** Chunks that wait, each with the last page that may show it, in ascending order of that. */
  private readonly waiting = new Map<Chunk, number>();

  beginPage(): Page {
    const page = { number: ++this.lastPage, since: Date.now() };
    const [oldest] = this.pages;
    if (oldest && page.since - oldest.since > LOST_AFTER) {
      this.pages.delete(oldest);
      this.waiting.clear();
    }
    this.pages.add(page);
    return page;
  }

  endPage(page: Page): void {
    this.pages.delete(page);
    const [oldest] = this.pages;
    for (const [chunk, last] of this.waiting) {
      if (oldest && oldest.number <= last) return;
      this.waiting.delete(chunk);
      chunk.giveBack();
    }
  }

  /** Nobody begins to use `chunk` from here on; it is given back when no page uses it any more. */
  drop(chunk: Chunk): void {
    if (this.pages.size === 0) chunk.giveBack();
    else this.waitForPages(chunk);
  }

  /** Says that a page under way has come to use `chunk`, which may have been dropped meanwhile. */
  use(chunk: Chunk): void {
    if (this.waiting.has(chunk)) this.waitForPages(chunk);
  }

  private waitForPages(chunk: Chunk): void {
    this.waiting.delete(chunk);
    this.waiting.set(chunk, this.lastPage);
  }
}
