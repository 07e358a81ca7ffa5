/** `npm run web` where there may be something to build. */
import { defineCommand, runCommand } from '../../scripts/cli/run-command.ts';
import { withBuildFolder } from './build-folder.ts';
import { isFresh } from './freshness.ts';
import { BUILD_FOLDER, SITE_FOLDER } from './site-folder.ts';

interface BuildOptions {
  readonly force?: boolean;
}

const webCommand = defineCommand<BuildOptions>('web', {
  summary:
    'Build what the Worker serves to people, /docs and /explore, and the OpenAPI document. wrangler dev, npm test and npm run deploy do this by themselves.',
  declare: (command) => {
    command.option('--force', 'build also if nothing has changed');
  },
  examples: [
    ['', 'build what has changed'],
    ['--force', 'build anew'],
  ],
  run: async ({ force = false }) => {
    const built = await withBuildFolder(BUILD_FOLDER, async (folder) => {
      if (!force && (await isFresh())) return false;
      // Loaded on demand: `--help` need not wait for it.
      const { buildSite } = await import('./build-site.ts');
      await buildSite(folder);
      return true;
    });
    return {
      data: { folder: SITE_FOLDER, built },
      text: () => (built ? `Built the pages into ${SITE_FOLDER}.` : 'The pages are up to date.'),
    };
  },
});

await runCommand('npm run web --', webCommand);
