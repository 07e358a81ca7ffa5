/**
 * The live release of an isolate: named by the pointer that its first request reads, then refreshed
 * behind answers. Whatever goes wrong with a new release leaves the last good one serving.
 *
 * At most two releases are held, the live one and the one before, which is there to fall back on
 * until every object of the live one is sure to be readable everywhere.
 *
 * Reads of the pointer overlap, and the parts of a release take their time. So `isDue` decides by what
 * is known at that moment: once when a pointer has come, and again when its release is ready to go live.
 */
import { ProblemError } from '../problem.ts';
import { POINTER_KEY } from '../snapshot/keys.ts';
import { type LiveRelease, type Pointer, pointerSchema } from '../snapshot/manifest.ts';
import { DeadlineError } from '../storage/deadline.ts';
import type { Report, SnapshotSource } from '../storage/snapshot-source.ts';
import { LoadedRelease } from './loaded-release.ts';
import { MAX_RENEWAL, MAX_WAIT, type ReadContext } from './read-context.ts';
import { readSealedDocument } from './sealed-document.ts';
import { NoRoomError, SharedReads } from './shared-reads.ts';
import { SnapshotMemory } from './snapshot-memory.ts';

/**
 * Milliseconds for which the release before is kept to fall back on. By then KV has brought every
 * object of the new one everywhere, and the memory is worth more.
 */
const FALLBACK_LIFETIME = 3 * 60_000;

/**
 * Milliseconds without a look at the pointer after which answers wait for one: an isolate that was
 * idle for hours must not serve what was withdrawn since.
 */
const MAX_UNSEEN = 2 * 60_000;

/** Milliseconds between two looks at the pointer while it has not been seen for too long. */
const LOOK_AGAIN_AFTER = 5_000;

/** Milliseconds for which a release that could not be read is not tried again. */
const FAILURE_LIFETIME = 2 * 60_000;

/**
 * Milliseconds for which a lower number in the pointer must have stood to be followed. KV may answer
 * with an older copy from another tier; a number that stays low is that of storage set up anew.
 */
const LOWER_NUMBER_LIFETIME = 5 * 60_000;

const UNREADABLE = 'The store data could not be read from storage.';

/** A number of the pointer, and since when (milliseconds since 1970) it is known to be lower, or to fail. */
interface NotedNumber {
  readonly number: number;
  readonly since: number;
}

export class ReleaseHolder {
  private readonly source: SnapshotSource;
  /** What the isolate holds, releases and all. */
  readonly memory: SnapshotMemory;
  private readonly looks = new SharedReads<LoadedRelease>();
  private readonly refreshInterval: number;
  private readonly report: Report;
  private release: LoadedRelease | undefined;
  /** Number of the pointer that went live last. Its release may have been given up since. */
  private liveNumber = 0;
  /** The pointer that came last, while its number is lower than that. */
  private lower: NotedNumber | undefined;
  /** The release that could not be read last. */
  private failed: NotedNumber | undefined;
  /** The release before. */
  private previous: LoadedRelease | undefined;
  private replacedAt = Number.NEGATIVE_INFINITY;
  /** When the pointer was last asked for, and when it last came. */
  private askedAt = Number.NEGATIVE_INFINITY;
  private seenAt = Number.NEGATIVE_INFINITY;

  /**
   * @param refreshInterval least milliseconds between two looks at the pointer
   * @param report told of what went wrong behind an answer
   */
  constructor(source: SnapshotSource, refreshInterval: number, report: Report) {
    this.source = source;
    this.memory = new SnapshotMemory(source);
    this.refreshInterval = refreshInterval;
    this.report = report;
  }

  /**
   * The release that answers now. Only an isolate's first requests, and the first after a long
   * pause, wait for storage.
   * @throws ProblemError snapshot_missing, storage_unreachable
   */
  current(context: ReadContext): LoadedRelease | Promise<LoadedRelease> {
    const { release } = this;
    if (!release) return context.storage.measureWait(this.look(context));
    const now = Date.now();
    const isUnseen = now - this.seenAt > MAX_UNSEEN;
    const interval = isUnseen ? LOOK_AGAIN_AFTER : this.refreshInterval;
    if (now - this.askedAt >= interval) this.beginLook(context);
    // Counted from when the look began: while storage is out of reach requests do not wait for long.
    const giveUpAt = Math.min(this.askedAt + MAX_RENEWAL, context.giveUpAt);
    // A look that has failed is not waited for.
    if (!isUnseen || now >= giveUpAt || !this.looks.has(POINTER_KEY)) return release;
    const look = this.look(context, giveUpAt)
      .catch(() => {})
      .then(() => this.release ?? release);
    return context.storage.measureWait(look);
  }

  /** Begins to read the pointer, where the isolate has no release yet. Failures are left to `current`. */
  prefetch(context: ReadContext): void {
    if (!this.release) this.beginLook(context);
  }

