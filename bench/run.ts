/** `npm run bench`: holds the service against the bars of DESIGN section 6, or against another commit. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { integerFrom } from '../scripts/cli/option-values.ts';
import { type CommandContext, defineCommand, runCommand } from '../scripts/cli/run-command.ts';
import { BENCH_FOLDER, LEAST_STORES } from './data/stores.ts';
import { describeMachine } from './environment.ts';
import { LARGE, SMALL } from './measure/run.ts';
import { measureSize, REGIMES, type Regime } from './measure/size.ts';
import { compareWith, describeComparisons } from './quick.ts';
import { Findings, judge } from './report/findings.ts';
import { milliseconds } from './report/format.ts';
import { writeReport } from './report/report.ts';
import { CASE_NAMES, type CaseName } from './requests/request.ts';

interface BenchOptions {
  readonly quick?: boolean;
  readonly against: string;
  readonly sizes?: readonly number[];
  readonly only?: readonly CaseName[];
  readonly regimes?: readonly Regime[];
  readonly rounds: number;
}

const ROUNDS = 15;

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
      .option('--sizes <counts>', 'numbers of stores (default: 2500,100000)', readSizes)
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
  const { sizes = [SMALL, LARGE], only = CASE_NAMES, regimes = REGIMES, rounds } = options;
  // Now: the commit may be another one when the measurement ends.
  const machine = describeMachine();
  const findings = new Findings();
  const yardsticks: string[] = [];
  for (const storeCount of sizes) {
    const wanted = { storeCount, cases: only, regimes: new Set(regimes), rounds };
    const yardstick = await measureSize(wanted, findings, remark);
    yardsticks.push(yardstick === null ? 'unknown' : milliseconds(yardstick));
  }
  const taken = `; a constant answer of 0.9 MB took ${yardsticks.join(' and ')} of CPU`;
  const text = writeReport(findings, machine + taken);
  const isWhole = !options.sizes && !options.only && !options.regimes && rounds >= ROUNDS;
  if (isWhole) {
    await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), text);
    remark('wrote bench/RESULTS.md');
  }
  const { waits, costs, figures } = findings;
  return {
    data: { machine, yardsticks, bars: judge(figures), figures, waits, costs },
    text: () => text,
  };
}

function readSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => Number.isInteger(size) && size >= LEAST_STORES)) return sizes;
  throw new InvalidArgumentError(`Expected whole numbers from ${LEAST_STORES}.`);
}

function listOf<Name extends string>(known: readonly Name[]) {
  return (text: string): Name[] => {
    const names = text.split(',');
    const chosen = known.filter((name) => names.includes(name));
    if (chosen.length === names.length) return chosen;
    throw new InvalidArgumentError(`Expected some of ${known.join(', ')}.`);
  };
}
