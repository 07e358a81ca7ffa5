/**
 * The current release of an isolate: named by the pointer that its first request reads, then
 * refreshed behind answers. Whatever goes wrong with a new release leaves the last good one serving.
 *
 * At most two releases are held, the current one and the one before, which is there to fall back on
 * until every object of the current one is sure to be readable everywhere.
 */
import { ProblemError } from '../problem.ts';
import { POINTER_KEY } from '../snapshot/keys.ts';
import type { LiveRelease, Pointer } from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { LoadedRelease } from './loaded-release.ts';
import { readPointer } from './read-pointer.ts';
import { SharedLoads, settlesWithin } from './shared-loads.ts';
import { SnapshotMemory } from './snapshot-memory.ts';

/**
 * Milliseconds for which the release before is kept to fall back on. By then KV has brought every
 * object of the new one everywhere, and the memory is worth more.
 */
const FALLBACK_LIFETIME = 3 * 60_000;

/**
 * Milliseconds without a look at the pointer after which answers wait for one: an isolate that was
 * idle for hours must not serve what was withdrawn since. And how long they wait at the most.
 */
const TOO_LONG_UNSEEN = 2 * 60_000;
const LONGEST_LOOK = 1_000;

/** Milliseconds for which a release that could not be read is not tried again. */
const FAILURE_LIFETIME = 2 * 60_000;

/**
 * Milliseconds for which a lower number in the pointer must have stood to be followed. KV may answer
 * with an older copy from another tier; a number that stays low is that of storage set up anew.
 */
const LOWER_NUMBER_LIFETIME = 5 * 60_000;

export interface ReleaseHolderOptions {
  /** Least time between two looks at the pointer, in milliseconds. */
  readonly refreshInterval: number;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Told of what went wrong behind an answer. */
  readonly report?: (event: string, error: unknown) => void;
}

/** A number of the pointer, and since when something is known of it. */
interface SeenNumber {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export class ReleaseHolder {
  private readonly source: SnapshotSource;
  private readonly memory: SnapshotMemory;
  private readonly pointerLoads = new SharedLoads<Pointer | null>();
  private readonly refreshInterval: number;
  private readonly now: () => number;
  private readonly report: (event: string, error: unknown) => void;
  private release: LoadedRelease | undefined;
  /** Number of the pointer that led to `release`, or past it to one that could not be read. */
  private number = 0;
  /** The release before: see `retreat`. */
  private previous: LoadedRelease | undefined;
  private replacedAt = Number.NEGATIVE_INFINITY;
  /** When the pointer was last asked for, and when it last came. */
  private askedAt = Number.NEGATIVE_INFINITY;
  private seenAt = Number.NEGATIVE_INFINITY;
  private failed: SeenNumber | undefined;
  private lower: SeenNumber | undefined;
  private refreshing: Promise<void> | undefined;

  constructor(source: SnapshotSource, options: ReleaseHolderOptions) {
    this.source = source;
    this.memory = new SnapshotMemory(source);
    this.refreshInterval = options.refreshInterval;
    this.now = options.now ?? Date.now;
    this.report = options.report ?? (() => {});
  }

  /**
   * The release that answers now. Only an isolate's first requests, and the first after a long
   * pause, wait for storage.
   * @throws ProblemError snapshot_missing, storage_unreachable
   */
  current(background: Background): LoadedRelease | Promise<LoadedRelease> {
    if (!this.release) return this.loadFirst(background);
    const now = this.now();
    const isDue = now - this.askedAt >= this.refreshInterval;
    if (now - this.seenAt > TOO_LONG_UNSEEN && (isDue || now - this.askedAt < LONGEST_LOOK)) {
      return this.currentAfterLook(background, this.release);
    }
    if (isDue) background.defer(this.refresh(background));
    return this.release;
  }

  /**
   * Begins to read what an answer will need in a fresh isolate, the pointer and then index parts,
   * beside whatever else the request waits for. Failures are left to who needs the result.
   */
  prepare(parts: readonly string[], background: Background): void {
    if (this.release) return;
    const load = async () => (await this.loadFirst(background)).load(parts, background);
    background.defer(load().catch(() => {}));
  }

