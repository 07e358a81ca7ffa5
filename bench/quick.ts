/** Whether the hot path is slower than at another commit: both answer in turn, in one run. */
import { execFile } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { itemAt } from '../fixtures/generator/random.ts';
import { CommandError } from '../scripts/cli/command-error.ts';
import { PROJECT_FOLDER } from '../scripts/cli/platform.ts';
import { startProgram } from './child-process.ts';
import { SMALL } from './choices.ts';
import { takeTurn } from './client/drive.ts';
import type { TokenTexts } from './data/publisher.ts';
import { CACHE_FOLDER, prepareData, type StoreFacts } from './data/stores.ts';
import { git } from './environment.ts';
import { spreadOf, table } from './report/figures.ts';
import { RequestWriter } from './requests/prepare-requests.ts';
import { CASES, type CaseName } from './requests/request.ts';
import { HOT_REQUESTS, RequestStream } from './requests/request-log.ts';

/** What most requests of partners are, and what each of them strains. */
const HOT_PATH: readonly CaseName[] = ['get', 'list', 'list-fields', 'near-city', 'names-20'];

const ROUNDS = 25;
const WARM_UP_SECONDS = 1;

/** A case is slower when it costs more than this much more, beyond twice the standard error. */
const TOLERANCE = 1.03;

type Served = Awaited<ReturnType<typeof serve>>;

type Comparison = Awaited<ReturnType<typeof compareCase>>;

/** Compares this tree with another commit. @param commit as Git names it: `HEAD~1`, `main` */
export async function compareWith(commit: string, remark: (text: string) => void) {
  const folder = await checkOut(commit, remark);
  const { facts } = await prepareData(SMALL, remark);
  const served: Served[] = [];
  try {
    for (const checkout of [PROJECT_FOLDER, folder]) served.push(await serve(checkout));
    const comparisons = await Array.fromAsync(HOT_PATH, (name) => compareCase(name, facts, served));
    return {
      data: { against: commit, comparisons },
      text: describe(commit, comparisons),
      failed: comparisons.some(({ isSlower }) => isSlower),
    };
  } finally {
    for (const { stop } of served) await stop();
  }
}

function describe(commit: string, comparisons: readonly Comparison[]): string {
  const micro = (milliseconds: number) => `${Math.round(1000 * milliseconds)} µs`;
  const rows = comparisons.map(({ name, here, there, cost, isSlower }) => [
    CASES[name],
    micro(here),
    micro(there),
    `${cost.median.toFixed(2)}× ± ${cost.error.toFixed(2)}`,
    isSlower ? '**slower**' : '',
  ]);
  return table(['CPU of a hot request', 'here', commit, 'cost', ''], rows);
}

/** Checks out a commit, with its own packages, until this process ends. Returns the folder. */
async function checkOut(commit: string, remark: (text: string) => void): Promise<string> {
  try {
    git('rev-parse', '--verify', `${commit}^{commit}`);
  } catch {
    throw new CommandError(`Git knows no commit ${commit}`, 'commit_unknown');
  }
  const folder = join(CACHE_FOLDER, 'against');
  // What a run that was killed has left.
  await rm(folder, { recursive: true, force: true });
  git('worktree', 'prune');
  git('worktree', 'add', '--detach', folder, commit);
  process.once('exit', () => git('worktree', 'remove', '--force', folder));
  remark(`installing the packages of ${commit}`);
  await promisify(execFile)('npm', ['ci', '--prefer-offline', '--silent'], { cwd: folder });
  return folder;
}

/** Starts the service of a checkout, by `serve.ts`. */
async function serve(checkout: string) {
  const program = join(checkout, 'bench/serve.ts');
  await access(program).catch(() => {
    throw new CommandError(
      'that commit is older than this comparison: it has no bench/serve.ts',
      'commit_too_old',
    );
  });
  const { line, stop } = await startProgram(program, [], { cwd: checkout });
  const { port, pid, tokens } = JSON.parse(line) as {
    readonly port: number;
    readonly pid: number;
    readonly tokens: TokenTexts;
  };
  return { port, pid, writer: new RequestWriter(tokens, port), stop };
}

async function compareCase(name: CaseName, facts: StoreFacts, served: readonly Served[]) {
  const sides = await Array.fromAsync(served, async (side) => {
    const drawn = new RequestStream(name, 'hot', facts).take(HOT_REQUESTS);
    const requests = await side.writer.prepareExact(drawn);
    await takeTurn(side, requests, 'again', WARM_UP_SECONDS);
    return { side, requests, costs: [] as number[] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    // Who begins changes from round to round.
    for (const { side, requests, costs } of round % 2 === 0 ? sides : sides.toReversed()) {
      const { cpu, perSecond } = await takeTurn(side, requests);
      // Where CPU is not known, the time that a request takes of a busy service.
      costs.push(cpu || 1000 / perSecond);
    }
  }
  const [own, theirs] = sides.map(({ costs }) => costs) as [number[], number[]];
  const cost = spreadOf(own.map((each, round) => each / itemAt(theirs, round)));
  return {
    name,
    /** Milliseconds of CPU a request: of this tree and of the other commit. */
    here: spreadOf(own).median,
    there: spreadOf(theirs).median,
    /** What a request costs here, in times of what it costs there. */
    cost,
    isSlower: cost.median - 2 * cost.error > TOLERANCE,
  };
}
