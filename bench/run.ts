/** `npm run bench`: holds the service against the bars of DESIGN section 6, or against another commit. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { integerFrom } from '../scripts/cli/option-values.ts';
import { type CommandContext, defineCommand, runCommand } from '../scripts/cli/run-command.ts';
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
import { LARGE, overRounds, type Run, SMALL, tell } from './measure/run.ts';
import { compareWith, describeComparisons } from './quick.ts';
import { Findings, judge } from './report/findings.ts';
import { count, milliseconds } from './report/format.ts';
import { writeReport } from './report/report.ts';
import { withLength } from './requests/prepare-requests.ts';
import { CASE_NAMES, type CaseName } from './requests/request.ts';
import { type OtherName, openScene, type Scene } from './scene.ts';
import type { RunningContender } from './server/contender.ts';

const REGIMES = ['load', 'cold', 'crowd', 'memory', 'd1', 'changes', 'publish'] as const;
type Regime = (typeof REGIMES)[number];

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

const benchCommand = defineCommand<BenchOptions>('bench', {
  summary: 'Measure the service against other ways to serve the same contract.',
  declare: (command) => {
    const parts = ['sizes', 'only', 'regimes', 'rounds'];
    command
      .addOption(
        new Option(
          '--quick',
          'only say whether hot requests cost more than at another commit; exit code 1 if so',
        ).conflicts(parts),
      )
      .option('--against <commit>', 'that commit, which --quick compares with', 'HEAD~1')
      .option('--sizes <counts>', `of ${SIZES.join(', ')}`, listOf(SIZES))
      .option('--only <cases>', `of ${CASE_NAMES.join(', ')}`, listOf(CASE_NAMES))
      .option('--regimes <names>', `of ${REGIMES.join(', ')}`, listOf(REGIMES))
      .option('--rounds <count>', 'how often everything is measured', integerFrom(1), ROUNDS);
  },
  examples: [
    ['', 'measures everything, for three quarters of an hour, and writes bench/RESULTS.md'],
    ['--quick --against main', 'compares hot requests with those of main, within two minutes'],
    ['--regimes cold --only get,list --rounds 5', 'looks at a part, and writes nothing'],
  ],
  run: (options, { remark }) =>
    options.quick ? compare(options, remark) : measure(options, remark),
});

await runCommand('npm run bench --', benchCommand);

async function compare({ against }: BenchOptions, remark: CommandContext['remark']) {
  const comparisons = await compareWith(against, remark);
  return {
    data: { against, comparisons },
    text: () => describeComparisons(against, comparisons),
    failed: comparisons.some(({ isSlower }) => isSlower),
  };
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
    const yardstick = await measureSize(part, new Set(regimes));
    yardsticks.push(yardstick === null ? 'unknown' : milliseconds(yardstick));
  }
  const taken = `; a constant answer of 0.9 MB took ${yardsticks.join(' and ')} of CPU`;
  const text = writeReport(findings, machine + taken);
  const isWhole = !options.sizes && !options.only && !options.regimes && rounds >= ROUNDS;
  if (isWhole) {
    await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), text);
    remark('wrote bench/RESULTS.md');
  }
  const { waits, figures } = findings;
  return {
    data: { machine, yardsticks, bars: judge(figures), figures, waits },
    text: () => text,
  };
}

/** @returns milliseconds of CPU that the yardstick took; null where it is not known */
async function measureSize(
  part: Omit<Run, 'scene' | 'slowness'>,
  regimes: ReadonlySet<Regime>,
): Promise<number | null> {
  const { storeCount, where, rounds, remark } = part;
  remark(where);
  const others: OtherName[] = regimes.has('memory') ? ['changed'] : [];
  if (regimes.has('changes')) others.push('later');
  const scene = await openScene(storeCount, others, remark);
  try {
    const limit = await scene.start('limit');
    const yardstick = await measureYardstick(scene, limit, rounds);
    const slowness = Math.max(1, (yardstick ?? YARDSTICK.cpu) / YARDSTICK.cpu);
    const run: Run = { ...part, scene, slowness };
    if (regimes.has('load')) await measureLoad(run, limit);
    await limit.stop();
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
  { writer, stream }: Scene,
  limit: RunningContender,
  rounds: number,
): Promise<number | null> {
  const requests = [
    withLength(await writer.prepare(stream('list', 'hot').next()), YARDSTICK.bytes),
  ];
  const cpu = await overRounds(rounds, async () => (await takeTurn(limit, requests)).cpu);
  return cpu?.median ?? null;
}

function listOf<Name extends string>(known: readonly Name[]) {
  return (text: string): Name[] => {
    const names = text.split(',');
    const chosen = known.filter((name) => names.includes(name));
    if (chosen.length === names.length) return chosen;
    throw new InvalidArgumentError(`Expected some of ${known.join(', ')}.`);
  };
}
