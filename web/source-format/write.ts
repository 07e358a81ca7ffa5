/** `npm run web:source-format`: writes the page on the source format, which is not served but read here. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../build/site-folder.ts';
import { PAGE_FILE, sourcePage } from './page.ts';

await writeFile(join(PROJECT, PAGE_FILE), sourcePage());
