/**
 * The current release of an isolate: loaded by its first request, then refreshed behind answers.
 * Whatever goes wrong with a new release leaves the last good one serving.
 */
import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import { ProblemError } from '../problem.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import type { Pointer } from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import { type ChunkCache, LoadedRelease } from './loaded-release.ts';
import { ObjectReader } from './object-reader.ts';
import { readPointer, readRelease } from './read-release.ts';

/**
 * Chunks kept in memory. An isolate has 128 MB; at 100,000 stores the index takes about 20 MB,
 * twice that while a new release takes over.
 */
const CHUNK_BUDGET_BYTES = 40 * 1024 * 1024;

/**
 * Milliseconds for which the release before is kept to fall back on. By then KV has brought every
 * object of the new one everywhere, and the memory is worth more.
 */
const FALLBACK_LIFETIME = 3 * 60_000;

export interface ReleaseHolderOptions {
  /** Least time between two looks at the pointer, in milliseconds. */
  readonly refreshInterval: number;
  /** Milliseconds since 1970; replaced in tests. */
  readonly now?: () => number;
  /** Told of what went wrong behind an answer. */
  readonly report?: (event: string, error: unknown) => void;
}

/** What work goes on behind: a request, which must outlive its answer for that. */
export interface Background {
  /** Keeps work alive after the response has been sent (`ctx.waitUntil`). */
  defer(work: Promise<unknown>): void;
}

export class ReleaseHolder {
  private readonly source: SnapshotSource;
  private readonly objects: ObjectReader;
  private readonly chunks: ChunkCache;
  private readonly refreshInterval: number;
  private readonly now: () => number;
  private readonly report: (event: string, error: unknown) => void;
  private release: LoadedRelease | undefined;
  /** The release before, kept for a while: see `retreat`. */
  private previous: LoadedRelease | undefined;
  private replacedAt = Number.NEGATIVE_INFINITY;
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(source: SnapshotSource, options: ReleaseHolderOptions) {
    this.source = source;
    this.objects = new ObjectReader(source);
    this.chunks = new ByteBudgetCache(CHUNK_BUDGET_BYTES, (chunk) => chunk.bytes.byteLength);
    this.refreshInterval = options.refreshInterval;
    this.now = options.now ?? Date.now;
    this.report = options.report ?? (() => {});
  }

  /**
   * The release that answers now. Only an isolate's first requests wait for storage.
   * @throws ProblemError snapshot_missing, storage_unreachable
   */
  current(background: Background): LoadedRelease | Promise<LoadedRelease> {
    if (!this.release) return this.loadFirst();
    const now = this.now();
    if (now - this.checkedAt >= this.refreshInterval) {
      this.checkedAt = now;
      background.defer(this.refresh());
    }
    return this.release;
  }

  /**
   * Gives up on a release that answers cannot be read from (an object has not reached this
   * location yet, or is damaged) and goes back to the one before, until the next refresh.
   * @returns the release to answer from instead, or null when there is none
   */
  retreat(from: LoadedRelease): LoadedRelease | null {
    if (this.release === from && this.previous) {
      this.release = this.previous;
      this.previous = undefined;
    }
    return this.release && this.release !== from ? this.release : null;
  }

  private async loadFirst(): Promise<LoadedRelease> {
    try {
      const pointer = await readPointer(this.source);
      if (!pointer) {
        throw new ProblemError('snapshot_missing', 'No snapshot has been published yet.');
      }
      const release = await this.load(pointer);
      // Another request may have been quicker; all answers then share its release.
      this.release ??= release;
      this.checkedAt = this.now();
      return this.release;
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      const detail = 'The store data could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    }
  }

  private async refresh(): Promise<void> {
    if (this.now() - this.replacedAt >= FALLBACK_LIFETIME) this.previous = undefined;
    try {
      const pointer = await readPointer(this.source);
      const held = this.release;
      if (!pointer || !held || isPointedTo(held, pointer)) return;
      const release = await this.load(pointer);
      await release.warmUpLike(held);
      this.previous = held;
      this.release = release;
      this.replacedAt = this.now();
    } catch (error) {
      this.report('refresh_failed', error);
    }
  }

  private async load(pointer: Pointer): Promise<LoadedRelease> {
    const manifest = await readRelease(this.source, pointer.release);
    if (!manifest) throw new SnapshotFormatError(`release ${pointer.release} is missing`);
    return LoadedRelease.load(manifest, new Date(pointer.publishedAt), this.objects, this.chunks);
  }
}

function isPointedTo(release: LoadedRelease, pointer: Pointer): boolean {
  return (
    release.id === pointer.release &&
    release.publishedAt.getTime() === Date.parse(pointer.publishedAt)
  );
}
