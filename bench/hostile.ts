/**
 * `npm run bench:hostile`: what a flood of guesses costs others, and which hostile requests cost the
 * most. Prints, and writes nothing.
 */
import { integerFrom } from '../scripts/cli/integer-from.ts';
import {
  type CommandContext,
  type CommandResult,
  defineCommand,
  runCommand,
} from '../scripts/cli/run-command.ts';
import { LEAST_STORES } from './data/prepare-data.ts';
import { measureGuesses } from './measure/guesses.ts';
import { measureHostile } from './measure/hostile.ts';
import { guessLines, hostileLines } from './report/hostile.ts';
import { openScene, type Scene } from './scene.ts';

interface HostileOptions {
  readonly stores: number;
  readonly requests: number;
  readonly guesses: boolean;
}

const hostileCommand = defineCommand<HostileOptions>('bench:hostile', {
  summary: 'Measure what hostile requests and guesses at tokens cost.',
  declare: (command) => {
    command
      .option('--stores <count>', 'number of stores', integerFrom(LEAST_STORES), 100_000)
      .option('--requests <count>', 'hostile requests; 0 leaves them out', integerFrom(0), 3_000)
      .option('--no-guesses', 'leave the guesses out');
  },
  examples: [
    ['--stores 2500 --requests 0', 'measures what guesses cost, for four minutes'],
    ['--no-guesses', 'measures hostile requests alone'],
  ],
  run,
});

await runCommand('npm run bench:hostile --', hostileCommand);

async function run(options: HostileOptions, { remark }: CommandContext): Promise<CommandResult> {
  const { stores: storeCount, requests } = options;
  const wanted = { storeCount, withChanged: false, withLater: false, withCircle: false };
  const scene = await openScene(wanted, remark);
  try {
    const guesses = options.guesses ? await guessesAt(scene) : null;
    const hostile = requests > 0 ? await measureHostile(scene, requests) : null;
    const text = () =>
      [
        ...(guesses ? guessLines(guesses.service, guesses.limit) : []),
        ...(hostile ? hostileLines(hostile) : []),
      ].join('\n');
    return { data: { guesses, hostile }, text };
  } finally {
    await scene.close();
  }
}

/** The limit shows how much of it any Worker has on this machine, where clients share its cores. */
async function guessesAt(scene: Scene) {
  const service = await measureGuesses(scene, 'ours');
  return { service, limit: await measureGuesses(scene, 'limit') };
}
