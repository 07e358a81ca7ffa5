/**
 * The current release of an isolate: named by the pointer that its first request reads, then
 * refreshed behind answers. Whatever goes wrong with a new release leaves the last good one serving.
 *
 * At most two releases are held, the current one and the one before, which is there to fall back on
 * until every object of the current one is sure to be readable everywhere.
 */
import { ProblemError } from '../problem.ts';
import { POINTER_KEY } from '../snapshot/keys.ts';
import type { NumberedRelease, Pointer } from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import { awaitStorage, type Background, LONGEST_WAIT, patienceOf } from './background.ts';
import { LoadedRelease } from './loaded-release.ts';
import { PointerNumber } from './pointer-number.ts';
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

/**
 * Milliseconds after which a look at the pointer that has not come to an end is taken for lost: the
 * request that began it was ended by the platform. Each of its reads has a shorter deadline.
 */
const LONGEST_REFRESH = 60_000;

export interface ReleaseHolderOptions {
  /** Least time between two looks at the pointer, in milliseconds. */
  readonly refreshInterval: number;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Told of what went wrong behind an answer. */
  readonly report?: (event: string, error: unknown) => void;
}

export class ReleaseHolder {
  private readonly source: SnapshotSource;
  /** What the isolate holds, releases and all. */
  readonly memory: SnapshotMemory;
  private readonly pointerLoads = new SharedLoads<Pointer | null>();
  private readonly refreshInterval: number;
  private readonly now: () => number;
  private readonly report: (event: string, error: unknown) => void;
  private release: LoadedRelease | undefined;
  private readonly number = new PointerNumber();
  /** The release before: see `retreat`. */
  private previous: LoadedRelease | undefined;
  private replacedAt = Number.NEGATIVE_INFINITY;
  /** When the pointer was last asked for, and when it last came. */
  private askedAt = Number.NEGATIVE_INFINITY;
  private seenAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | undefined;
  /** The name of the release that requests waited for in vain, and since when. */
  private late: { readonly name: string; readonly since: number } | undefined;

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
    const { release } = this;
    if (!release) return awaitStorage(this.loadFirst(background), background);
    const now = this.now();
    const isLate = now - this.seenAt > TOO_LONG_UNSEEN;
    if (now - this.askedAt >= this.refreshInterval) background.defer(this.refresh(background));
    // Counted from when the look began: while storage is out of reach nobody waits for long.
    const rest = this.askedAt + LONGEST_LOOK - now;
    if (!isLate || !this.refreshing || rest <= 0) return release;
    const look = settlesWithin(this.refreshing, rest);
    return awaitStorage(look, background).then(() => this.release ?? release);
  }

  /**
   * Begins to read what an answer will need in a fresh isolate, the pointer and then index parts,
   * beside whatever else the request waits for. Failures are left to who needs the result.
   */
  prepare(parts: readonly string[], background: Background): void {
    if (this.release) return;
    const prepared = this.loadFirst(background).then((release) =>
      release.prepare(parts, background),
    );
    background.defer(prepared.catch(() => {}));
  }

  /**
   * Gives up on a release that answers cannot be read from (an object has not reached this
   * location yet, or is damaged) and goes back to the one before, until the pointer moves or some
   * time has passed.
   * @param isLate nothing is known to be wrong with it but that it takes long
   * @returns the release to answer from instead, or null when there is none
   */
  retreat(from: LoadedRelease, isLate = false): LoadedRelease | null {
    if (isLate && this.isWorthWaiting(from)) return null;
    if (this.release === from && this.previous) {
      this.number.fail(this.now());
      this.hold(this.previous, undefined);
    }
    return this.release && this.release !== from ? this.release : null;
  }

  /**
   * Whether a release that takes long is worth another request's wait: where storage is slow, the one
   * before would have to be read as slowly.
   */
  private isWorthWaiting(release: LoadedRelease): boolean {
    if (this.previous?.loadedParts.length) return false;
    const { name } = release;
    if (this.late?.name !== name) this.late = { name, since: this.now() };
    return this.now() - this.late.since < LONGEST_WAIT;
  }

  /**
   * Looks at the pointer at once, for an answer that could not be read from any release.
   * @returns the release to try next, which may be the same
   * @throws ProblemError snapshot_missing, storage_unreachable
   */
  async renew(background: Background): Promise<LoadedRelease> {
    const refresh = this.refresh(background);
    background.defer(refresh);
    await awaitStorage(settlesWithin(refresh, patienceOf(background)), background);
    return this.release ?? awaitStorage(this.loadFirst(background), background);
  }

  private async loadFirst(background: Background): Promise<LoadedRelease> {
    const read = () => this.readFirst(background);
    try {
      await this.pointerLoads.loadOne(POINTER_KEY, read, background);
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      const detail = 'The store data could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    }
    if (this.release) return this.release;
    throw new ProblemError('snapshot_missing', 'No snapshot has been published yet.');
  }

  /** What comes of the read is kept even when everybody who waited for it has given up. */
  private async readFirst(background: Background): Promise<Pointer | null> {
    const pointer = await readPointer(this.source, background);
    if (pointer && !this.release) this.begin(pointer);
    return pointer;
  }

  private begin(pointer: Pointer): void {
    this.seenAt = this.now();
    this.askedAt = this.seenAt;
    this.replacedAt = this.seenAt;
    this.number.follow(pointer.number);
    const { before, number } = pointer;
    const isOther = before && before.manifest.release !== pointer.manifest.release;
    const numbered = before && { ...before, number: before.number ?? number - 1 };
    const previous = isOther && numbered ? this.open(numbered) : undefined;
    this.hold(this.open(pointer), previous);
  }

  /** Looks at the pointer and follows it. Never rejects; refreshes do not overlap. */
  private refresh(background: Background): Promise<void> {
    const isLost = this.now() - this.askedAt >= LONGEST_REFRESH;
    if (this.refreshing && !isLost) return this.refreshing;
    const refreshing = this.lookAndFollow(background).finally(() => {
      if (this.refreshing === refreshing) this.refreshing = undefined;
    });
    this.refreshing = refreshing;
    return refreshing;
  }

  private async lookAndFollow(background: Background): Promise<void> {
    this.askedAt = this.now();
    if (this.now() - this.replacedAt >= FALLBACK_LIFETIME && this.previous) {
      this.hold(this.release, undefined);
    }
    try {
      const pointer = await readPointer(this.source, background);
      this.seenAt = this.now();
      if (!pointer) throw new Error(`${POINTER_KEY}: got nothing, expected a pointer`);
      const isHeld = pointer.manifest.release === this.release?.id;
      const isToFollow = this.number.isToFollow(pointer.number, isHeld, this.now());
      if (isToFollow) await this.follow(pointer, background);
    } catch (error) {
      this.report('refresh_failed', error);
    }
  }

  /** Takes over what the held release has in memory, so that the change slows no request. */
  private async follow(pointer: Pointer, background: Background): Promise<void> {
    const next = this.open(pointer);
    // Two indexes are held at the most: the one before goes, unless it is the one that comes.
    if (![this.release?.id, this.previous?.id].includes(next.id))
      this.hold(this.release, undefined);
    this.memory.hold(present(this.release, this.previous, next));
    try {
      await next.prefetch(this.release?.loadedParts ?? [], background);
    } catch (error) {
      this.number.fail(this.now(), pointer.number);
      this.hold(this.release, this.previous);
      throw new Error(`release ${next.name} cannot be read`, { cause: error });
    }
    this.number.follow(pointer.number);
    if (next.id === this.release?.id) {
      this.hold(next, this.previous);
      return;
    }
    this.replacedAt = this.now();
    this.release?.retire();
    this.hold(next, this.release);
  }

  private open(release: NumberedRelease): LoadedRelease {
    return new LoadedRelease(release, this.memory);
  }

  private hold(release: LoadedRelease | undefined, previous: LoadedRelease | undefined): void {
    this.release = release;
    this.previous = previous;
    this.memory.hold(present(release, previous));
  }
}

function present(...releases: readonly (LoadedRelease | undefined)[]): LoadedRelease[] {
  return releases.filter((release) => release !== undefined);
}
