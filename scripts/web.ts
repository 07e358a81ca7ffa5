/** `npm run web`: builds the pages for people. */
import { buildPages } from '../web/build/build-site.ts';
import { SITE_FOLDER } from '../web/build/site-folder.ts';
import { defineCommand, runCommand } from './cli/run-command.ts';

const webCommand = defineCommand('web', {
  summary:
    'Build what the Worker serves to people, /docs and /explore, and the OpenAPI document. wrangler dev, npm test and npm run deploy do this by themselves.',
  examples: [['', 'builds the pages if anything in them has changed']],
  run: async () => {
    const built = await buildPages();
    return {
      data: { folder: SITE_FOLDER, built },
      text: () => (built ? `Built the pages into ${SITE_FOLDER}.` : 'The pages are up to date.'),
    };
  },
});

await runCommand('npm run web --', webCommand);
