/** `npm run web`: builds the pages for people, unless nothing they are made of has changed. */
import { defineCommand, runCommand } from '../scripts/cli/run-command.ts';
import { isBuiltFrom, sourceStamp } from './build/freshness.ts';
import { SITE_FOLDER } from './build/site-folder.ts';

interface BuildOptions {
  readonly force?: boolean;
}

const buildCommand = defineCommand<BuildOptions>('web', {
  summary:
    'Build the pages that the Worker serves to people, /docs and /explore. npm start, npm test and npm run deploy do this by themselves.',
  declare: (command) => {
    command.option('--force', 'build also if nothing has changed');
  },
  examples: [
    ['', 'build what has changed'],
    ['--force', 'build anew'],
  ],
  run: async ({ force = false }) => {
    const stamp = await sourceStamp();
    const isFresh = !force && (await isBuiltFrom(stamp));
    if (!isFresh) {
      // Loaded on demand: nobody waits for it who has nothing to build.
      const { buildSite } = await import('./build/build-site.ts');
      await buildSite(stamp);
    }
    return {
      data: { folder: SITE_FOLDER, built: !isFresh },
      text: () => (isFresh ? 'The pages are up to date.' : `Built the pages into ${SITE_FOLDER}.`),
    };
  },
});

await runCommand('npm run web --', buildCommand);
