/**
 * `npm run bench`: what a partner notices, how fast the service is against what its users would
 * otherwise pick and against the limit, and what it costs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../scripts/cli/command-error.ts';
import { integerFrom } from '../scripts/cli/integer-from.ts';
import {
  type CommandContext,
  type CommandResult,
  defineCommand,
  runCommand,
} from '../scripts/cli/run-command.ts';
import { LEAST_STORES } from './data/prepare-data.ts';
import { describeEnvironment } from './environment.ts';
import { BENCH_FOLDER } from './folders.ts';
import { type Depth, measureSize } from './measure/size.ts';
import { REGIMES, type Regime, USUAL_REGIMES } from './regimes.ts';
import { holdBars } from './report/bars.ts';
import { writeMarkdown } from './report/markdown.ts';
import { drawPlot } from './report/plot.ts';
import {
  isRecordable,
  RECORDABLE,
  type RecordableRegime,
  recordApart,
  recordFullRun,
} from './report/record.ts';
import type { Results, SizeResult } from './report/results.ts';
import { CASE_NAMES, type CaseName, isCaseName } from './requests/request.ts';
import { LATENCY } from './storage/storage.ts';

type Remark = CommandContext['remark'];

interface BenchOptions {
  readonly sizes?: readonly number[];
  readonly only?: readonly CaseName[];
  readonly regimes?: readonly Regime[];
  readonly quick?: boolean;
  readonly minutes?: number;
  readonly record?: boolean;
  readonly report?: boolean;
}

const FULL_SIZES = [2_500, 100_000];
const QUICK_SIZES = [2_500];

const FULL: Depth = {
  load: { connections: 4, rounds: 15, fewRounds: 3, secondsPerRound: 0.2, warmUpSeconds: 10 },
  cold: { samples: 25, pairs: 11, evenPairs: 21 },
  memory: { seconds: 10 },
  soak: { minutes: 30 },
  crowds: 3,
  d1Samples: 9,
  compared: 6,
};

const QUICK: Depth = {
  load: { connections: 4, rounds: 3, fewRounds: 1, secondsPerRound: 0.1, warmUpSeconds: 1 },
  cold: { samples: 5, pairs: 3, evenPairs: 3 },
  memory: { seconds: 2 },
  soak: { minutes: 2 },
  crowds: 1,
  d1Samples: 3,
  compared: 3,
};

const benchCommand = defineCommand<BenchOptions>('bench', {
  summary: 'Measure the service against other ways to serve the same contract.',
  declare: (command) => {
    command
      .option('--quick', 'a short run at 2,500 stores; prints its results and writes no file')
      .option('--sizes <counts>', 'numbers of stores, such as 2500,100000', readSizes)
      .option('--only <cases>', `of ${CASE_NAMES.join(', ')}`, readCases)
      .option('--regimes <names>', `of ${REGIMES.join(', ')} (default: all but soak)`, readRegimes)
      .option(
        '--minutes <count>',
        'how long a soak lasts, to try it (default: 30, with --quick 2)',
        integerFrom(1),
      )
      .option('--record', `put what was measured into the results (of ${RECORDABLE.join(', ')})`)
      .addOption(
        new Option(
          '--report',
          'measure nothing: write bench/RESULTS.md anew from results.json',
        ).conflicts(['quick', 'sizes', 'only', 'regimes', 'minutes', 'record']),
      );
  },
  examples: [
    ['', 'measures everything but the soak, for three quarters of an hour, and writes it down'],
    ['--quick --only get,list', 'looks at two cases for a minute'],
    ['--regimes soak --record', 'measures two soaks of half an hour, and adds them to the results'],
  ],
  run: (options, { remark }) => (options.report ? reportAgain(remark) : measure(options, remark)),
});

await runCommand('npm run bench --', benchCommand);

async function reportAgain(remark: Remark): Promise<CommandResult> {
  const known = await readKnown();
  await write(known, remark);
  return resultOf(known);
}

async function measure(options: BenchOptions, remark: Remark): Promise<CommandResult> {
  const { quick = false, only = CASE_NAMES, regimes = USUAL_REGIMES } = options;
  const recorded = options.record ? readRecorded(options) : null;
  if (options.minutes && !regimes.includes('soak')) {
    throw new UsageError('--minutes is for --regimes soak.');
  }
  const usual = quick ? QUICK : FULL;
  const depth = { ...usual, soak: { minutes: options.minutes ?? usual.soak.minutes } };
  const sizes = options.sizes ?? (quick ? QUICK_SIZES : FULL_SIZES);
  const { connections, rounds, secondsPerRound, warmUpSeconds } = depth.load;
  // Now: the commit may be another one when the measurement ends.
  const environment = describeEnvironment({
    connections,
    rounds,
    secondsPerRound,
    warmUpSeconds,
    latency: LATENCY,
  });
  const measured: SizeResult[] = [];
  for (const storeCount of sizes) {
    const wanted = { storeCount, cases: only, regimes: new Set(regimes) };
    measured.push(await measureSize(wanted, depth, remark));
  }
  const results: Results = { environment, sizes: measured };
  const result = await resultOf(results);
  const isComplete = !quick && !options.sizes && !options.only && !options.regimes;
  try {
    if (isComplete)
      await write(recordFullRun(await readKnown().catch(() => null), results), remark);
    else if (recorded) await write(recordApart(await readKnown(), results, recorded), remark);
    return result;
  } catch (error) {
    // What took so long to measure is printed all the same.
    remark(`error: the results cannot be written: ${error}`);
    return { ...result, data: { ...result.data, unwritten: String(error) }, failed: true };
  }
}

async function resultOf(results: Results) {
  const text = await markdownOf(results);
  return { data: { ...results, bars: holdBars(results) }, text: () => text };
}

/** The regimes that are to be recorded. */
function readRecorded({ quick, only, minutes, regimes }: BenchOptions): RecordableRegime[] {
  if (quick || only || minutes) {
    throw new UsageError('--record wants a whole measurement: no --quick, --only or --minutes.');
  }
  if (regimes?.every(isRecordable)) return regimes.filter(isRecordable);
  throw new UsageError(`--record wants --regimes of ${RECORDABLE.join(', ')}.`);
}

