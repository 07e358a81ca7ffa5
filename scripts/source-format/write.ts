/**
 * `npm run source-format`: writes the page on the source format, and the store of all examples of the
 * OpenAPI document, which is the full example of that page as it is answered in English.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import full from '../../docs/examples/full-store.json' with { type: 'json' };
import { STORE_FIELDS } from '../../src/model/store.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import { deriveStore, textIn } from '../compile/derive-store.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { PAGE_FILE, sourcePage } from './page.ts';

const write = (file: string, text: string) => writeFile(join(PROJECT_FOLDER, file), text);

await write(PAGE_FILE, sourcePage());
const source = full[0] as SourceStore;
const store = deriveStore(source, textIn('en', source));
// In the order of answers; fields that this answer lacks are left out.
const inOrder = Object.fromEntries(STORE_FIELDS.map((field) => [field, store[field]]));
await write('web/openapi/example-store.json', `${JSON.stringify(inOrder, null, 2)}\n`);
