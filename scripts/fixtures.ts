/** `npm run fixtures`: writes invented stores. */
import { runCommand } from './cli/run-command.ts';
import { fixturesCommand } from './fixtures/fixtures-command.ts';

await runCommand('npm run fixtures --', fixturesCommand);
