/** `npm run web`: builds the pages for people. */
import { buildPages } from '../web/build/build-site.ts';
import { SITE_FOLDER } from '../web/build/site-folder.ts';
import { defineCommand, runCommand } from './cli/run-command.ts';

const webCommand = defineCommand<{ readonly force?: boolean }>('web', {
  summary:
    'Build what the Worker serves to people, /docs and /explore, and the OpenAPI document. wrangler dev, npm test and npm run deploy do this by themselves.',
  declare: (command) => {
    command.option('--force', 'build also if nothing has changed');
  },
  examples: [
    ['', 'builds what has changed'],
    ['--force', 'builds anew'],
  ],
  run: async ({ force }) => {
    const built = await buildPages(force);
    return {
      data: { folder: SITE_FOLDER, built },
      text: () => (built ? `Built the pages into ${SITE_FOLDER}.` : 'The pages are up to date.'),
    };
  },
});

await runCommand('npm run web --', webCommand);
