/**
 * The current release of an isolate: named by the pointer that its first request reads, then
 * refreshed behind answers. Whatever goes wrong with a new release leaves the last good one serving.
 *
 * At most two releases are held, the current one and the one before, which is there to fall back on
 * until every object of the current one is sure to be readable everywhere.
 */
import { ProblemError } from '../problem.ts';
import { POINTER_KEY } from '../snapshot/keys.ts';
import {
  type LiveRelease,
  type NumberedRelease,
  type Pointer,
  pointerSchema,
} from '../snapshot/manifest.ts';
import type { Part } from '../snapshot/part.ts';
import { DeadlineError } from '../storage/deadline.ts';
import type { Report, SnapshotSource } from '../storage/snapshot-source.ts';
import { type Background, LONGEST_RENEWAL, LONGEST_WAIT } from './background.ts';
import { readDocument } from './documents.ts';
import { LoadedRelease } from './loaded-release.ts';
import { PointerNumber } from './pointer-number.ts';
import { SharedLoads } from './shared-loads.ts';
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
const TOO_LONG_UNSEEN = 2 * 60_000;

/** Milliseconds between two looks at the pointer while it has not been seen for too long. */
const LOOK_AGAIN_AFTER = 5_000;

export class ReleaseHolder {
  private readonly source: SnapshotSource;
  /** What the isolate holds, releases and all. */
  readonly memory: SnapshotMemory;
  private readonly looks = new SharedLoads<LoadedRelease>();
  private readonly refreshInterval: number;
  private readonly report: Report;
  private release: LoadedRelease | undefined;
  private readonly number = new PointerNumber();
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
  current(background: Background): LoadedRelease | Promise<LoadedRelease> {
    const { release } = this;
    if (!release) return this.first(background);
    const now = Date.now();
    const isUnseen = now - this.seenAt > TOO_LONG_UNSEEN;
    const interval = isUnseen ? LOOK_AGAIN_AFTER : this.refreshInterval;
    if (now - this.askedAt >= interval) this.look(background, 0).catch(() => {});
    // Counted from when the look began: while storage is out of reach requests do not wait for long.
    const patience = this.askedAt + LONGEST_RENEWAL - now;
    // One that has failed is not waited for.
    if (!isUnseen || patience <= 0 || !this.looks.has(POINTER_KEY)) return release;
    const look = this.look(background, patience).catch(() => this.release ?? release);
    return background.storage.waitFor(look);
  }

  /**
   * Begins to read what an answer will need in a fresh isolate, the pointer and then index parts,
   * beside whatever else the request waits for. Failures are left to the request that needs the result.
   */
  prepare(parts: readonly Part[], background: Background): void {
    if (this.release) return;
    // Not counted as waiting: meanwhile the request waits for its token, or for the same reads.
    const ready = this.look(background, LONGEST_WAIT).then((release) =>
      release.readTables(parts, background, LONGEST_WAIT),
    );
    background.defer(ready.catch(() => {}));
  }

  /**
   * The release to answer from when `failed` could not be read from: an object has not reached this
   * location yet, is damaged, or does not come. That is the release before, until the pointer moves or
   * some time has passed; else the one that the pointer names now, which may be the same.
   *
   * Where an object only takes too long, the release before is taken if it is in memory, or after a
   * while: storage that is slow would be as slow with that one.
   */
  async insteadOf(
    failed: LoadedRelease,
    cause: unknown,
    background: Background,
  ): Promise<LoadedRelease> {
    const { previous } = this;
    const isLate = cause instanceof DeadlineError && Date.now() - this.replacedAt <= LONGEST_WAIT;
    if (this.release === failed && previous && !(isLate && previous.loadedParts.length === 0)) {
      this.number.fail();
      this.hold(previous, undefined);
    }
    if (this.release && this.release !== failed) return this.release;
    const look = this.look(background).catch(() => failed);
    return background.storage.waitFor(look);
  }

  /** The release of an isolate that has none yet. */
  private async first(background: Background): Promise<LoadedRelease> {
    try {
      return await background.storage.waitFor(this.look(background));
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      const detail = 'The store data could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    }
  }

  /** Looks at the pointer, or joins a look that is under way. @param patience 0: does not wait */
  private look(background: Background, patience?: number): Promise<LoadedRelease> {
    return this.looks.loadOne(POINTER_KEY, () => this.lookAlone(background), background, patience);
  }

  private async lookAlone(background: Background): Promise<LoadedRelease> {
    const begunAt = Date.now();
    this.askedAt = begunAt;
    if (begunAt - this.replacedAt >= FALLBACK_LIFETIME && this.previous) {
      this.hold(this.release, undefined);
    }
    try {
      const pointer = await readDocument(this.source, POINTER_KEY, pointerSchema, background);
      if (!pointer && !this.release) {
        throw new ProblemError('snapshot_missing', 'No snapshot has been published yet.');
      }
      if (!pointer) throw new Error(`${POINTER_KEY}: got nothing, expected a pointer`);
      this.seenAt = Date.now();
      const { release } = this;
      return release ? await this.follow(pointer, release, background) : this.begin(pointer);
    } catch (error) {
      // A newer look decides.
      if (this.release && this.askedAt === begunAt) this.report('refresh_failed', error);
      throw error;
    }
  }

  private begin(pointer: Pointer): LoadedRelease {
    this.replacedAt = this.seenAt;
    this.number.follow(pointer.number);
    const { before } = pointer;
    const isOther = before && !isSame(before, pointer);
    return this.hold(this.open(pointer), isOther ? this.open(before) : undefined);
  }

  /**
   * Goes over to what the pointer names, if that is to be followed. What the held release has in memory
   * is read first, part by part, which takes less memory and leaves room for reads that are waited for.
   */
  private async follow(
    pointer: Pointer,
    release: LoadedRelease,
    background: Background,
  ): Promise<LoadedRelease> {
    const isHeld = isSame(pointer, release);
    if (!this.number.isToFollow(pointer.number, isHeld)) return release;
    const next = this.open(pointer);
    // Two indexes are held at the most: the one before goes, unless it is the one that comes.
    if (!isSame(this.previous, next) && !isHeld) this.hold(release, undefined);
    this.memory.hold(present(release, this.previous, next));
    try {
      for (const part of release.loadedParts) {
        await next.readTables([part], background, LONGEST_WAIT);
      }
    } catch (error) {
      this.number.fail(pointer.number);
      this.hold(this.release, this.previous);
      throw new Error(`release ${next.name} cannot be read`, { cause: error });
    }
    this.number.follow(pointer.number);
    if (isHeld) return this.hold(next, this.previous);
    this.replacedAt = Date.now();
    release.retire();
    return this.hold(next, release);
  }

  private open(release: NumberedRelease): LoadedRelease {
    return new LoadedRelease(release, this.memory);
  }

  private hold<Release extends LoadedRelease | undefined>(
    release: Release,
    previous: LoadedRelease | undefined,
  ): Release {
    this.release = release;
    this.previous = previous;
    this.memory.hold(present(release, previous));
    return release;
  }
}

/** What tells releases apart here: the same content may lie in two generations. */
type Content = Pick<LiveRelease, 'manifest'> | null | undefined;

function isSame(one: Content, other: Content): boolean {
  const [a, b] = [one?.manifest, other?.manifest];
  return a?.release === b?.release && a?.generation === b?.generation;
}

function present(...releases: readonly (LoadedRelease | undefined)[]): LoadedRelease[] {
  return releases.filter((release) => release !== undefined);
}
