/** `npm run client`: the TypeScript client as a package that partners install. */
import { runCommand } from './cli/run-command.ts';
import { clientCommand } from './client/client-command.ts';

await runCommand('npm run client --', clientCommand);
