/** `npm run snapshot`: checks store exports, compiles them, puts them live, and undoes that. */
import { runProgram } from './cli/run-command.ts';
import { inspectCommand } from './commands/inspect.ts';
import { listCommand } from './commands/list.ts';
import { pruneCommand } from './commands/prune.ts';
import { publishCommand } from './commands/publish.ts';
import { purgeCommand } from './commands/purge.ts';
import { resumeCommand } from './commands/resume.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { buildCommand } from './snapshot/build-command.ts';
import { diffCommand } from './snapshot/diff-command.ts';
import { schemaCommand } from './snapshot/schema-command.ts';
import { validateCommand } from './snapshot/validate-command.ts';

await runProgram('npm run snapshot --', 'Check store exports, compile them, put them live.', [
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
