/** Throughput of the contenders in one case, side by side. */
import { Connection } from '../client/connection.ts';
import { drive } from '../client/drive.ts';
import type { CaseResult, Throughput } from '../report/results.ts';
import { ratioSpread, spreadOf } from '../report/statistics.ts';
import type { PreparedCase } from '../requests/prepare-requests.ts';
import { takesPart } from '../requests/verify.ts';
import type { ContenderName, RunningContender } from '../server/contender.ts';
import { cpuSeconds } from './process-cost.ts';

export interface Plan {
  readonly connections: number;
  readonly rounds: number;
  readonly secondsPerRound: number;
}

interface Samples {
  readonly perSecond: number[];
  /** Microseconds of CPU per request. */
  readonly cpu: number[];
  readonly bytes: number[];
}

/**
 * Measures a case: first everybody warms up, then each has its turn in every round. Who begins
 * changes from round to round, so that nobody always follows the same other.
 */
export async function measureCase(
  group: PreparedCase,
  contenders: readonly RunningContender[],
  plan: Plan,
): Promise<CaseResult> {
  const taking = contenders.filter(({ name }) => takesPart(name, group.name));
  const samples = new Map<ContenderName, Samples>();
  for (const contender of taking) {
    samples.set(contender.name, { perSecond: [], cpu: [], bytes: [] });
    await measureOnce(contender, group, plan);
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (let turn = 0; turn < taking.length; turn++) {
      const contender = taking[(turn + round) % taking.length] as RunningContender;
      const { perSecond, cpu, bytes } = samples.get(contender.name) as Samples;
      const sample = await measureOnce(contender, group, plan);
      perSecond.push(sample.perSecond);
      if (sample.cpu !== null) cpu.push(sample.cpu);
      bytes.push(sample.bytes);
    }
  }
  return summarise(group, samples);
}

async function measureOnce(
  { port, process: { pid } }: RunningContender,
  { prepared }: PreparedCase,
  { connections: count, secondsPerRound }: Plan,
) {
  const opening = Array.from({ length: count }, () => Connection.open(port));
  const connections = await Promise.all(opening);
  const before = cpuSeconds(pid);
  const { requests, seconds, bytes } = await drive(connections, prepared, secondsPerRound);
  const after = cpuSeconds(pid);
  for (const connection of connections) connection.close();
  const cpu = before === null || after === null ? null : ((after - before) * 1e6) / requests;
  return { perSecond: requests / seconds, cpu, bytes: bytes / requests };
}

function summarise(
  { name, title }: PreparedCase,
  samples: ReadonlyMap<ContenderName, Samples>,
): CaseResult {
  const contenders: Partial<Record<ContenderName, Throughput>> = {};
  const ratios: CaseResult['ratios'] = {};
  const ours = samples.get('ours');
  for (const [contender, { perSecond, cpu, bytes }] of samples) {
    contenders[contender] = {
      perSecond: spreadOf(perSecond),
      cpu: cpu.length > 0 ? spreadOf(cpu) : null,
      bytes: spreadOf(bytes).median,
    };
    if (ours && contender !== 'ours') ratios[contender] = ratioSpread(ours.perSecond, perSecond);
  }
  return { name, title, contenders, ratios };
}
