/**
 * `npm run bench:hostile`: what a flood of guesses costs others, and which hostile requests cost the
 * most. Prints, and writes nothing.
 */
import { integerFrom } from '../scripts/cli/integer-from.ts';
import { benchCommand } from './bench-command.ts';
import { GUESS_RATE, type GuessesResult, measureGuesses } from './measure/guesses.ts';
import { type HostileResult, measureHostile } from './measure/hostile.ts';
import { slownessBy, YARDSTICK } from './report/bars-under-load.ts';
import { openScene } from './scene.ts';

/** Milliseconds of CPU that no request may cost, and how much longer the p99 may be. */
const MOST_CPU = 20;
const MOST_RATIO = 1.3;

/** Requests that are printed. */
const SHOWN = 15;
const SHOWN_CHARACTERS = 180;

const MOST_STORES = 1_000_000;
const MOST_REQUESTS = 1_000_000;

interface HostileOptions {
  readonly stores: number;
  readonly requests: number;
  readonly guesses: boolean;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const ms = (milliseconds: number) => `${milliseconds.toFixed(2)} ms`;
const UNKNOWN_CPU = 'CPU is not known on this system';
const verdict = (isHeld: boolean) => (isHeld ? 'held' : 'MISSED');

await benchCommand(
  'npm run bench:hostile --',
  'Measure what hostile requests and guesses at tokens cost.',
)
  .option('--stores <count>', 'number of stores', integerFrom(1, MOST_STORES), 100_000)
  .option(
    '--requests <count>',
    'hostile requests; 0 leaves them out',
    integerFrom(0, MOST_REQUESTS),
    3_000,
  )
  .option('--no-guesses', 'leave the guesses out')
  .action(bench)
  .parseAsync();

async function bench({ stores, requests, guesses }: HostileOptions): Promise<void> {
  const remark = (text: string) => process.stderr.write(`${text}\n`);
  const options = { storeCount: stores, withChanged: false, withLater: false, withCircle: false };
  const scene = await openScene(options, remark);
  try {
    if (guesses) {
      tellGuesses(await measureGuesses(scene, 'ours'));
      tellLimit(await measureGuesses(scene, 'limit'));
    }
    if (requests > 0) tellHostile(await measureHostile(scene, requests));
  } finally {
    await scene.close();
  }
}

function tellGuesses({ without, during, ...result }: GuessesResult): void {
  const { ratio, guessesPerSecond, statuses, keys, seconds } = result;
  print(
    `Guesses: ${guessesPerSecond.toFixed(0)} a second of ${GUESS_RATE} asked for, ${seconds.toFixed(0)} s, answered ${JSON.stringify(statuses)}`,
  );
  const cpu = result.cpuOfGuess === null ? UNKNOWN_CPU : `${result.cpuOfGuess.toFixed(0)} µs`;
  print(`  keys asked of storage meanwhile: ${keys}; CPU of a guess: ${cpu}`);
  print(
    `  held token, without: p50 ${ms(without.p50)}, p99 ${ms(without.p99)} (${without.requests} requests)`,
  );
  print(
    `  held token, with:    p50 ${ms(during.p50)}, p99 ${ms(during.p99)} (${during.requests} requests)`,
  );
  print(
    `  p99 with to without, middle of the rounds: ${ratio.toFixed(2)} (at most ${MOST_RATIO}: ${verdict(ratio <= MOST_RATIO)})`,
  );
}

/** How much of the ratio any Worker has on this machine, where clients share its cores. */
function tellLimit({ ratio }: GuessesResult): void {
  print(`  the same of a Worker that refuses in its first line: ${ratio.toFixed(2)}`);
}

function tellHostile({ requests, answers, failed, costs, yardstick }: HostileResult): void {
  print(`Hostile requests: ${requests}; of ${answers} answers to them ${failed} failed`);
  const known = costs.flatMap(({ milliseconds, ...cost }) =>
    milliseconds === null ? [] : [{ ...cost, milliseconds }],
  );
  if (yardstick === null || known.length < costs.length) {
    print(`  ${UNKNOWN_CPU}: there is nothing to judge`);
    return;
  }
  const bar = MOST_CPU * slownessBy(yardstick);
  const over = known.filter(({ milliseconds }) => milliseconds > bar);
  const refused = known.find(({ status }) => status >= 400);
  print(
    `  at most ${MOST_CPU} ms of CPU where 0.9 MB take ${YARDSTICK} µs; here they take ${yardstick.toFixed(0)} µs: at most ${ms(bar)}; over it ${over.length} (${verdict(over.length === 0)})`,
  );
  print(`  the costliest that was refused: ${refused ? ms(refused.milliseconds) : 'none'}`);
  for (const { request, status, bytes, milliseconds } of known.slice(0, SHOWN)) {
    print(
      `  ${ms(milliseconds)} ${status} ${bytes} B ${request.method} ${request.target.slice(0, SHOWN_CHARACTERS)}`,
    );
  }
}
