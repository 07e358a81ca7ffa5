/** `npm run snapshot`: checks store exports, compiles them, puts them live, and undoes that. */
import { runProgram } from './cli/run-command.ts';
import { buildCommand } from './snapshot/build-command.ts';
import { diffCommand } from './snapshot/diff-command.ts';
import { inspectCommand } from './snapshot/inspect-command.ts';
import { listCommand } from './snapshot/list-command.ts';
import { pruneCommand } from './snapshot/prune-command.ts';
import { publishCommand } from './snapshot/publish-command.ts';
import { rollbackCommand } from './snapshot/rollback-command.ts';
import { schemaCommand } from './snapshot/schema-command.ts';
import { validateCommand } from './snapshot/validate-command.ts';

await runProgram('npm run snapshot --', 'Check store exports, compile them, put them live.', [
  validateCommand,
  buildCommand,
  diffCommand,
  publishCommand,
  listCommand,
  rollbackCommand,
  pruneCommand,
  inspectCommand,
  schemaCommand,
]);
