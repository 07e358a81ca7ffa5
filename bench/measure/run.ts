/** What every measurement has to know of the run, and what they share. */
import type { Findings } from '../report/findings.ts';
import { milliseconds } from '../report/format.ts';
import { type Spread, spreadOf } from '../report/statistics.ts';
import type { CaseName } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';

export interface Run {
  readonly scene: Scene;
  readonly limit: RunningContender;
  readonly storeCount: number;
  /** `2,500 stores` */
  readonly where: string;
  readonly cases: readonly CaseName[];
  /** How often everything is measured. */
  readonly rounds: number;
  /** How much slower this machine is now than the machine of the bars on CPU; at least 1. */
  readonly slowness: number;
  readonly findings: Findings;
  readonly remark: (text: string) => void;
}

/**
 * Holds CPU against a bar that grows where the machine is slower, and says so: `8 ms × 1.41`.
 * @param reach milliseconds
 */
export function holdCpu(
  { findings, slowness }: Run,
  what: string,
  label: string,
  cpu: Spread,
  reach: number,
  words = `${reach} ms`,
): void {
  // Unknown on systems without /proc.
  if (Number.isNaN(cpu.median)) return;
  const grown = slowness > 1 ? ` × ${slowness.toFixed(2)}` : '';
  findings.atMost(what, milliseconds, label, cpu, reach * slowness, words + grown);
}

/** Measures in several rounds, after one that only warms up. */
export async function overRounds(rounds: number, take: () => Promise<number>): Promise<Spread> {
  await take();
  return spreadOf(await Array.fromAsync({ length: rounds }, take));
}
