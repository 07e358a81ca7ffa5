/** A holder of releases before storage in memory, in the time of fake timers. */

import { expect, vi } from 'vitest';
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { LoadedRelease } from '../../../src/load/loaded-release.ts';
import { ReleaseHolder } from '../../../src/load/release-holder.ts';
import { CHUNKS_PART } from '../../../src/snapshot/chunks.ts';
import type { Part } from '../../../src/snapshot/column-file.ts';
import { IDS_PART } from '../../../src/snapshot/id-table.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { Pointer } from '../../../src/snapshot/manifest.ts';
import { PLACES_PART } from '../../../src/snapshot/place-table.ts';
import { rankPart } from '../../../src/snapshot/rank-column.ts';
import { decodePointer, publish, TestContext } from '../../support/stores/memory-snapshot.ts';
import { WatchedStorage } from '../../support/watched-storage.ts';

export const REFRESH_INTERVAL = 30_000;

export const FIRST = [...generateStores(6, { seed: 1, languages: 2 })];
export const SECOND = [...generateStores(9, { seed: 2, languages: 2 })];
export const THIRD = [...generateStores(7, { seed: 3, languages: 2 })];

/** Parts that a query reads. */
export const PARTS = [PLACES_PART, CHUNKS_PART, IDS_PART, rankPart('name', 'fr')];

/** One isolate, and the requests to it; a new one for each test. */
export class HeldRelease extends TestContext {
  readonly source: WatchedStorage;
  readonly holder: ReleaseHolder;

  /**
   * @param source storage, for isolates that share it
   * @param refreshInterval milliseconds between two looks at the pointer
   */
  constructor(source = new WatchedStorage(), refreshInterval = REFRESH_INTERVAL) {
    super();
    this.source = source;
    this.holder = new ReleaseHolder(source.source, refreshInterval, () => {});
  }

  /** Has a query read `parts` of the current release. */
  async load(parts: readonly Part[] = PARTS): Promise<void> {
    await (await this.current()).load(parts, this);
  }

  /** Keys that were asked for since it was called last. */
  keysRead(): string[] {
    return this.source.reads.splice(0).map(({ key }) => key);
  }

  /** The release that a request gets. */
  async current(): Promise<LoadedRelease> {
    return this.holder.current(this);
  }

  /** The release that a request gets in the place of one that could not be read from. */
  insteadOf(failed: LoadedRelease, cause: unknown = new Error('missing')): Promise<LoadedRelease> {
    return this.holder.insteadOf(failed, cause, this);
  }

  /** Lets the refresh interval pass, asks once, and waits for the refresh behind the answer. */
  async refresh(): Promise<void> {
    vi.advanceTimersByTime(REFRESH_INTERVAL);
    await this.current();
    await this.settle();
  }

  /** Refreshes until so many milliseconds have passed. */
  async refreshFor(milliseconds: number): Promise<void> {
    const end = Date.now() + milliseconds;
    while (Date.now() < end) await this.refresh();
  }

  /** Waits for the work behind answers. */
  async settle(): Promise<void> {
    while (this.deferred.length > 0) await Promise.all(this.deferred.splice(0));
  }

  /** Publishes stores, which no request has noticed yet. */
  async publish(stores: Iterable<SourceStore>, publishedAt?: string) {
    return (await publish(this.source.values, stores, publishedAt)).pointer.manifest;
  }

  async publishFirst(): Promise<string> {
    const { release } = await this.publish(FIRST);
    expect((await this.current()).id).toBe(release);
    await this.settle();
    return release;
  }

  /** Publishes the second release and refreshes. */
  async followSecond(): Promise<LoadedRelease> {
    await this.publish(SECOND);
    await this.refresh();
    return this.current();
  }

  /** The pointer as it is in storage. */
  get pointer(): Pointer {
    return decodePointer(this.source.values.get(POINTER_KEY)) as Pointer;
  }

  set pointer(pointer: Pointer) {
    this.source.write(POINTER_KEY, pointer);
  }
}
