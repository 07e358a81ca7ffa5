/** Waiting: a clock that tests replace, and long waits that are announced. */
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { CommandContext } from './run-command.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; throws the reason of `signal` as soon as that is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    // Nothing else ends it early.
    sleepFor(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted()),
};

/** Milliseconds; longer waits are announced. */
const PATIENCE = 5_000;

interface Waiting {
  readonly clock: Clock;
  readonly context: Pick<CommandContext, 'remark'> & {
    readonly signal?: AbortSignal | undefined;
  };
}

/** Waits, and says why where it takes long; throws the reason of the signal as soon as that is aborted. */
export async function waitFor(
  { clock, context: { remark, signal } }: Waiting,
  milliseconds: number,
  reason: string,
): Promise<void> {
  if (milliseconds > PATIENCE) remark(`waiting ${Math.round(milliseconds / 1000)} s: ${reason}`);
  await clock.sleep(milliseconds, signal);
}