  /**
   * The release to answer from when `failed` could not be read from: an object has not reached this
   * location yet, is damaged, or does not come. That is the release before, until the pointer moves or
   * some time has passed; else the one that the pointer names now, which may be the same.
   *
   * Where an object only takes too long, the release before is taken if it is in memory, or after a
   * while: storage that is slow would be as slow with that one. A read that had no room says nothing
   * against a release.
   */
  async insteadOf(
    failed: LoadedRelease,
    cause: unknown,
    context: ReadContext,
  ): Promise<LoadedRelease> {
    const { previous } = this;
    const isLate = cause instanceof DeadlineError && Date.now() - this.replacedAt <= MAX_WAIT;
    const wasRead = !(cause instanceof NoRoomError);
    const isBetter = !(isLate && previous?.loadedParts.length === 0);
    if (this.release === failed && previous && wasRead && isBetter) {
      this.failed = { number: this.liveNumber, since: Date.now() };
      this.hold(previous, undefined);
    }
    if (this.release && this.release !== failed) return this.release;
    const look = this.look(context).catch(() => failed);
    return context.storage.measureWait(look);
  }

  /** Looks at the pointer, or joins a look that is under way. @param giveUpAt milliseconds since 1970 */
  private look(context: ReadContext, giveUpAt?: number): Promise<LoadedRelease> {
    return this.looks.loadOne(POINTER_KEY, () => this.lookAlone(context), context, giveUpAt);
  }

  /** Looks at the pointer behind the answer, unless a look is under way. */
  private beginLook(context: ReadContext): void {
    this.looks.begin([POINTER_KEY], () => [this.lookAlone(context)], context);
  }

  private async lookAlone(context: ReadContext): Promise<LoadedRelease> {
    const begunAt = Date.now();
    this.askedAt = begunAt;
    if (begunAt - this.replacedAt >= FALLBACK_LIFETIME && this.previous) {
      this.hold(this.release, undefined);
    }
    try {
      const pointer = await readSealedDocument(this.source, POINTER_KEY, pointerSchema, context);
      if (!pointer && !this.release) {
        throw new ProblemError('snapshot_missing', 'No snapshot has been published yet.');
      }
      if (!pointer) throw new Error(`${POINTER_KEY}: got nothing, expected a pointer`);
      this.seenAt = Date.now();
      return this.release ? await this.follow(pointer, this.release, context) : this.begin(pointer);
    } catch (error) {
      // A newer look decides.
      if (this.release && this.askedAt === begunAt) this.report('refresh_failed', error);
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('storage_unreachable', UNREADABLE, { cause: error });
    }
  }

  private begin(pointer: Pointer): LoadedRelease {
    this.replacedAt = this.seenAt;
    this.liveNumber = pointer.number;
    const { before } = pointer;
    const isOther = before && !isSame(before, pointer);
    return this.hold(
      new LoadedRelease(pointer, this.memory),
      isOther ? new LoadedRelease(before, this.memory) : undefined,
    );
  }

  /**
   * Goes over to the release that the pointer names, if that is due. What the live release has in memory
   * is read first, part by part, which takes less memory and leaves room for reads that are waited for.
   */
  private async follow(
    pointer: Pointer,
    live: LoadedRelease,
    context: ReadContext,
  ): Promise<LoadedRelease> {
    this.noteNumber(pointer.number);
    if (!this.isDue(pointer)) return live;
    const next = new LoadedRelease(pointer, this.memory);
    // Two indexes are held at the most: the one before goes, unless it is the one that comes.
    if (!isSame(this.previous, next) && !isSame(live, next)) this.hold(live, undefined);
    this.memory.hold(live, this.previous, next);
    try {
      for (const part of live.loadedParts) {
        await next.loadBehind([part], context, Date.now() + MAX_WAIT);
      }
    } catch (error) {
      if (this.isDue(pointer)) this.failed = { number: pointer.number, since: Date.now() };
      this.hold(this.release, this.previous);
      throw new Error(`release ${next.name} cannot be read`, { cause: error });
    }
    return this.isDue(pointer) ? this.goLive(next) : this.hold(this.release ?? live, this.previous);
  }

  private noteNumber(number: number): void {
    if (number >= this.liveNumber) this.lower = undefined;
    else if (this.lower?.number !== number) this.lower = { number, since: Date.now() };
  }

  /** Returns whether the release that a pointer names is to go live, by all that is known now. */
  private isDue(pointer: Pointer): boolean {
    const { number } = pointer;
    const stoodFor = (noted: NotedNumber | undefined) =>
      noted?.number === number ? Date.now() - noted.since : undefined;
    // A late copy of an older pointer, or a release that took longer to read than a newer one.
    const isLate =
      number < this.liveNumber && !((stoodFor(this.lower) ?? 0) >= LOWER_NUMBER_LIFETIME);
    const hasFailed = (stoodFor(this.failed) ?? Infinity) < FAILURE_LIFETIME;
    if (isLate || hasFailed) return false;
    return number !== this.liveNumber || !isSame(pointer, this.release);
  }

  private goLive(next: LoadedRelease): LoadedRelease {
    const { release } = this;
    this.liveNumber = next.number;
    this.lower = undefined;
    this.failed = undefined;
    if (isSame(next, release)) return this.hold(next, this.previous);
    this.replacedAt = Date.now();
    release?.retire();
    return this.hold(next, release);
  }

  private hold<Release extends LoadedRelease | undefined>(
    release: Release,
    previous: LoadedRelease | undefined,
  ): Release {
    this.release = release;
    this.previous = previous;
    this.memory.hold(release, previous);
    return release;
  }
}

/** What tells releases apart here: the same content may lie in two generations. */
type Content = Pick<LiveRelease, 'manifest'> | null | undefined;

function isSame(one: Content, other: Content): boolean {
  const [a, b] = [one?.manifest, other?.manifest];
  return a?.release === b?.release && a?.generation === b?.generation;
}
