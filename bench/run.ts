/**
 * `npm run bench`: what a partner notices, how fast the service is against what its users would
 * otherwise pick and against the limit, and what it costs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { integerFrom } from '../scripts/cli/integer-from.ts';
import { benchCommand } from './bench-command.ts';
import { describeEnvironment } from './environment.ts';
import { BENCH_FOLDER } from './folders.ts';
import { type Depth, measureSize } from './measure/size.ts';
import { REGIMES, type Regime, USUAL_REGIMES } from './regimes.ts';
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
const LEAST_SIZE = 2_500;

const MOST_MINUTES = 24 * 60;

const FULL: Depth = {
  load: { connections: 4, rounds: 15, fewRounds: 3, secondsPerRound: 0.2 },
  cold: { samples: 25, pairs: 21, evenPairs: 11 },
  memory: { seconds: 10 },
  soak: { minutes: 30 },
  crowds: 3,
  d1Samples: 9,
  compared: 6,
};

const QUICK: Depth = {
  load: { connections: 4, rounds: 3, fewRounds: 1, secondsPerRound: 0.1 },
  cold: { samples: 5, pairs: 3, evenPairs: 3 },
  memory: { seconds: 2 },
  soak: { minutes: 2 },
  crowds: 1,
  d1Samples: 3,
  compared: 3,
};

const remark = (text: string) => process.stderr.write(`${text}\n`);

const command = benchCommand(
  'npm run bench --',
  'Measure the service against other ways to serve the same contract.',
)
  .option('--quick', 'a short run at 2,500 stores; prints and writes nothing')
  .option('--sizes <counts>', 'numbers of stores, such as 2500,100000', readSizes)
  .option('--only <cases>', `of ${CASE_NAMES.join(', ')}`, readCases)
  .option('--regimes <names>', `of ${REGIMES.join(', ')} (default: all but soak)`, readRegimes)
  .option(
    '--minutes <count>',
    'how long a soak lasts, to try it (default: 30)',
    integerFrom(1, MOST_MINUTES),
  )
  .option('--record', `put what was measured into the results (of ${RECORDABLE.join(', ')})`)
  .option('--report', 'measure nothing: write bench/RESULTS.md anew from results.json')
  .action(bench);
await command.parseAsync();

async function bench({ report, ...options }: BenchOptions): Promise<void> {
  if (!report) return measure(options);
  if (Object.keys(options).length > 0) command.error('error: --report takes no other option.');
  await write(await readKnown());
}

async function measure(options: BenchOptions): Promise<void> {
  const { quick = false, only = CASE_NAMES, regimes = USUAL_REGIMES } = options;
  const recorded = options.record ? readRecorded(options) : null;
  if (options.minutes && !regimes.includes('soak')) {
    command.error('error: --minutes is for --regimes soak.');
  }
  const usual = quick ? QUICK : FULL;
  const depth = { ...usual, soak: { minutes: options.minutes ?? usual.soak.minutes } };
  const sizes = options.sizes ?? (quick ? QUICK_SIZES : FULL_SIZES);
  const { connections, rounds, secondsPerRound } = depth.load;
  // Now: the commit may be another one when the measurement ends.
  const environment = describeEnvironment({
    connections,
    rounds,
    secondsPerRound,
    latency: LATENCY,
  });
  const measured: SizeResult[] = [];
  for (const storeCount of sizes) {
    const wanted = { storeCount, cases: only, regimes: new Set(regimes) };
    measured.push(await measureSize(wanted, depth, remark));
  }
  const results: Results = { environment, sizes: measured };
  process.stdout.write(await markdownOf(results));
  const isComplete = !quick && !options.sizes && !options.only && !options.regimes;
  if (isComplete) await write(recordFullRun(await readKnown().catch(() => null), results));
  else if (recorded) await write(recordApart(await readKnown(), results, recorded));
}

/** The regimes that are to be recorded. */
function readRecorded({ quick, only, minutes, regimes }: BenchOptions): RecordableRegime[] {
  if (quick || only || minutes) {
    command.error('error: --record wants a whole measurement: no --quick, --only or --minutes.');
  }
  if (regimes?.every(isRecordable)) return regimes.filter(isRecordable);
  return command.error(`error: --record wants --regimes of ${RECORDABLE.join(', ')}.`);
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

async function write(results: Results): Promise<void> {
  await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), await markdownOf(results));
  await writeFile(join(BENCH_FOLDER, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(BENCH_FOLDER, 'results.svg'), drawPlot(results));
  remark('wrote bench/RESULTS.md, results.json, results.svg');
}

function readSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => Number.isInteger(size) && size >= LEAST_SIZE)) return sizes;
  throw new InvalidArgumentError(`Expected whole numbers from ${LEAST_SIZE}.`);
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
