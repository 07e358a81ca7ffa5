/** What is said to the stand-in for KV about a lane, and what it answers. */

/** Names the lane of a read. Configurations of workerd add it to what an isolate sends. */
export const LANE_HEADER = 'x-bench-lane';

/** Says that the request is for the database at this port. */
export const DATABASE_HEADER = 'x-bench-database';

/** Below this path lie the lanes: POST settings to one, GET its report. No key begins like it. */
export const CONTROL_PATH = '/bench-lanes/';

/** A key takes this much more or less than the latency. */
export const DEVIATION = 0.3;
/** A slow key takes so many times the latency. */
export const SLOW_FACTOR = 5;

export interface LaneSettings {
  /** Milliseconds that a key takes, give or take `DEVIATION`. */
  readonly latency: number;
  /** Share of keys that take `SLOW_FACTOR` times as long. */
  readonly slowShare: number;
  /** An unsigned 32-bit integer: equal seeds give equal delays. */
  readonly seed: number;
  /** Single reads that are under way at once; the others wait. */
  readonly singlesAtOnce: number;
}

/** Milliseconds that a key of KV takes in the cold regime. */
export const LATENCY = 40;
/** Outgoing connections that a request has at once. */
export const SINGLES_AT_ONCE = 6;

/** As KV in the cold regime. */
export const COLD: LaneSettings = {
  latency: LATENCY,
  slowShare: 1 / 50,
  seed: 1,
  singlesAtOnce: SINGLES_AT_ONCE,
};

/** Without delay. */
export const INSTANT: LaneSettings = {
  ...{ latency: 0, slowShare: 0, seed: 0 },
  // JSON has no infinity.
  singlesAtOnce: 1_000_000,
};

export const KEY_KINDS = [
  'pointer',
  'token',
  'release',
  'part',
  'chunk',
  'query',
  'other',
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

interface KindCount {
  /** Keys read, each as often as it was. */
  reads: number;
  /** Different keys. */
  keys: number;
  /** Of their values, before any encoding. */
  bytes: number;
}

export type LaneReport = Readonly<Record<KeyKind, KindCount>>;

/** Counts the keys of some kinds that were read, each as often as it was. */
export function readsOf(report: LaneReport, ...kinds: readonly KeyKind[]): number {
  return kinds.reduce((sum, kind) => sum + report[kind].reads, 0);
}
