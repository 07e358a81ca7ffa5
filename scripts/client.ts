/** `npm run client`: packs the TypeScript client, which partners install. */
import { resolve } from 'node:path';
import { Option } from 'commander';
import { userPath } from './cli/common-options.ts';
import { PROJECT_FOLDER } from './cli/platform.ts';
import { defineCommand, runProgram } from './cli/run-command.ts';

const DEFAULT_FOLDER = resolve(PROJECT_FOLDER, 'dist');

const clientCommand = defineCommand('npm run client --', {
  summary: 'Pack the TypeScript client into a tarball for npm install, without dependencies',
  options: [
    new Option('--out <folder>', 'folder to put the tarball in')
      .argParser(userPath)
      .default(DEFAULT_FOLDER),
  ],
  examples: [
    ['', 'writes the tarball into dist'],
    ['--out packages --json', 'writes it elsewhere and prints where as JSON'],
  ],
  load: () => import('./client/pack-client.ts'),
});

await runProgram(clientCommand);