async function markdownOf(results: Results): Promise<string> {
  const remarks = (file: string) => readFile(join(BENCH_FOLDER, file), 'utf8');
  const [conflicts, tried] = [await remarks('conflicts.md'), await remarks('tried.md')];
  return writeMarkdown(results, { conflicts, tried });
}

/** Read when there is something to write: another run may have written meanwhile. */
async function readKnown(): Promise<Results> {
  return JSON.parse(await readFile(join(BENCH_FOLDER, 'results.json'), 'utf8')) as Results;
}

async function write(results: Results, remark: Remark): Promise<void> {
  await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), await markdownOf(results));
  await writeFile(join(BENCH_FOLDER, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(BENCH_FOLDER, 'results.svg'), drawPlot(results));
  remark('wrote bench/RESULTS.md, results.json, results.svg');
}

function readSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => Number.isInteger(size) && size >= LEAST_STORES)) return sizes;
  throw new InvalidArgumentError(`Expected whole numbers from ${LEAST_STORES}.`);
}

function readCases(text: string): CaseName[] {
  const names = text.split(',');
  if (names.every(isCaseName)) return CASE_NAMES.filter((name) => names.includes(name));
  throw new InvalidArgumentError(`Expected some of ${CASE_NAMES.join(', ')}.`);
}

function readRegimes(text: string): Regime[] {
  const names = text.split(',');
  const chosen = REGIMES.filter((regime) => names.includes(regime));
  if (chosen.length === names.length) return chosen;
  throw new InvalidArgumentError(`Expected some of ${REGIMES.join(', ')}.`);
}
