/**
 * Reads that requests share: a request that needs what another one is reading waits for that read.
 *
 * The platform may end a request at any time, and with it every promise and timer that it made. So no
 * request waits on another's promise. Each sleeps on a promise of its own, which is resolved whenever a
 * read has ended or its own timer fires, and then looks again at what it still needs. A read that has
 * not come after a second may be dead: the next request that looks begins another beside it, and the
 * first to come counts.
 */
import { ProblemError } from '../problem.ts';
import { DeadlineError, READ_DEADLINE } from '../storage/deadline.ts';
import type { ReadContext } from './read-context.ts';

/** Milliseconds after which another read is begun beside one that has not come. */
const SECOND_READ_AFTER = 1_000;

/** Milliseconds after which a request looks again, if no read has ended; and if it found no room for its own. */
const LOOK_AFTER = 250;
const RETRY_AFTER = 25;

/** A read was not begun in time, because too many bytes are under way. Says nothing against storage. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

/** Begins to read `keys`, and returns a promise for each; null where there is no room for them now. */
export type BeginReads<Value> = (keys: readonly string[]) => readonly Promise<Value>[] | null;

/** A key that is being read, maybe more than once at a time. */
interface SharedRead<Value> {
  newest: Promise<Value>;
  /** When the newest read began, in milliseconds since 1970. */
  begunAt: number;
  /** Returns the value that came first, or throws what the newest read threw. Absent until then. */
  outcome?: () => Value;
}

export class SharedReads<Value> {
  private readonly held: (key: string) => Value | undefined;
  /** What is under way. */
  private readonly reads = new Map<string, SharedRead<Value>>();
  /** Wakes the requests that sleep. */
  private readonly wakes = new Set<() => void>();

  /** @param held returns the value of a key that is in memory: it is not read */
  constructor(held: (key: string) => Value | undefined = () => undefined) {
    this.held = held;
  }

  /** Returns whether a key is being read. */
  has(key: string): boolean {
    return this.reads.has(key);
  }

  /**
   * Returns the values of `keys`: from memory, from reads that are under way, and from new ones.
   * @param giveUpAt when to stop waiting, in milliseconds since 1970
   * @throws what the newest read of a key throws; ProblemError storage_unreachable at `giveUpAt`
   */
  async load(
    keys: Iterable<string>,
    beginReads: BeginReads<Value>,
    context: ReadContext,
    giveUpAt = context.giveUpAt,
  ): Promise<ReadonlyMap<string, Value>> {
    const values = new Map<string, Value>();
    /** Keys without a value, with the read that this request waits for. */
    const missing = new Map<string, SharedRead<Value> | undefined>();
    for (const key of keys) missing.set(key, undefined);
    for (;;) {
      for (const [key, read] of missing) {
        const value = read?.outcome ? read.outcome() : this.held(key);
        if (value === undefined) continue;
        values.set(key, value);
        missing.delete(key);
      }
      if (missing.size === 0) return values;
      const now = Date.now();
      if (now >= giveUpAt) {
        const detail = 'Storage did not answer in time.';
        const isUnderWay = [...missing.values()].every((read) => read !== undefined);
        const cause = isUnderWay
          ? new DeadlineError(detail)
          : new NoRoomError('there was no room for the read');
        throw new ProblemError('storage_unreachable', detail, { cause });
      }
      const hasRoom = this.begin([...missing.keys()], beginReads, context);
      for (const key of missing.keys()) missing.set(key, this.reads.get(key));
      await this.sleep(Math.min(hasRoom ? LOOK_AFTER : RETRY_AFTER, giveUpAt - now));
    }
  }

  /** Returns the value of one key. @param read reads it; called again beside a read that takes long */
  async loadOne(
    key: string,
    read: () => Promise<Value>,
    context: ReadContext,
    giveUpAt?: number,
  ): Promise<Value> {
    return (await this.load([key], () => [read()], context, giveUpAt)).get(key) as Value;
  }

  /**
   * Begins to read those of `keys` that are not under way, or have been for over a second. Their reads go
   * on when the request has been answered.
   * @returns false where there was no room for them
   */
  begin(keys: readonly string[], beginReads: BeginReads<Value>, context: ReadContext): boolean {
    const now = Date.now();
    const ageOf = (key: string) => now - (this.reads.get(key)?.begunAt ?? Number.NEGATIVE_INFINITY);
    // What has passed its deadline is not under way: its request was ended.
    for (const key of this.reads.keys()) if (ageOf(key) >= READ_DEADLINE) this.reads.delete(key);
    const due = keys.filter((key) => ageOf(key) >= SECOND_READ_AFTER);
    if (due.length === 0) return true;
    const begun = beginReads(due);
    if (!begun) return false;
    context.defer(Promise.all(begun.map((read, index) => this.share(due[index] as string, read))));
    return true;
  }

  private share(key: string, newest: Promise<Value>): Promise<void> {
    const known = this.reads.get(key);
    const read: SharedRead<Value> = Object.assign(known ?? {}, { newest, begunAt: Date.now() });
    this.reads.set(key, read);
    const settle = (outcome: () => Value) => {
      read.outcome ??= outcome;
      if (this.reads.get(key) === read) this.reads.delete(key);
      for (const wake of this.wakes) wake();
      this.wakes.clear();
    };
    return newest.then(
      (value) => settle(() => value),
      (error) => {
        // While a newer read is under way no request fails.
        if (read.newest !== newest) return;
        settle(() => {
          throw error;
        });
      },
    );
  }

  /** Waits for so many milliseconds, or until a read has ended. */
  private async sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wakes.add(resolve);
    const timer = setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
    this.wakes.delete(resolve);
  }
}
