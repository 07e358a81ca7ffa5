/**
 * Reads that requests share: a request that needs what another one is reading waits for that read.
 *
 * The platform may end a request at any time, and with it every promise and timer that it made. So no
 * request waits on another's promise. Each sleeps on a promise of its own. A read that ends resolves the
 * promises of all who sleep, and so does the timer of each; then the request checks again what it still
 * needs. A read that has not come after a second may be dead: the next request that checks starts
 * another beside it, and the first to come counts.
 */
import { ProblemError } from '../model/problem.ts';
import { DeadlineError, READ_DEADLINE, type ReadContext } from '../storage/reading.ts';

/** Milliseconds after which another read is started beside one that has not come. */
const SECOND_READ_AFTER = 1_000;

/** Milliseconds that a request sleeps at the most before it checks again what it needs. */
const MAX_SLEEP = 250;

/** The same for a request whose read found no room: room is free again without a sign. */
const MAX_SLEEP_WITHOUT_ROOM = 25;

/** A read was not started in time, because too many bytes are under way. Says nothing against storage. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}

/** Starts to read `keys`, and returns a promise for each; undefined where there is no room for them now. */
export type StartReads<Value> = (keys: readonly string[]) => readonly Promise<Value>[] | undefined;

/** A key that is being read, maybe more than once at a time. */
interface SharedRead<Value> {
  newest: Promise<Value>;
  /** When the newest read started, in milliseconds since 1970. */
  startedAt: number;
  /** Returns the value that came first, or throws what the newest read threw. Absent until then. */
  outcome?: () => Value;
}

export class SharedReads<Value> {
  private readonly find: (key: string) => Value | undefined;
  /** What is under way. */
  private readonly reads = new Map<string, SharedRead<Value>>();
  /** Wakes the requests that sleep. */
  private readonly wakes = new Set<() => void>();

  /** @param find returns the value of a key that is in memory: it is not read */
  constructor(find: (key: string) => Value | undefined = () => undefined) {
    this.find = find;
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
    startReads: StartReads<Value>,
    context: ReadContext,
    giveUpAt = context.giveUpAt,
  ): Promise<ReadonlyMap<string, Value>> {
    const values = new Map<string, Value>();
    /** Keys without a value, with the read that this request waits for. */
    const missing = new Map<string, SharedRead<Value> | undefined>();
    for (const key of keys) missing.set(key, undefined);
    let hasRoom = true;
    for (;;) {
      for (const [key, read] of missing) {
        const value = read?.outcome ? read.outcome() : this.find(key);
        if (value === undefined) continue;
        values.set(key, value);
        missing.delete(key);
      }
      if (missing.size === 0) return values;
      const now = Date.now();
      if (now >= giveUpAt) {
        const detail = 'Storage did not answer in time.';
        const isUnasked = !hasRoom && [...missing.values()].includes(undefined);
        const cause = isUnasked
          ? new NoRoomError('there was no room for the read')
          : new DeadlineError(detail);
        throw new ProblemError('storage_unreachable', detail, { cause });
      }
      hasRoom = this.start([...missing.keys()], startReads, context);
      for (const key of missing.keys()) missing.set(key, this.reads.get(key));
      await this.sleep(Math.min(hasRoom ? MAX_SLEEP : MAX_SLEEP_WITHOUT_ROOM, giveUpAt - now));
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
   * Starts to read the keys that are not under way, or have been for over a second. Their reads go on
   * when the request has been answered.
   * @returns false where there was no room for them
   */
  start(keys: readonly string[], startReads: StartReads<Value>, context: ReadContext): boolean {
    const now = Date.now();
    for (const [key, { startedAt }] of this.reads) {
      // What has passed its deadline is not under way: its request was ended.
      if (now - startedAt >= READ_DEADLINE) this.reads.delete(key);
    }
    const due = keys.filter(
      (key) => now - (this.reads.get(key)?.startedAt ?? 0) >= SECOND_READ_AFTER,
    );
    if (due.length === 0) return true;
    const started = startReads(due);
    if (!started) return false;
    context.defer(
      Promise.all(started.map((read, index) => this.share(due[index] as string, read))),
    );
    return true;
  }

  /** Lets requests know of a read, and wakes all that sleep when it has ended. */
  private async share(key: string, newest: Promise<Value>): Promise<void> {
    const read: SharedRead<Value> = this.reads.get(key) ?? { newest, startedAt: 0 };
    read.newest = newest;
    read.startedAt = Date.now();
    this.reads.set(key, read);
    let outcome: () => Value;
    try {
      const value = await newest;
      outcome = () => value;
    } catch (error) {
      // While a newer read is under way no request fails.
      if (read.newest !== newest) return;
      outcome = () => {
        throw error;
      };
    }
    read.outcome ??= outcome;
    if (this.reads.get(key) === read) this.reads.delete(key);
    for (const wake of this.wakes) wake();
    this.wakes.clear();
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
