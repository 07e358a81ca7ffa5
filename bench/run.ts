/** `npm run bench`: holds the service against its bars, or against another commit. */
import { InvalidArgumentError, Option } from 'commander';
import { integerFrom } from '../scripts/cli/common-options.ts';
import { defineCommand, runProgram } from '../scripts/cli/run-command.ts';
import { REGIMES, ROUNDS, SIZES } from './choices.ts';
import { CASE_NAMES } from './requests/request.ts';

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
    new Option('--regimes <names>', `parts, of ${REGIMES.join(', ')}`).argParser(listOf(REGIMES)),
    new Option('--rounds <count>', 'how often each figure is taken')
      .argParser(integerFrom(1))
      .default(ROUNDS),
  ],
  examples: [
    ['', 'measures everything, for an hour, and writes bench/RESULTS.md'],
    ['--quick --against main', 'compares hot requests with those of main, within two minutes'],
    ['--regimes cold --only get,list --rounds 5', 'measures a part, and writes nothing'],
  ],
  load: () => import('./measure-all.ts'),
});

await runProgram(benchCommand);

function listOf<Name extends string>(known: readonly Name[]) {
  return (text: string): Name[] => {
    const names = text.split(',');
    const chosen = known.filter((name) => names.includes(name));
    if (chosen.length === names.length) return chosen;
    throw new InvalidArgumentError(`Expected some of ${known.join(', ')}.`);
  };
}
