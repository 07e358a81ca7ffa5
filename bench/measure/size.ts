/** Measures everything that is wanted at one number of stores. */

import type { Findings } from '../report/findings.ts';
import { count } from '../report/format.ts';
import { withLength } from '../requests/prepare-requests.ts';
import type { CaseName } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import { type OtherName, openScene, type Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { measureChanges } from './changes.ts';
import { measureCold } from './cold.ts';
import { measureCrowds } from './crowd.ts';
import { measureAgainstD1 } from './d1.ts';
import { measureLoad } from './load.ts';
import { measureMemory } from './memory.ts';
import { measurePublishing } from './publishing.ts';
import { overRounds, type Run, tell } from './run.ts';
import { takeTurn } from './turn.ts';

export const REGIMES = ['load', 'cold', 'crowd', 'memory', 'd1', 'changes', 'publish'] as const;
export type Regime = (typeof REGIMES)[number];

export interface Wanted {
  readonly storeCount: number;
  readonly regimes: ReadonlySet<Regime>;
  readonly cases: readonly CaseName[];
  /** How often everything is measured. */
  readonly rounds: number;
}

/**
 * The constant answer that bars on CPU grow with: its bytes, and the milliseconds of CPU that it took
 * to copy and send them on the machine that the bars were set for.
 */
const YARDSTICK = { bytes: 900_000, cpu: 0.45 };

/** @returns milliseconds of CPU that the yardstick took; null where it is not known */
export async function measureSize(
  { storeCount, regimes, cases, rounds }: Wanted,
  findings: Findings,
  remark: (text: string) => void,
): Promise<number | null> {
  remark(`${count(storeCount)} stores`);
  const others: OtherName[] = regimes.has('memory') ? ['changed'] : [];
  if (regimes.has('changes')) others.push('later');
  const scene = await openScene(storeCount, others, remark);
  try {
    const limit = await scene.start('limit');
    const yardstick = await measureYardstick(scene, limit, rounds);
    const slowness = Math.max(1, (yardstick ?? YARDSTICK.cpu) / YARDSTICK.cpu);
    const where = `${count(storeCount)} stores`;
    const run: Run = { scene, storeCount, where, cases, rounds, slowness, findings, remark };
    if (regimes.has('load')) await measureLoad(run, limit);
    await limit.process.stop();
    if (regimes.has('cold')) await measureCold(run);
    if (regimes.has('crowd')) await tell('crowds', run, () => measureCrowds(run));
    const { changed, later } = scene.others;
    if (changed) await tell('memory', run, () => measureMemory(run, changed));
    if (regimes.has('d1')) await measureAgainstD1(run);
    if (later) await tell('changes', run, () => measureChanges(run, later));
    if (regimes.has('publish')) await tell('publishing', run, () => measurePublishing(run));
    return yardstick;
  } finally {
    await scene.close();
  }
}

async function measureYardstick(
  { writer, data }: Scene,
  limit: RunningContender,
  rounds: number,
): Promise<number | null> {
  const request = new RequestStream('list', 'hot', data.facts).next();
  const requests = [withLength(await writer.prepare(request), YARDSTICK.bytes)];
  const cpu = await overRounds(rounds, async () => (await takeTurn(limit, requests)).cpu);
  return cpu?.median ?? null;
}
