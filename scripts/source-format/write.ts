/** `npm run source-format`: writes the page on the source format. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import { PAGE_FILE, sourcePage } from './page.ts';

await writeFile(join(PROJECT_FOLDER, PAGE_FILE), sourcePage());
