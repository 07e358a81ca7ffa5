/** `npm run token -- …`: issues, lists, shows, revokes and rotates access tokens. */
import { runProgram } from './cli/run-command.ts';
import { issueCommand, listCommand, revokeCommand, showCommand } from './token/commands.ts';
import { rotateCommand } from './token/rotate-command.ts';

await runProgram('npm run token --', 'Access tokens of the store directory.', [
  issueCommand,
  listCommand,
  showCommand,
  revokeCommand,
  rotateCommand,
]);
