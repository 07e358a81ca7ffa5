/**
 * `npm run bench`: what a partner notices, how fast the service is against what its users would
 * otherwise pick and against the limit, and what it costs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { describeEnvironment } from './environment.ts';
import { BENCH_FOLDER } from './folders.ts';
import { type Depth, measureSize, REGIMES, type Regime } from './measure/size.ts';
import { writeMarkdown } from './report/markdown.ts';
import { drawPlot } from './report/plot.ts';
import type { Results, SizeResult } from './report/results.ts';
import { CASE_NAMES, type CaseName, isCaseName } from './requests/request.ts';
import { LATENCY } from './storage/storage.ts';

interface BenchOptions {
  readonly sizes?: readonly number[];
  readonly only?: readonly CaseName[];
  readonly regimes?: readonly Regime[];
  readonly quick?: boolean;
}

const FULL_SIZES = [2_500, 100_000];
const QUICK_SIZES = [2_500];
const LEAST_SIZE = 2_500;

const FULL: Depth = {
  load: { connections: 4, rounds: 15, fewRounds: 3, secondsPerRound: 0.2 },
  cold: { samples: 25, pairs: 21, evenPairs: 11 },
  memory: { seconds: 10 },
  crowds: 3,
  d1Samples: 9,
  compared: 6,
};

const QUICK: Depth = {
  load: { connections: 4, rounds: 3, fewRounds: 1, secondsPerRound: 0.1 },
  cold: { samples: 5, pairs: 3, evenPairs: 3 },
  memory: { seconds: 2 },
  crowds: 1,
  d1Samples: 3,
  compared: 3,
};

const remark = (text: string) => process.stderr.write(`${text}\n`);

await new Command('npm run bench --')
  .description('Measure the service against other ways to serve the same contract.')
  .option('--quick', 'a short run at 2,500 stores; prints and writes nothing')
  .option('--sizes <counts>', 'numbers of stores, such as 2500,100000', readSizes)
  .option('--only <cases>', `of ${CASE_NAMES.join(', ')}`, readCases)
  .option('--regimes <names>', `of ${REGIMES.join(', ')}`, readRegimes)
  .showHelpAfterError()
  .action(bench)
  .parseAsync();

async function bench(options: BenchOptions): Promise<void> {
  const { quick = false, only = CASE_NAMES, regimes = REGIMES } = options;
  const depth = quick ? QUICK : FULL;
  const sizes = options.sizes ?? (quick ? QUICK_SIZES : FULL_SIZES);
  const results: SizeResult[] = [];
  for (const storeCount of sizes) {
    const wanted = { storeCount, cases: only, regimes: new Set(regimes) };
    results.push(await measureSize(wanted, depth, remark));
  }
  const { connections, rounds, secondsPerRound } = depth.load;
  const plan = { connections, rounds, secondsPerRound, latency: LATENCY };
  const isComplete = !quick && !options.sizes && !options.only && !options.regimes;
  await report({ environment: describeEnvironment(plan), sizes: results }, isComplete);
}

async function report(results: Results, isComplete: boolean): Promise<void> {
  const remarks = (file: string) => readFile(join(BENCH_FOLDER, file), 'utf8');
  const [conflicts, tried] = [await remarks('conflicts.md'), await remarks('tried.md')];
  const markdown = writeMarkdown(results, { conflicts, tried });
  process.stdout.write(markdown);
  if (!isComplete) return;
  await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), markdown);
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
