/** `npm run deploy`: puts the Worker of an environment live, once it finds stores that it can read. */
import { runCommand } from './cli/run-command.ts';
import { deployCommand } from './deploy/deploy-command.ts';

await runCommand('npm run deploy --', deployCommand);
