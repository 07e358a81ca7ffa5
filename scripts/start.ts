/** `npm start`: the first run: stores published, a token issued, the server up, and a line to paste. */

import { Option } from 'commander';
import {
  DEFAULTS_OPTION,
  integerFrom,
  SKIP_INVALID_OPTION,
  sourceOption,
} from './cli/common-options.ts';
import { defineCommand, runProgram } from './cli/run-command.ts';

const DEFAULT_PORT = 8787;
const MAX_PORT = 65_535;

const startCommand = defineCommand('npm start --', {
  summary:
    'Serve stores on this machine, with a new demo token: the fixture stores, unless you have published others to local storage; with --source those of an export, which replace what is live there',
  options: [
    sourceOption(),
    DEFAULTS_OPTION,
    SKIP_INVALID_OPTION,
    new Option('--port <number>', 'where to listen')
      .argParser(integerFrom(1, MAX_PORT))
      .default(DEFAULT_PORT),
  ],
  examples: [
    ['', `serves on port ${DEFAULT_PORT} until Ctrl-C`],
    ['--source export.ndjson', 'shows an export on the map before it is published anywhere else'],
    [
      '--source export.ndjson --defaults docs/examples/defaults.json',
      'the same of stores that leave out what is the same for all',
    ],
    ['--port 8080', 'serves on another port'],
  ],
  load: () => import('./start/serve.ts'),
});

await runProgram(startCommand);
