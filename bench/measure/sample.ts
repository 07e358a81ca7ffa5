/** One turn of a contender under load: requests a second, and CPU for each. */
import {
  type Drive,
  drive,
  type PreparedRequest,
  type Repetition,
  withConnections,
} from '../client/drive.ts';
import type { Throughput } from '../report/results.ts';
import { spreadOf } from '../report/statistics.ts';
import type { RunningContender } from '../server/contender.ts';
import { cpuSeconds } from './process-cost.ts';

export interface TurnPlan {
  readonly connections: number;
  readonly secondsPerRound: number;
}

export interface Turn {
  readonly perSecond: number;
  /** Microseconds of CPU per request; null where it is not known. */
  readonly cpu: number | null;
  readonly drive: Drive;
}

export async function takeTurn(
  { port, process: { pid } }: RunningContender,
  requests: readonly PreparedRequest[],
  repetition: Repetition,
  { connections: count, secondsPerRound }: TurnPlan,
): Promise<Turn> {
  return withConnections(port, count, async (connections) => {
    const before = cpuSeconds(pid);
    const driven = await drive(connections, requests, secondsPerRound, repetition);
    const after = cpuSeconds(pid);
    const cpu = before === null || after === null ? null : (after - before) * 1e6;
    return {
      perSecond: driven.requests / driven.seconds,
      cpu: cpu === null ? null : cpu / driven.requests,
      drive: driven,
    };
  });
}

/** What remains of the turns of one contender. */
export function throughputOf(turns: readonly Turn[]): Throughput {
  const lengths = turns.flatMap(({ drive: { lengths } }) => lengths);
  return {
    perSecond: spreadOf(turns.map(({ perSecond }) => perSecond)),
    cpu: spreadOfKnown(turns.map(({ cpu }) => cpu)),
    bytes: lengths.reduce((sum, length) => sum + length, 0) / lengths.length,
  };
}

/** The spread of the values that are known; null when there are none. */
export function spreadOfKnown(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : spreadOf(known);
}
