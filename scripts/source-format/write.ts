/** `npm run source-format`: writes the page on the source format and its examples, which are not served but read here. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import { EXAMPLES, PAGE_FILE, sourcePage } from './page.ts';

for (const [file, text] of Object.entries({ ...EXAMPLES, [PAGE_FILE]: sourcePage() })) {
  await writeFile(join(PROJECT_FOLDER, file), text);
}
