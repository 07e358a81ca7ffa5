/** A holder of releases before storage in memory, with a clock and reports that tests look at. */
import { expect } from 'vitest';
import { generateStores } from '../../scripts/fixtures/store.ts';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import { MemorySource } from '../shared/memory-snapshot.ts';

const REFRESH_INTERVAL = 30_000;

export const FIRST = [...generateStores(6, { seed: 1, languages: 2 })];
export const SECOND = [...generateStores(9, { seed: 2, languages: 2 })];

/** One isolate; a new one for each test. */
export class HeldRelease {
  readonly source = new MemorySource();
  /** Messages of what was reported. */
  readonly reports: string[] = [];
  /** Refreshes that were begun behind answers. */
  readonly deferred: Promise<unknown>[] = [];
  /** Milliseconds. */
  clock = 1_000_000;
  readonly holder = new ReleaseHolder(this.source, {
    refreshInterval: REFRESH_INTERVAL,
    now: () => this.clock,
    report: (_event, error) => this.reports.push((error as Error).message),
  });

  defer(work: Promise<unknown>): void {
    this.deferred.push(work);
  }

  /** The release that a request gets. */
  async current(): Promise<LoadedRelease> {
    return this.holder.current(this);
  }

  /** Lets the refresh interval pass, asks once, and waits for the refresh behind the answer. */
  async refresh(): Promise<void> {
    this.clock += REFRESH_INTERVAL;
    await this.current();
    await Promise.all(this.deferred.splice(0));
  }

  async publishFirst(): Promise<string> {
    const { release } = await this.source.publish(FIRST, '2026-01-01T00:00:00Z');
    expect((await this.current()).id).toBe(release);
    return release;
  }

  /** Publishes the second release and refreshes. */
  async followSecond(): Promise<LoadedRelease> {
    await this.source.publish(SECOND, '2026-01-02T00:00:00Z');
    await this.refresh();
    return this.current();
  }
}