  /**
   * Gives up on a release that answers cannot be read from (an object has not reached this
   * location yet, or is damaged) and goes back to the one before, until the pointer moves or some
   * time has passed.
   * @returns the release to answer from instead, or null when there is none
   */
  retreat(from: LoadedRelease): LoadedRelease | null {
    if (this.release === from && this.previous) {
      this.failed = { number: this.number, since: this.now() };
      this.hold(this.previous, undefined);
    }
    return this.release && this.release !== from ? this.release : null;
  }

  /**
   * Looks at the pointer at once, for an answer that could not be read from any release.
   * @returns the release to try next, which may be the same
   */
  async renew(background: Background): Promise<LoadedRelease> {
    await this.refresh(background);
    return this.release ?? this.loadFirst(background);
  }

  private async loadFirst(background: Background): Promise<LoadedRelease> {
    const start = this.now();
    try {
      const begin = () => new Map([[POINTER_KEY, readPointer(this.source, background)]]);
      const found = await this.pointerLoads.load([POINTER_KEY], begin, background);
      const pointer = found.get(POINTER_KEY);
      if (!pointer) {
        throw new ProblemError('snapshot_missing', 'No snapshot has been published yet.');
      }
      // Another request that waited for the same read may have come first.
      return this.release ?? this.begin(pointer);
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      const detail = 'The store data could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    } finally {
      background.storage.waited += this.now() - start;
    }
  }

  private begin(pointer: Pointer): LoadedRelease {
    this.seenAt = this.now();
    this.askedAt = this.seenAt;
    this.replacedAt = this.seenAt;
    this.number = pointer.number;
    const release = this.open(pointer);
    this.hold(release, pointer.before ? this.open(pointer.before) : undefined);
    return release;
  }

  private async currentAfterLook(
    background: Background,
    held: LoadedRelease,
  ): Promise<LoadedRelease> {
    const start = this.now();
    const look = this.refresh(background);
    background.defer(look);
    await settlesWithin(look, LONGEST_LOOK);
    background.storage.waited += this.now() - start;
    return this.release ?? held;
  }

  /** Looks at the pointer and follows it. Never rejects; refreshes do not overlap. */
  private refresh(background: Background): Promise<void> {
    this.refreshing ??= this.lookAndFollow(background).finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async lookAndFollow(background: Background): Promise<void> {
    this.askedAt = this.now();
    if (this.now() - this.replacedAt >= FALLBACK_LIFETIME && this.previous) {
      this.hold(this.release, undefined);
    }
    try {
      const pointer = await readPointer(this.source, background);
      this.seenAt = this.now();
      if (pointer && this.isToFollow(pointer)) await this.follow(pointer, background);
    } catch (error) {
      this.report('refresh_failed', error);
    }
  }

  private isToFollow({ number, manifest }: Pointer): boolean {
    const now = this.now();
    if (this.failed?.number === number) return now - this.failed.since >= FAILURE_LIFETIME;
    if (number < this.number) {
      if (this.lower?.number !== number) this.lower = { number, since: now };
      return now - this.lower.since >= LOWER_NUMBER_LIFETIME;
    }
    this.lower = undefined;
    return number > this.number || manifest.release !== this.release?.id;
  }

  /** Takes over what the held release has in memory, so that the change slows no request. */
  private async follow(pointer: Pointer, background: Background): Promise<void> {
    const held = this.release;
    // Two indexes are held at the most: the one before goes, unless it is the one that comes.
    if (this.previous?.id !== pointer.manifest.release) this.hold(held, undefined);
    const next = this.open(pointer);
    this.memory.hold([held, this.previous, next].filter((release) => release !== undefined));
    try {
      await next.load(held?.loadedParts ?? [], background);
    } catch (error) {
      this.failed = { number: pointer.number, since: this.now() };
      this.hold(held, this.previous);
      throw error;
    }
    this.number = pointer.number;
    this.failed = undefined;
    this.lower = undefined;
    this.replacedAt = this.now();
    this.hold(next, held);
  }

  private open(live: LiveRelease): LoadedRelease {
    return new LoadedRelease(live, this.memory);
  }

  private hold(release: LoadedRelease | undefined, previous: LoadedRelease | undefined): void {
    this.release = release;
    this.previous = previous;
    this.memory.hold([release, previous].filter((held) => held !== undefined));
  }
}
