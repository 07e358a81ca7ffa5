/**
 * Loads that requests share: whoever asks for something that is being read waits for that read.
 *
 * What is shared are values, never bodies or streams, which belong to the request that made them. A
 * read is handed to the `waitUntil` of the request that begins it, so it goes on when that request's
 * client has gone away.
 */
import { ProblemError } from '../problem.ts';
import { type Background, patienceOf } from './background.ts';

/** Milliseconds after which one of those who wait for a read begins another beside it. */
const SECOND_READ_AFTER = 2_000;

/**
 * Milliseconds after which a read that has not begun, because it waits for its turn, is taken for
 * lost: the request that should have begun it was ended by the platform.
 */
const LOST_AFTER = 10_000;

/** Milliseconds that a read may take. Who waits for it gives up sooner; this ends hanging ones. */
const READ_DEADLINE = 10_000;

/**
 * Begins to read `keys`; a promise for each.
 * @param begun to be called when the read has begun, which may be later than this call
 */
export type BeginReads<Value> = (
  keys: readonly string[],
  begun: () => void,
) => ReadonlyMap<string, Promise<Value>>;

/** Something that is being read, maybe more than once at a time. */
interface Load<Value> {
  readonly result: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
  /** Reads under way. */
  reads: number;
  /** Milliseconds since 1970 from which on another read is due. */
  lateAt: number;
  isSettled: boolean;
}

export class SharedLoads<Value> {
  private readonly loads = new Map<string, Load<Value>>();

  /**
   * The values of `keys`, from reads that are under way and from new ones for the rest.
   * @param patience milliseconds to wait at the most
   * @throws what a read throws when no other read of the same key is under way;
   *   ProblemError storage_unreachable when patience ends
   */
  async load(
    keys: readonly string[],
    begin: BeginReads<Value>,
    background: Background,
    patience = patienceOf(background),
  ): Promise<Map<string, Value>> {
    const giveUpAt = Date.now() + patience;
    const waiting = this.join(keys, begin, background);
    const all = Promise.all([...waiting.values()].map(({ result }) => result));
    while (!(await settlesWithin(all, this.nextLook(waiting, giveUpAt)))) {
      const now = Date.now();
      if (now >= giveUpAt) throw tooLate();
      const late = [...waiting].filter(([, load]) => !load.isSettled && now >= load.lateAt);
      if (late.length > 0) this.read(new Map(late), begin, background);
    }
    const values = new Map<string, Value>();
    for (const [key, { result }] of waiting) values.set(key, await result);
    return values;
  }

  /**
   * The value of one key, from the read that is under way or a new one, which begins at once.
   * @param read reads it; called again beside a read that takes long
   * @throws as `load`
   */
  async loadOne(key: string, read: () => Promise<Value>, background: Background): Promise<Value> {
    const begin: BeginReads<Value> = (_, begun) => {
      begun();
      return new Map([[key, read()]]);
    };
    return (await this.load([key], begin, background)).get(key) as Value;
  }

  /** The load of each key, begun here where it was not under way. */
  private join(
    keys: readonly string[],
    begin: BeginReads<Value>,
    background: Background,
  ): Map<string, Load<Value>> {
    const waiting = new Map<string, Load<Value>>();
    const fresh = new Map<string, Load<Value>>();
    for (const key of keys) {
      let load = this.loads.get(key);
      if (!load) {
        load = newLoad();
        this.loads.set(key, load);
        fresh.set(key, load);
      }
      waiting.set(key, load);
    }
    if (fresh.size > 0) this.read(fresh, begin, background);
    return waiting;
  }

  private read(
    loads: ReadonlyMap<string, Load<Value>>,
    begin: BeginReads<Value>,
    background: Background,
  ): void {
    const becomeLate = (milliseconds: number) => {
      for (const load of loads.values()) load.lateAt = Date.now() + milliseconds;
    };
    // Before anything is begun: what another request joins from here on is this read.
    becomeLate(LOST_AFTER);
    for (const load of loads.values()) load.reads++;
    const reads = beginSafely(begin, [...loads.keys()], () => becomeLate(SECOND_READ_AFTER));
    for (const [key, load] of loads) {
      const settled = (reads.get(key) as Promise<Value>).then(
        (value) => this.settle(key, load, () => load.resolve(value)),
        (error) => {
          load.reads--;
          if (load.reads === 0) this.settle(key, load, () => load.reject(error));
        },
      );
      background.defer(settled);
    }
  }

  private settle(key: string, load: Load<Value>, tell: () => void): void {
    if (load.isSettled) return;
    load.isSettled = true;
    if (this.loads.get(key) === load) this.loads.delete(key);
    tell();
  }

  /** Milliseconds until those who wait have to see whether a read is late, or give up. */
  private nextLook(loads: ReadonlyMap<string, Load<Value>>, giveUpAt: number): number {
    const now = Date.now();
    // A read that begins meanwhile is not late before that.
    let next = Math.min(giveUpAt, now + SECOND_READ_AFTER);
    for (const { isSettled, lateAt } of loads.values()) {
      if (!isSettled) next = Math.min(next, lateAt);
    }
    return Math.max(0, next - now);
  }
}

/** Begins reads; where that fails outright, each of them has failed. */
function beginSafely<Value>(
  begin: BeginReads<Value>,
  keys: readonly string[],
  begun: () => void,
): ReadonlyMap<string, Promise<Value>> {
  try {
    return begin(keys, begun);
  } catch (error) {
    return new Map(keys.map((key) => [key, Promise.reject(error)]));
  }
}

function newLoad<Value>(): Load<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  // Those who wait see the failure; where nobody does any more, it is nobody's.
  promise.catch(() => {});
  return { result: promise, resolve, reject, reads: 0, lateAt: 0, isSettled: false };
}

/** Whether `work` settles within so many milliseconds. Rejects when `work` does. */
export async function settlesWithin(
  work: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Nobody waits any longer for a read. What is read may be on its way all the same. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** What `read`, which asks storage for `key`, comes to. @throws DeadlineError when it takes too long */
export async function withDeadline<Value>(read: Promise<Value>, key: string): Promise<Value> {
  if (await settlesWithin(read, READ_DEADLINE)) return read;
  throw new DeadlineError(`reading ${key} took longer than ${READ_DEADLINE} ms`);
}

/**
 * What `read` comes to. When it fails, or what came is damaged, it is tried once more: a connection
 * that breaks off is an everyday matter. @throws what the second try throws
 */
export async function readTwice<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return read();
  }
}

function tooLate(): ProblemError {
  const detail = 'Storage did not answer in time.';
  return new ProblemError('storage_unreachable', detail, { cause: new DeadlineError(detail) });
}
