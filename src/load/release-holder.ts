/**
 * The live release of an isolate. The first request reads the pointer, which names it; later requests
 * start a refresh behind their answers, which reads the pointer again. If anything goes wrong with a new
 * release, the last good one serves on.
 *
 * At most two releases are held, the live one and the one before, which is there to fall back on
 * until every object of the live one is sure to be readable everywhere.
 *
 * Refreshes overlap, and the parts of a release take their time. So `isDue` decides by what is known at
 * that moment: once when a pointer has come, and again when its release is ready to go live.
 */
import { ProblemError } from '../model/problem.ts';
import { POINTER_KEY } from '../snapshot/keys.ts';
import { type LiveRelease, type Pointer, pointerSchema } from '../snapshot/manifest.ts';
import {
  DeadlineError,
  MAX_RENEWAL,
  MAX_WAIT,
  type ReadContext,
  type Report,
  type SnapshotSource,
} from '../storage/reading.ts';
import { LoadedRelease } from './loaded-release.ts';
import { readSealedDocument } from './sealed-document.ts';
import { NoRoomError, SharedReads } from './shared-reads.ts';
import { SnapshotMemory } from './snapshot-memory.ts';

/**
 * Milliseconds for which the release before is kept to fall back on. By then KV has brought every
 * object of the new one everywhere, and the memory is worth more.
 */
const FALLBACK_LIFETIME = 3 * 60_000;

/**
 * Milliseconds without a pointer after which answers wait for a refresh: an isolate that was idle for
 * hours must not serve what was withdrawn since.
 */
const MAX_UNSEEN = 2 * 60_000;

/** Milliseconds between two refreshes while the pointer has not come for too long. */
const RETRY_INTERVAL = 5_000;

/** Milliseconds for which a release that could not be read is not tried again. */
const FAILURE_LIFETIME = 2 * 60_000;

/**
 * Milliseconds for which a lower number in the pointer must have stood to be followed. KV may answer
 * with an older copy from another tier; a number that stays low comes from storage that was set up anew.
 */
const LOWER_NUMBER_LIFETIME = 5 * 60_000;

/** A number of the pointer that is not followed yet. */
interface NotedNumber {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export class ReleaseHolder {
  private readonly source: SnapshotSource;
  /** What the isolate holds, releases and all. */
  readonly memory: SnapshotMemory;
  private readonly refreshes = new SharedReads<LoadedRelease>();
  private readonly refreshInterval: number;
  private readonly report: Report;
  private release: LoadedRelease | undefined;
  /** Number of the pointer that went live last. Its release may have been given up since. */
  private liveNumber = 0;
  /** The number that came last, if it is lower than that, and when it came first. */
  private lower: NotedNumber | undefined;
  /** The number of the release that could not be read last, and when that was. */
  private failed: NotedNumber | undefined;
  /** The release before. */
  private previous: LoadedRelease | undefined;
  private replacedAt = Number.NEGATIVE_INFINITY;
  /** When the last refresh started, and when the pointer last came. */
  private startedAt = Number.NEGATIVE_INFINITY;
  private seenAt = Number.NEGATIVE_INFINITY;

  /**
   * @param refreshInterval least milliseconds between two refreshes
   * @param report called with errors of background work
   */
  constructor(source: SnapshotSource, refreshInterval: number, report: Report) {
    this.source = source;
    this.memory = new SnapshotMemory(source);
    this.refreshInterval = refreshInterval;
    this.report = report;
  }

  /**
   * Returns the release that answers now. Only an isolate's first requests, and the first after a long
   * pause, wait for storage.
   * @throws ProblemError snapshot_missing, storage_unreachable
   */
  current(context: ReadContext): LoadedRelease | Promise<LoadedRelease> {
    const { release } = this;
    if (!release) return context.storage.measureWait(this.awaitRefresh(context));
    const now = Date.now();
    const isUnseen = now - this.seenAt > MAX_UNSEEN;
    const interval = isUnseen ? RETRY_INTERVAL : this.refreshInterval;
    if (now - this.startedAt >= interval) this.startRefresh(context);
    // Counted from the start of the refresh: while storage is out of reach requests do not wait for long.
    const giveUpAt = Math.min(this.startedAt + MAX_RENEWAL, context.giveUpAt);
    // Does not wait for a refresh that has failed.
    if (!isUnseen || now >= giveUpAt || !this.refreshes.has(POINTER_KEY)) return release;
    const refreshed = this.awaitRefresh(context, giveUpAt)
      .catch(() => {})
      .then(() => this.release ?? release);
    return context.storage.measureWait(refreshed);
  }

  /** Starts to read the pointer if the isolate has no release yet. Failures are left to `current`. */
  prefetch(context: ReadContext): void {
    if (!this.release) this.startRefresh(context);
  }

