/**
 * `npm run bench`: how fast the service is against what its users would otherwise pick, against the
 * limit, and against itself with more stores; then what it costs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { totalBytes } from '../scripts/releases/measure-release.ts';
import { Connection } from './client/connection.ts';
import { describeEnvironment } from './environment.ts';
import { BENCH_FOLDER } from './folders.ts';
import { measureFirstRequests } from './measure/first-request.ts';
import { measureLoad } from './measure/load.ts';
import { measurePublishing } from './measure/publishing.ts';
import { measureCosts } from './measure/request-costs.ts';
import { measureCase, type Plan } from './measure/throughput.ts';
import { writeMarkdown } from './report/markdown.ts';
import { drawPlot } from './report/plot.ts';
import type { CaseResult, Results, SizeResult } from './report/results.ts';
import type { PreparedCase } from './requests/prepare-requests.ts';
import { verifyAnswers } from './requests/verify.ts';
import { openScene, type Scene } from './scene.ts';
import type { RunningContender } from './server/contender.ts';

interface BenchOptions {
  readonly sizes?: readonly number[];
  readonly only?: readonly string[];
  readonly quick?: boolean;
}

interface Depth extends Plan {
  readonly sizes: readonly number[];
  /** Fresh isolates for each kind of first request. */
  readonly starts: number;
  /** Least seconds of the mixed load. */
  readonly loadSeconds: number;
  readonly publishes: boolean;
}

const FULL: Depth = {
  sizes: [2_500, 25_000, 100_000],
  connections: 4,
  rounds: 5,
  secondsPerRound: 0.6,
  starts: 5,
  loadSeconds: 60,
  publishes: true,
};

const QUICK: Depth = {
  sizes: [2_500],
  connections: 4,
  rounds: 3,
  secondsPerRound: 0.15,
  starts: 2,
  loadSeconds: 2,
  publishes: false,
};

const RIVALS = ['limit', 'obvious', 'd1'] as const;

const remark = (text: string) => process.stderr.write(`${text}\n`);

await new Command('npm run bench --')
  .description('Measure the service against other ways to serve the same contract.')
  .option('--quick', 'a short run at 2,500 stores; prints and writes nothing')
  .option('--sizes <counts>', 'numbers of stores, such as 2500,100000', readSizes)
  .option('--only <cases>', 'cases, such as get,list', (text) => text.split(','))
  .showHelpAfterError()
  .action(bench)
  .parseAsync();

async function bench({ quick = false, sizes, only }: BenchOptions): Promise<void> {
  const depth = quick ? QUICK : FULL;
  const results: SizeResult[] = [];
  for (const storeCount of sizes ?? depth.sizes) {
    results.push(await measureSize(storeCount, depth, only));
  }
  const { connections, rounds, secondsPerRound } = depth;
  const environment = describeEnvironment({ connections, rounds, secondsPerRound });
  await report({ environment, sizes: results }, !quick && !sizes && !only);
}

async function measureSize(
  storeCount: number,
  depth: Depth,
  only: readonly string[] | undefined,
): Promise<SizeResult> {
  remark(`${storeCount} stores`);
  const scene = await openScene(storeCount, ({ name }) => only?.includes(name) ?? true, remark);
  try {
    const { data } = scene;
    const cases = await measureThroughput(scene, depth);
    remark('  costs of a request');
    const costs = await measureCosts(scene);
    remark('  first requests');
    const firstRequests = await measureFirstRequests(scene, depth.starts);
    remark('  memory under a mixed load');
    const load = await measureLoad(scene, depth.loadSeconds);
    if (depth.publishes) remark('  building and publishing');
    const source = join(data.sourceFolder, 'stores.ndjson');
    const publishing = depth.publishes ? await measurePublishing(source) : null;
    const releaseBytes = totalBytes(data.manifest);
    return { storeCount, releaseBytes, cases, costs, firstRequests, load, publishing };
  } finally {
    await scene.close();
  }
}

async function measureThroughput(scene: Scene, plan: Plan): Promise<CaseResult[]> {
  const contenders: RunningContender[] = [scene.service];
  for (const name of RIVALS) {
    remark(`  starting ${name}, comparing its answers`);
    const contender = await scene.start(name);
    const connection = await Connection.open(contender.port);
    await verifyAnswers(name, connection, scene.cases);
    connection.close();
    contenders.push(contender);
  }
  const results: CaseResult[] = [];
  for (const group of scene.cases) results.push(await measureAndTell(group, contenders, plan));
  for (const { name, process } of contenders) if (name !== 'ours') await process.stop();
  return results;
}

async function measureAndTell(
  group: PreparedCase,
  contenders: readonly RunningContender[],
  plan: Plan,
): Promise<CaseResult> {
  const result = await measureCase(group, contenders, plan);
  const rates = Object.entries(result.contenders).map(
    ([name, { perSecond }]) => `${name} ${Math.round(perSecond.median)}/s`,
  );
  remark(`  ${group.title.padEnd(30)} ${rates.join(', ')}`);
  return result;
}

async function report(results: Results, isComplete: boolean): Promise<void> {
  const tried = await readFile(join(BENCH_FOLDER, 'tried.md'), 'utf8');
  const markdown = writeMarkdown(results, tried);
  process.stdout.write(markdown);
  if (!isComplete) return;
  await writeFile(join(BENCH_FOLDER, 'RESULTS.md'), markdown);
  await writeFile(join(BENCH_FOLDER, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(BENCH_FOLDER, 'results.svg'), drawPlot(results));
  remark('wrote bench/RESULTS.md, results.json, results.svg');
}

function readSizes(text: string): number[] {
  const sizes = text.split(',').map(Number);
  if (sizes.every((size) => Number.isInteger(size) && size >= 2_500)) return sizes;
  throw new InvalidArgumentError('Expected whole numbers from 2500.');
}
