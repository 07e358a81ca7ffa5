/** `npm run token -- …`: issues, lists and revokes access tokens. */
import { runProgram } from './cli/run-command.ts';
import { issueCommand, listCommand, revokeCommand } from './token/commands.ts';

await runProgram('token', 'Access tokens of the store directory, in local storage.', [
  issueCommand,
  listCommand,
  revokeCommand,
]);