  /**
   * Returns the release to answer from when a read of `failed` went wrong: an object has not reached this
   * location yet, is damaged, or does not come. If that is still the live release, the release before
   * takes its place until the pointer names another one, or for two minutes. If there is none before,
   * the pointer is read again; it may name the same release.
   *
   * Two causes leave the live release as it is. The read had no room: storage was not asked. Or it took
   * too long just after the release went live, and the release before has nothing in memory either: slow
   * storage would be as slow with that one.
   */
  async insteadOf(
    failed: LoadedRelease,
    cause: unknown,
    context: ReadContext,
  ): Promise<LoadedRelease> {
    const { previous } = this;
    const isLate = cause instanceof DeadlineError && Date.now() - this.replacedAt <= MAX_WAIT;
    const isBlameless =
      cause instanceof NoRoomError || (isLate && previous?.loadedParts.length === 0);
    if (this.release === failed && previous && !isBlameless) {
      this.failed = { number: this.liveNumber, since: Date.now() };
      this.setReleases(previous, undefined);
    }
    if (this.release && this.release !== failed) return this.release;
    const refreshed = this.awaitRefresh(context).catch(() => failed);
    return context.storage.measureWait(refreshed);
  }

  /** Waits for a refresh: one that is under way, or a new one. @param giveUpAt milliseconds since 1970 */
  private awaitRefresh(context: ReadContext, giveUpAt?: number): Promise<LoadedRelease> {
    return this.refreshes.loadOne(POINTER_KEY, () => this.refresh(context), context, giveUpAt);
  }

  /** Starts a refresh behind the answer, unless one is under way. */
  private startRefresh(context: ReadContext): void {
    this.refreshes.start([POINTER_KEY], () => [this.refresh(context)], context);
  }

  /** Reads the pointer, and returns the release that is live by it. */
  private async refresh(context: ReadContext): Promise<LoadedRelease> {
    const startedAt = Date.now();
    this.startedAt = startedAt;
    if (startedAt - this.replacedAt >= FALLBACK_LIFETIME && this.previous) {
      this.setReleases(this.release, undefined);
    }
    try {
      const pointer = await readSealedDocument(this.source, POINTER_KEY, pointerSchema, context);
      if (!pointer && !this.release) {
        throw new ProblemError('snapshot_missing', 'No snapshot has been published yet.');
      }
      if (!pointer) throw new Error(`${POINTER_KEY}: got nothing, expected a pointer`);
      this.seenAt = Date.now();
      if (this.release) return await this.follow(pointer, this.release, context);
      const before = pointer.before && new LoadedRelease(pointer.before, this.memory);
      return this.goLive(new LoadedRelease(pointer, this.memory), before ?? undefined);
    } catch (error) {
      // A newer refresh decides.
      if (this.release && this.startedAt === startedAt) this.report('refresh_failed', error);
      if (error instanceof ProblemError) throw error;
      const detail = 'The store data could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause: error });
    }
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
    const { number } = pointer;
    if (number >= this.liveNumber) this.lower = undefined;
    else if (this.lower?.number !== number) this.lower = { number, since: Date.now() };
    if (!this.isDue(pointer)) return live;
    const next = new LoadedRelease(pointer, this.memory);
    // The release before goes now, or three indexes would be held. It stays if its content comes again.
    if (!isSame(this.previous, next) && !isSame(live, next)) this.setReleases(live, undefined);
    this.memory.hold(live, this.previous, next);
    try {
      for (const part of live.loadedParts) {
        await next.loadUnmeasured([part], context, Date.now() + MAX_WAIT);
      }
    } catch (error) {
      // A read without room says nothing against the release: the next refresh tries it again.
      const isUnasked = error instanceof ProblemError && error.cause instanceof NoRoomError;
      if (!isUnasked && this.isDue(pointer)) this.failed = { number, since: Date.now() };
      this.setReleases(this.release, this.previous);
      throw new Error(`release ${next.name} cannot be read`, { cause: error });
    }
    if (this.isDue(pointer)) {
      return this.goLive(next, isSame(next, this.release) ? this.previous : this.release);
    }
    this.setReleases(this.release, this.previous);
    return this.release ?? live;
  }

  /** Returns whether the release that a pointer names is to go live, by all that is known now. */
  private isDue(pointer: Pointer): boolean {
    const { number } = pointer;
    const { lower, failed } = this;
    const now = Date.now();
    if (number === failed?.number && now - failed.since < FAILURE_LIFETIME) return false;
    if (number === this.liveNumber) return !isSame(pointer, this.release);
    if (number > this.liveNumber) return true;
    // A late copy of an older pointer, a newer release that was read sooner, or storage set up anew.
    return number === lower?.number && now - lower.since >= LOWER_NUMBER_LIFETIME;
  }

  private goLive(next: LoadedRelease, before: LoadedRelease | undefined): LoadedRelease {
    this.liveNumber = next.number;
    this.lower = undefined;
    this.failed = undefined;
    if (!isSame(next, this.release)) {
      this.replacedAt = Date.now();
      this.release?.retire();
    }
    this.setReleases(next, isSame(next, before) ? undefined : before);
    return next;
  }

  private setReleases(
    release: LoadedRelease | undefined,
    previous: LoadedRelease | undefined,
  ): void {
    this.release = release;
    this.previous = previous;
    this.memory.hold(release, previous);
  }
}

/** What makes two releases the same here: the same content may lie in two generations. */
type Content = Pick<LiveRelease, 'manifest'> | undefined;

function isSame(one: Content, other: Content): boolean {
  const [a, b] = [one?.manifest, other?.manifest];
  return a?.release === b?.release && a?.generation === b?.generation;
}
