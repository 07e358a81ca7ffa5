/** `npm run source-format`: writes the page on the source format, which is not served but read here. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import { PAGE_FILE, sourcePage } from './page.ts';

await writeFile(join(PROJECT_FOLDER, PAGE_FILE), sourcePage());
