/** Measures the regimes that were chosen, and writes the report. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandContext } from '../scripts/cli/run-command.ts';
import { type BenchOptions, REGIMES, type Regime, ROUNDS, SIZES } from './choices.ts';
import { takeTurn } from './client/drive.ts';
import { BENCH_FOLDER } from './data/stores.ts';
import { describeMachine } from './environment.ts';
import { measureChanges } from './measure/changes.ts';
import { measureCold } from './measure/cold.ts';
import { measureCrowds } from './measure/crowd.ts';
import { measureAgainstD1 } from './measure/d1.ts';
import { measureLoad } from './measure/load.ts';
import { measureMemory } from './measure/memory.ts';
import { measurePublishing } from './measure/publishing.ts';
import { overRounds, type Run } from './measure/run.ts';
import { compareWith } from './quick.ts';
import { count, milliseconds } from './report/figures.ts';
import { Findings, judge } from './report/findings.ts';
import { writeReport } from './report/report.ts';
import { withLength } from './requests/prepare-requests.ts';
import { CASE_NAMES } from './requests/request.ts';
import { openScene } from './scene.ts';

const MEASURES = {
  load: measureLoad,
  cold: measureCold,
  crowd: measureCrowds,
  memory: measureMemory,
  d1: measureAgainstD1,
  changes: measureChanges,
  publish: measurePublishing,
} satisfies Record<Regime, unknown>;

/**
 * The constant answer that bars on CPU grow with: its bytes, and the milliseconds of CPU that it took
 * to copy and send them on the machine that the bars were set for.
 */
const YARDSTICK = { bytes: 900_000, cpu: 0.45 };

export async function run(options: BenchOptions, { remark }: CommandContext) {
  return options.quick ? compareWith(options.against, remark) : measure(options, remark);
}

async function measure(options: BenchOptions, remark: CommandContext['remark']) {
  const { sizes = SIZES, only = CASE_NAMES, regimes = REGIMES, rounds } = options;
  // Now: the commit may be another one when the measurement ends.
  const machine = describeMachine();
  const findings = new Findings();
  const yardsticks: string[] = [];
  for (const storeCount of sizes.map(Number)) {
    const where = `${count(storeCount)} stores`;
    const part = { storeCount, where, cases: only, rounds, findings, remark };
    const yardstick = await measureSize(part, regimes);
    yardsticks.push(Number.isNaN(yardstick) ? 'unknown' : milliseconds(yardstick));
  }
  const taken = `; a constant answer of 0.9 MB took ${yardsticks.join(' and ')} of CPU`;
  const text = writeReport(findings, machine + taken);
  const isWhole = !options.sizes && !options.only && !options.regimes && rounds >= ROUNDS;
  if (isWhole) {
    await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), text);
    remark('wrote bench/RESULTS.md');
  }
  return {
    data: { machine, yardsticks, bars: judge(findings.figures), ...findings },
    text,
  };
}

/** Measures one size. @returns milliseconds of CPU that the yardstick took; NaN where it is not known */
async function measureSize(
  part: Omit<Run, 'scene' | 'limit' | 'slowness'>,
  regimes: readonly Regime[],
): Promise<number> {
  const { storeCount, where, rounds, remark } = part;
  remark(where);
  const scene = await openScene(storeCount, remark);
  try {
    const limit = await scene.start('limit');
    const example = await scene.writer.prepare(scene.stream('list', 'hot').next());
    const answer = [withLength(example, YARDSTICK.bytes)];
    const cpu = await overRounds(rounds, async () => (await takeTurn(limit, answer)).cpu);
    const yardstick = cpu.median;
    const slowness = Math.max(1, (yardstick || YARDSTICK.cpu) / YARDSTICK.cpu);
    for (const regime of regimes) {
      remark(regime);
      await MEASURES[regime]({ ...part, scene, limit, slowness });
    }
    return yardstick;
  } finally {
    await scene.close();
  }
}
