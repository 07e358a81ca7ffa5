/**
 * Gives the memory of chunks that were dropped back at once. If they were left to the collector,
 * tens of megabytes of them would pile up before it runs.
 *
 * A page that waits for storage says beforehand which chunks it will show; those wait until it has
 * ended. A page whose request was ended by the platform never says so: after a while it is taken for
 * lost, and what waits for it is left to the collector.
 */
import type { Chunk } from '../snapshot/chunk.ts';

/** Milliseconds after which a page is taken for lost: no request waits for storage that long. */
const LOST_AFTER = 10_000;

/** A page of stores that is being answered. */
export interface Page {
  /** Names of the chunks that it will show. */
  readonly hashes: readonly string[];
  /** Milliseconds since 1970. */
  readonly since: number;
}

export class DroppedChunks {
  /** Pages that have not ended, in the order in which they began. */
  private readonly pages = new Set<Page>();
  /** How many pages will show a chunk, by its name. */
  private readonly uses = new Map<string, number>();
  /** Chunks that were dropped while a page needed them, by name. */
  private readonly waiting = new Map<string, Chunk>();

  /** @param hashes names of the chunks that the page will show, each once */
  beginPage(hashes: readonly string[]): Page {
    const page = { hashes, since: Date.now() };
    const [oldest] = this.pages;
    if (oldest && page.since - oldest.since > LOST_AFTER) this.forget(oldest);
    this.pages.add(page);
    for (const hash of hashes) this.uses.set(hash, (this.uses.get(hash) ?? 0) + 1);
    return page;
  }

  endPage(page: Page): void {
    if (!this.pages.has(page)) return;
    for (const chunk of this.forget(page)) chunk.giveBack();
  }

  /** A chunk that waits: until it is given back it is as good as one that was not dropped. */
  get(hash: string): Chunk | undefined {
    return this.waiting.get(hash);
  }

  /** Gives `chunk` back, now or when no page needs it any more. */
  drop(chunk: Chunk, hash: string): void {
    if (this.uses.has(hash)) this.waiting.set(hash, chunk);
    else chunk.giveBack();
  }

  /** Lets go of a page and of the chunks that waited for it alone, which are returned. */
  private forget(page: Page): Chunk[] {
    this.pages.delete(page);
    const free: Chunk[] = [];
    for (const hash of page.hashes) {
      const others = (this.uses.get(hash) ?? 1) - 1;
      if (others > 0) {
        this.uses.set(hash, others);
        continue;
      }
      this.uses.delete(hash);
      const chunk = this.waiting.get(hash);
      this.waiting.delete(hash);
      if (chunk) free.push(chunk);
    }
    return free;
  }
}
