/** `npm run client`: packs the TypeScript client, which partners install. */
import { resolve } from 'node:path';
import { explainWriting } from './cli/file-error.ts';
import { userPath } from './cli/option-values.ts';
import { PROJECT_FOLDER } from './cli/platform.ts';
import { defineCommand, runCommand } from './cli/run-command.ts';
import { shellWord } from './cli/shell-word.ts';
import { packClient } from './client/pack-client.ts';

const DEFAULT_FOLDER = resolve(PROJECT_FOLDER, 'dist');

const clientCommand = defineCommand<{ readonly out: string }>('client', {
  summary: 'Pack the TypeScript client into a tarball for npm install, without dependencies',
  declare: (command) => {
    command.option('--out <folder>', 'folder to put the tarball in', userPath, DEFAULT_FOLDER);
  },
  examples: [
    ['', 'writes the tarball into dist'],
    ['--out packages --json', 'writes it elsewhere and prints where as JSON'],
  ],
  run: async ({ out }) => {
    const { tarball, gzipBytes } = await explainWriting(out, () => packClient(out));
    return {
      data: { tarball, gzipBytes },
      text: () =>
        `Packed ${tarball}\nIts code is ${(gzipBytes / 1000).toFixed(1)} kB gzip. To install it: npm install ${shellWord(tarball)}`,
    };
  },
});

await runCommand('npm run client --', clientCommand);
