/** `npm run snapshot`: checks store exports, compiles them, puts them live. */
import { runProgram } from './cli/run-command.ts';
import { buildCommand } from './snapshot/build-command.ts';
import { publishCommand } from './snapshot/publish-command.ts';
import { validateCommand } from './snapshot/validate-command.ts';

await runProgram('npm run snapshot --', 'Check store exports, compile them, put them live.', [
  validateCommand,
  buildCommand,
  publishCommand,
]);
