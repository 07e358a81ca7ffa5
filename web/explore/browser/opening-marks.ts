/** Which stores are open at an instant, worked out in slices so that the page stays quick. */
import { isOpenAt } from '../../../client/src/index.ts';
import type { FoundStore } from './found-store.ts';
import type { Temporal } from './temporal.ts';

/** Milliseconds of work before the page has its turn. */
const SLICE = 10;

type OpenStores = ReadonlyMap<string, boolean>;

/** @throws the reason of `signal` */
async function findOpenStores(
  stores: readonly FoundStore[],
  at: Date,
  signal: AbortSignal,
): Promise<OpenStores> {
  const open = new Map<string, boolean>();
  let started = performance.now();
  for (const { id, temporal } of stores) {
    const isOpen = temporal && isOpenOrUnknown(temporal, at);
    if (isOpen !== null) open.set(id, isOpen);
    if (performance.now() - started < SLICE) continue;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    started = performance.now();
  }
  return open;
}

/** Null where this browser does not know the time zone. */
export function isOpenOrUnknown(temporal: Temporal, at: Date): boolean | null {
  try {
    return isOpenAt({ temporal }, at);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What is known of opening hours, from one look to the next. */
export class OpeningMarks {
  private open: OpenStores = new Map();
  private looking = new AbortController();

  /** Null where nothing is known. */
  isOpen(id: string): boolean | null {
    return this.open.get(id) ?? null;
  }

  /** Looks at all stores; false when a later look has ended this one. */
  async look(stores: readonly FoundStore[], at: Date): Promise<boolean> {
    this.looking.abort();
    this.looking = new AbortController();
    const { signal } = this.looking;
    try {
      const open = await findOpenStores(stores, at, signal);
      signal.throwIfAborted();
      this.open = open;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }
}
