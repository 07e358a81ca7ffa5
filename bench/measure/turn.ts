/** One turn of a contender under load: requests a second, and CPU for each. */
import { readdirSync, readFileSync } from 'node:fs';
import {
  type Drive,
  drive,
  type PreparedRequest,
  type Repetition,
  withConnections,
} from '../client/drive.ts';
import type { Isolate } from '../server/contender.ts';

export const CONNECTIONS = 4;

/** How long a contender answers in a round. */
export const SECONDS = 0.2;

const NANOSECONDS = 1e9;

export interface Turn {
  readonly perSecond: number;
  /** Milliseconds of CPU per request; null where it is not known. */
  readonly cpu: number | null;
  readonly drive: Drive;
}

export async function takeTurn(
  { port, pid }: Pick<Isolate, 'port' | 'pid'>,
  requests: readonly PreparedRequest[],
  repetition: Repetition = 'again',
  seconds = SECONDS,
): Promise<Turn> {
  return withConnections(port, CONNECTIONS, async (connections) => {
    const before = cpuSeconds(pid);
    const driven = await drive(connections, requests, seconds, repetition);
    const cpu = cpuSince(pid, before);
    return {
      perSecond: driven.requests / driven.seconds,
      cpu: cpu === null ? null : cpu / driven.requests,
      drive: driven,
    };
  });
}

/**
 * Seconds of CPU of all threads of a process so far: null on systems without /proc. The scheduler
 * counts nanoseconds, `stat` only hundredths.
 */
export function cpuSeconds(pid: number): number | null {
  const tasks = `/proc/${pid}/task`;
  try {
    const spent = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ', 1)[0]),
    );
    return spent.reduce((sum, each) => sum + each, 0) / NANOSECONDS;
  } catch {
    return null;
  }
}

/** Milliseconds of CPU since `before`. */
export function cpuSince(pid: number, before: number | null): number | null {
  const now = cpuSeconds(pid);
  return before === null || now === null ? null : (now - before) * 1000;
}

/** Milliseconds of CPU per request when each is sent once. */
export async function cpuOfEach(
  service: Pick<Isolate, 'port' | 'pid'>,
  requests: readonly PreparedRequest[],
): Promise<number | null> {
  return (await takeTurn(service, requests, 'once', Number.POSITIVE_INFINITY)).cpu;
}
