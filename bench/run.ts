/** `npm run bench`: holds the service against its bars, or against another commit. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { integerFrom } from '../scripts/cli/common-options.ts';
import { type CommandContext, defineCommand, runProgram } from '../scripts/cli/run-command.ts';
import { takeTurn } from './client/drive.ts';
import { BENCH_FOLDER, LARGE, SMALL } from './data/stores.ts';
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
import { CASE_NAMES, type CaseName } from './requests/request.ts';
import { openScene } from './scene.ts';

const REGIMES = {
  load: measureLoad,
  cold: measureCold,
  crowd: measureCrowds,
  memory: measureMemory,
  d1: measureAgainstD1,
  changes: measureChanges,
  publish: measurePublishing,
};
type Regime = keyof typeof REGIMES;
const REGIME_NAMES = Object.keys(REGIMES) as Regime[];

interface BenchOptions {
  readonly quick?: boolean;
  readonly against: string;
  readonly sizes?: readonly string[];
  readonly only?: readonly CaseName[];
  readonly regimes?: readonly Regime[];
  readonly rounds: number;
}

const ROUNDS = 15;
const SIZES = [SMALL, LARGE].map(String);

/**
 * The constant answer that bars on CPU grow with: its bytes, and the milliseconds of CPU that it took
 * to copy and send them on the machine that the bars were set for.
 */
const YARDSTICK = { bytes: 900_000, cpu: 0.45 };

const benchCommand = defineCommand('npm run bench --', {
  summary:
    'Measure the service against its bars and against other ways to serve the same contract.',
  options: [
    new Option(
      '--quick',
      'only compare hot requests with those of another commit; exit code 1 if they cost more',
    ).conflicts(['sizes', 'only', 'regimes', 'rounds']),
    new Option('--against <commit>', 'commit that --quick compares with').default('HEAD~1'),
    new Option('--sizes <counts>', `numbers of stores, of ${SIZES.join(', ')}`).argParser(
      listOf(SIZES),
    ),
    new Option('--only <cases>', `cases, of ${CASE_NAMES.join(', ')}`).argParser(
      listOf(CASE_NAMES),
    ),
    new Option('--regimes <names>', `parts, of ${REGIME_NAMES.join(', ')}`).argParser(
      listOf(REGIME_NAMES),
    ),
    new Option('--rounds <count>', 'how often each figure is taken')
      .argParser(integerFrom(1))
      .default(ROUNDS),
  ],
  examples: [
    ['', 'measures everything, for an hour, and writes bench/RESULTS.md'],
    ['--quick --against main', 'compares hot requests with those of main, within two minutes'],
    ['--regimes cold --only get,list --rounds 5', 'measures a part, and writes nothing'],
  ],
  load: async () => ({
    run: (options: BenchOptions, { remark }: CommandContext) =>
      options.quick ? compareWith(options.against, remark) : measure(options, remark),
  }),
});

await runProgram(benchCommand);

async function measure(options: BenchOptions, remark: CommandContext['remark']) {
  const { sizes = SIZES, only = CASE_NAMES, regimes = REGIME_NAMES, rounds } = options;
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
      await REGIMES[regime]({ ...part, scene, limit, slowness });
    }
    return yardstick;
  } finally {
    await scene.close();
  }
}

function listOf<Name extends string>(known: readonly Name[]) {
  return (text: string): Name[] => {
    const names = text.split(',');
    const chosen = known.filter((name) => names.includes(name));
    if (chosen.length === names.length) return chosen;
    throw new InvalidArgumentError(`Expected some of ${known.join(', ')}.`);
  };
}
