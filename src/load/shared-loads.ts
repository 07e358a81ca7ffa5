/**
 * Loads that requests share: a request that needs what another one is reading waits for that read.
 *
 * The platform may end a request at any time, and with it every promise and timer that it made. So
 * each request waits on a promise of its own, which the request that reads resolves. A read that has
 * not come after a second may be dead: one of the requests that wait begins another, or the next
 * request that comes. The first read to come counts.
 */
import { ProblemError } from '../problem.ts';
import { DeadlineError, READ_DEADLINE } from '../storage/deadline.ts';
import type { Background } from './background.ts';
import { LOOK_FOR_ROOM, type Room } from './room.ts';

/** Milliseconds after which another read is begun beside one that has not come. */
const SECOND_READ_AFTER = 1_000;

/**
 * Begins to read `keys` now; a promise for each. Null: there is no room for them at present, and `wake`
 * is called when there may be.
 */
export type BeginReads<Value> = (
  keys: readonly string[],
  wake: () => void,
) => ReadonlyMap<string, Promise<Value>> | null;

/** Something that is being read, maybe more than once at a time. */
interface Load<Value> {
  readonly waiters: Set<Waiter<Value>>;
  newest: Promise<Value>;
  /** When the newest read began, in milliseconds since 1970. */
  begunAt: number;
}

export class SharedLoads<Value> {
  private readonly held: (key: string) => Value | undefined;
  private readonly room: Room | null;
  /** In the order in which their newest reads began. */
  private readonly loads = new Map<string, Load<Value>>();

  /**
   * @param held what memory has of a key: that is not read
   * @param room where reads wait for room, if they do
   */
  constructor(
    held: (key: string) => Value | undefined = () => undefined,
    room: Room | null = null,
  ) {
    this.held = held;
    this.room = room;
  }

  /**
   * The values of `keys`: from memory, from reads that are under way, and from new ones for the rest.
   * @param patience milliseconds to wait at the most; with 0 reads are begun and not waited for
   * @throws what the newest read of a key throws; ProblemError storage_unreachable when patience ends
   */
  async load(
    keys: readonly string[],
    begin: BeginReads<Value>,
    background: Background,
    patience = background.storage.patience,
  ): Promise<ReadonlyMap<string, Value>> {
    const waiter = new Waiter<Value>(keys);
    try {
      await this.waitFor(waiter, begin, background, Date.now() + patience);
      return waiter.values;
    } finally {
      this.room?.leaveLine(waiter.wake);
    }
  }

  /** The value of one key. @param read reads it; called again beside a read that takes long */
  async loadOne(
    key: string,
    read: () => Promise<Value>,
    background: Background,
    patience?: number,
  ): Promise<Value> {
    const begin = () => new Map([[key, read()]]);
    return (await this.load([key], begin, background, patience)).get(key) as Value;
  }

  /** Whether something is being read. */
  has(key: string): boolean {
    return this.loads.has(key);
  }

  /** Returns when `waiter` has all of its values. */
  private async waitFor(
    waiter: Waiter<Value>,
    begin: BeginReads<Value>,
    background: Background,
    giveUpAt: number,
  ): Promise<void> {
    for (let looks = 0; ; looks++) {
      const now = Date.now();
      const due = this.join(waiter, now);
      if (waiter.missing.size === 0) return;
      // A request that gives up begins no more reads; one without patience begins them first.
      if (looks > 0 && now >= giveUpAt) throw tooLate();
      if (due.length > 0) this.begin(due, waiter, begin, background);
      else this.room?.leaveLine(waiter.wake);
      if (now >= giveUpAt) throw tooLate();
      await waiter.sleep(Math.min(giveUpAt, this.nextLook(waiter, now)) - now);
      if (waiter.error !== undefined) throw waiter.error;
    }
  }

  /** Has `waiter` wait for what is under way; returns the keys of which a read is to be begun. */
  private join(waiter: Waiter<Value>, now: number): string[] {
    const due: string[] = [];
    for (const key of waiter.missing) {
      const value = this.held(key);
      if (value !== undefined) {
        waiter.take(key, value);
        continue;
      }
      const load = this.loads.get(key);
      load?.waiters.add(waiter);
      if (!load || now - load.begunAt >= SECOND_READ_AFTER) due.push(key);
    }
    return due;
  }

  private begin(
    keys: readonly string[],
    waiter: Waiter<Value>,
    begin: BeginReads<Value>,
    background: Background,
  ): void {
    const reads = begin(keys, waiter.wake);
    if (!reads) return;
    this.forgetDead();
    const settled = keys.map((key) => {
      const read = reads.get(key) as Promise<Value>;
      const load = this.loads.get(key) ?? { waiters: new Set(), newest: read, begunAt: 0 };
      load.waiters.add(waiter);
      load.newest = read;
      load.begunAt = Date.now();
      // Moved to the end of the order.
      this.loads.delete(key);
      this.loads.set(key, load);
      return read.then(
        (value) => this.settle(key, load, (each) => each.take(key, value)),
        (error) => {
          if (load.newest === read) this.settle(key, load, (each) => each.fail(error));
        },
      );
    });
    background.defer(Promise.all(settled));
  }

  private settle(key: string, load: Load<Value>, tell: (waiter: Waiter<Value>) => void): void {
    if (this.loads.get(key) === load) this.loads.delete(key);
    for (const waiter of load.waiters) tell(waiter);
    load.waiters.clear();
  }

  /** Lets go of loads whose reads are dead. What still waits for one has begun another by then. */
  private forgetDead(): void {
    const now = Date.now();
    for (const [key, { begunAt }] of this.loads) {
      if (now - begunAt < READ_DEADLINE) return;
      this.loads.delete(key);
    }
  }

  /** When `waiter` has to look again, if nothing wakes it: milliseconds since 1970. */
  private nextLook({ missing }: Waiter<Value>, now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const key of missing) {
      const load = this.loads.get(key);
      next = Math.min(next, load ? load.begunAt + SECOND_READ_AFTER : now + LOOK_FOR_ROOM);
    }
    // A load that is due for another read has found no room for it.
    return next > now ? next : now + LOOK_FOR_ROOM;
  }
}

/** A request that waits for some keys. Its promises are made in the request itself. */
class Waiter<Value> {
  readonly missing: Set<string>;
  readonly values = new Map<string, Value>();
  error: unknown;
  private endSleep: () => void = () => {};

  /** Ends the sleep. */
  readonly wake = () => this.endSleep();

  constructor(keys: readonly string[]) {
    this.missing = new Set(keys);
  }

  take(key: string, value: Value): void {
    if (!this.missing.delete(key)) return;
    this.values.set(key, value);
    if (this.missing.size === 0) this.wake();
  }

  fail(error: unknown): void {
    this.error = error;
    this.wake();
  }

  /** Ends after so many milliseconds, or when it is woken. */
  async sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.endSleep = resolve;
    const timer = setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
  }
}

function tooLate(): ProblemError {
  const detail = 'Storage did not answer in time.';
  return new ProblemError('storage_unreachable', detail, { cause: new DeadlineError(detail) });
}
