/** A holder of releases before storage in memory, in the time of fake timers. */

import { expect, vi } from 'vitest';
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { LoadedRelease } from '../../../src/load/loaded-release.ts';
import { ReleaseHolder } from '../../../src/load/release-holder.ts';
import { POINTER_KEY } from '../../../src/snapshot/keys.ts';
import type { Pointer } from '../../../src/snapshot/manifest.ts';
import { MAX_WAIT, type ReadContext, StorageCost } from '../../../src/storage/reading.ts';
import { sealJson } from '../../../src/storage/sealed-json.ts';
import { HeldSource } from '../../support/held-source.ts';
import { decodePointer } from '../../support/stores/memory-snapshot.ts';

export const REFRESH_INTERVAL = 30_000;

export const FIRST = [...generateStores(6, { seed: 1, languages: 2 })];
export const SECOND = [...generateStores(9, { seed: 2, languages: 2 })];
export const THIRD = [...generateStores(7, { seed: 3, languages: 2 })];

/** One isolate; a new one for each test. */
export class HeldRelease implements ReadContext {
  readonly source: HeldSource;
  readonly host = 'stores.test';
  readonly storage = new StorageCost();
  /** Work that goes on behind answers. */
  readonly deferred: Promise<unknown>[] = [];
  readonly holder: ReleaseHolder;

  /**
   * @param source storage, for isolates that share it
   * @param refreshInterval milliseconds between two looks at the pointer
   */
  constructor(source = new HeldSource(), refreshInterval = REFRESH_INTERVAL) {
    this.source = source;
    this.holder = new ReleaseHolder(source, refreshInterval, () => {});
  }

  /** Each request has come just now. */
  get giveUpAt(): number {
    return Date.now() + MAX_WAIT;
  }

  defer(work: Promise<unknown>): void {
    this.deferred.push(work);
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

  async publishFirst(): Promise<string> {
    const { release } = await this.source.publish(FIRST, '2026-01-01T00:00:00Z');
    expect((await this.current()).id).toBe(release);
    await this.settle();
    return release;
  }

  /** Publishes the second release and refreshes. */
  async followSecond(): Promise<LoadedRelease> {
    await this.source.publish(SECOND, '2026-01-02T00:00:00Z');
    await this.refresh();
    return this.current();
  }

  /** The pointer as it is in storage. */
  get pointer(): Pointer {
    return decodePointer(this.source.values.get(POINTER_KEY)) as Pointer;
  }

  set pointer(pointer: Pointer) {
    this.source.values.set(POINTER_KEY, new TextEncoder().encode(sealJson(pointer)));
  }
}
