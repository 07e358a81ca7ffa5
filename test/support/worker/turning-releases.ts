/** What tests share in which releases turn before places: the releases, and a time of their own. */
import { afterEach, beforeEach, vi } from 'vitest';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { PublishedManifest } from '../../../src/snapshot/manifest.ts';

/** A release that can be turned to, with the stores it was compiled from. */
export interface Release {
  readonly manifest: PublishedManifest;
  readonly stores: readonly SourceStore[];
}

/** Milliseconds after which a place looks at what is live again. */
const LOOK = 1_500;

/** The clock of a file's tests: it goes on when they say so, and from test to test. */
export interface OwnTime {
  /** Lets as much time pass as a place may lag behind. */
  passLook(): void;
}

/** For a whole file: tests run in a time of their own, and the service's log is not printed. */
export function useOwnTime(): OwnTime {
  let clock = Date.parse('2026-11-22T00:00:00Z');
  beforeEach(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ['Date'], now: clock });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  return {
    passLook: () => {
      clock += LOOK;
      vi.setSystemTime(clock);
    },
  };
}
