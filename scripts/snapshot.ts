/** `npm run snapshot`: checks store exports, compiles them, puts them live, and undoes that. */
import { runProgram } from './cli/run-command.ts';
import { buildCommand } from './commands/build.ts';
import { diffCommand } from './commands/diff.ts';
import { inspectCommand } from './commands/inspect.ts';
import { listCommand } from './commands/list.ts';
import { pruneCommand } from './commands/prune.ts';
import { publishCommand } from './commands/publish.ts';
import { purgeCommand } from './commands/purge.ts';
import { resumeCommand, rollbackCommand } from './commands/rollback.ts';
import { schemaCommand } from './commands/schema.ts';
import { validateCommand } from './commands/validate.ts';

await runProgram('npm run snapshot --', 'Check store exports, compile them and put them live.', [
  validateCommand,
  buildCommand,
  diffCommand,
  publishCommand,
  listCommand,
  rollbackCommand,
  resumeCommand,
  pruneCommand,
  purgeCommand,
  inspectCommand,
  schemaCommand,
]);
