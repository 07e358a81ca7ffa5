/** `npm run token -- …`: issues, lists, shows, revokes and rotates access tokens. */
import { runProgram } from './cli/run-command.ts';
import { issueCommand } from './commands/token/issue.ts';
import { rotateCommand } from './commands/token/rotate.ts';
import { listCommand, revokeCommand, showCommand } from './commands/token/tokens.ts';

await runProgram(
  'npm run token --',
  'Issue, list, show, revoke and rotate access tokens of the store directory.',
  [issueCommand, listCommand, showCommand, revokeCommand, rotateCommand],
);
