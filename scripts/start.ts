/** `npm start`: everything for the first run, on this machine alone. */
import { runCommand } from './cli/run-command.ts';
import { startCommand } from './start/start-command.ts';

await runCommand('npm start --', startCommand);
