/**
 * What is killed, how, and when: every combination of signal, process, phase and side, over each
 * storage. The counts of the four have no common divisor, so that counting up meets every
 * combination once in 180 kills, and any run of ten meets each phase once over each storage.
 */

export const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const;
/** The process that gets the signal; `group` is npm and everything that it started. */
export const TARGETS = ['node', 'npm', 'group'] as const;
/** What the publication does when it comes; `phase-watch.ts` says by which step that is told. */
export const PHASES = ['upload', 'confirm', 'log', 'pointer', 'after'] as const;
/** Whether the step that tells the phase is about to be done, or has been. */
const SIDES = ['before', 'after'] as const;
const STORAGES = ['local', 'remote'] as const;

export type Phase = (typeof PHASES)[number];
export type Side = (typeof SIDES)[number];
export type Storage = (typeof STORAGES)[number];

/** The instant at which a publication is killed. */
export interface Moment {
  readonly phase: Phase;
  readonly side: Side;
  /** How many steps of the phase are let pass before. */
  readonly passes: number;
}

export interface Kill extends Moment {
  /** Its place in the plan, from 0. */
  readonly number: number;
  readonly storage: Storage;
  readonly signal: (typeof SIGNALS)[number];
  readonly target: (typeof TARGETS)[number];
  /** Whether the second publisher decides at that moment, or when this one has ended. */
  readonly isRaced: boolean;
}

/** Steps of an upload to local storage; to Cloudflare there is one, which holds everything. */
const LOCAL_UPLOADS = 8;

/** Of `count` kills from number `first` on, those over one storage. */
export function planKills(first: number, count: number, storage: Storage): Kill[] {
  const all = Array.from({ length: count }, (_, index) => killOf(first + index));
  return all.filter((kill) => kill.storage === storage);
}

function killOf(number: number): Kill {
  const storage = nth(STORAGES, number);
  const phase = nth(PHASES, number);
  const isSpread = phase === 'upload' && storage === 'local';
  const signal = nth(SIGNALS, number);
  const target = nth(TARGETS, Math.floor(number / SIGNALS.length));
  return {
    number,
    storage,
    phase,
    side: nth(SIDES, Math.floor(number / STORAGES.length)),
    passes: isSpread ? Math.floor(number / PHASES.length) % LOCAL_UPLOADS : 0,
    signal,
    // The death of npm alone keeps no publication from its end.
    target: signal === 'SIGKILL' && target === 'npm' ? 'group' : target,
    // Seven divides none of the counts: over the rounds it goes with every combination.
    isRaced: Math.floor(number / 7) % 2 === 0,
  };
}

/** Counts round and round. */
function nth<T>(items: readonly T[], number: number): T {
  return items[number % items.length] as T;
}

/** Such as `SIGTERM to npm, log (before), remote`. */
export function describeKill({ signal, target, phase, side, storage }: Kill): string {
  return `${signal} to ${target}, ${phase} (${side}), ${storage}`;
}
