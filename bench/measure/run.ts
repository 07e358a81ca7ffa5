/** What every measurement has to know of the run. */
import type { Findings } from '../report/findings.ts';
import type { CaseName } from '../requests/request.ts';
import type { Scene } from '../scene.ts';

/** The sizes that bars are about. */
export const SMALL = 2_500;
export const LARGE = 100_000;

export interface Run {
  readonly scene: Scene;
  readonly storeCount: number;
  /** `2,500 stores` */
  readonly where: string;
  readonly cases: readonly CaseName[];
  /** How often everything is measured. */
  readonly rounds: number;
  /** How much slower this machine is now than the one that bars on CPU were set for; at least 1. */
  readonly slowness: number;
  readonly findings: Findings;
  readonly remark: (text: string) => void;
}

/** What a bar on CPU is here, in words: ` × 1.41` where the machine is slower. */
export function grown({ slowness }: Run): string {
  return slowness > 1 ? ` × ${slowness.toFixed(2)}` : '';
}

/** Does some work, and says how long it took. */
export async function tell<Value>(
  title: string,
  { remark }: Pick<Run, 'remark'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const start = performance.now();
  const value = await work();
  remark(`  ${title.padEnd(36)} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return value;
}
