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

/** Milliseconds after which a request looks again that found no room for its reads. */
const RETRY_AFTER = 25;

/** Begins to read `keys`, and returns a promise for each; null where there is no room for them now. */
export type BeginReads<Value> = (
  keys: readonly string[],
) => ReadonlyMap<string, Promise<Value>> | null;

/** A key that is being read, maybe more than once at a time. */
interface SharedRead<Value> {
  /** When the newest read began, in milliseconds since 1970. */
  begunAt: number;
  newest: Promise<Value>;
  /** What it came to. Requests that were waiting by then look here. */
  outcome?: { readonly value: Value } | { readonly error: unknown };
}

export class SharedReads<Value> {
  private readonly held: (key: string) => Value | undefined;
  /** What is under way, in the order in which the newest reads began. */
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
        const value = this.valueOf(key, read);
        if (value === undefined) continue;
        values.set(key, value);
        missing.delete(key);
      }
      if (missing.size === 0) return values;
      const now = Date.now();
      if (now >= giveUpAt) throw tooLate();
      const hasRoom = this.begin([...missing.keys()], beginReads, context);
      let lookAt = hasRoom ? giveUpAt : Math.min(giveUpAt, now + RETRY_AFTER);
      for (const key of missing.keys()) {
        const read = this.reads.get(key);
        missing.set(key, read);
        if (hasRoom && read) lookAt = Math.min(lookAt, read.begunAt + SECOND_READ_AFTER);
      }
      await this.sleep(lookAt - now);
    }
  }

  /** Returns the value of one key. @param read reads it; called again beside a read that takes long */
  async loadOne(
    key: string,
    read: () => Promise<Value>,
    context: ReadContext,
    giveUpAt?: number,
  ): Promise<Value> {
    const begin = () => new Map([[key, read()]]);
    return (await this.load([key], begin, context, giveUpAt)).get(key) as Value;
  }

  /**
   * Begins to read those of `keys` that are not under way, or have been for over a second. Their reads go
   * on when the request has been answered.
   * @returns false where there was no room for them
   */
  begin(keys: readonly string[], beginReads: BeginReads<Value>, context: ReadContext): boolean {
    const now = Date.now();
    this.forgetDead(now);
    const due = keys.filter((key) => {
      const read = this.reads.get(key);
      return !read || now - read.begunAt >= SECOND_READ_AFTER;
    });
    if (due.length === 0) return true;
    const begun = beginReads(due);
    if (!begun) return false;
    const settled = due.map((key) => this.share(key, begun.get(key) as Promise<Value>, now));
    context.defer(Promise.all(settled));
    return true;
  }

  private share(key: string, newest: Promise<Value>, begunAt: number): Promise<void> {
    const read = Object.assign(this.reads.get(key) ?? {}, { newest, begunAt }) as SharedRead<Value>;
    // Moved to the end of the order.
    this.reads.delete(key);
    this.reads.set(key, read);
    return newest.then(
      (value) => this.settle(key, read, { value }),
      (error) => {
        if (read.newest === newest) this.settle(key, read, { error });
      },
    );
  }

  private settle(
    key: string,
    read: SharedRead<Value>,
    outcome: NonNullable<SharedRead<Value>['outcome']>,
  ): void {
    read.outcome ??= outcome;
    if (this.reads.get(key) === read) this.reads.delete(key);
    for (const wake of this.wakes) wake();
    this.wakes.clear();
  }

  /** @throws what the read of this key threw */
  private valueOf(key: string, read: SharedRead<Value> | undefined): Value | undefined {
    if (!read?.outcome) return this.held(key);
    if ('error' in read.outcome) throw read.outcome.error;
    return read.outcome.value;
  }

  /** Forgets reads that have passed their deadline: their requests were ended. */
  private forgetDead(now: number): void {
    for (const [key, { begunAt }] of this.reads) {
      if (now - begunAt < READ_DEADLINE) return;
      this.reads.delete(key);
    }
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

function tooLate(): ProblemError {
  const detail = 'Storage did not answer in time.';
  return new ProblemError('storage_unreachable', detail, { cause: new DeadlineError(detail) });
}
