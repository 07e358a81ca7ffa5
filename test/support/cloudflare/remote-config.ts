/** What commands and wrangler have after the one-time set-up, with the stand-in in the place of Cloudflare. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CloudflareStandIn, SNAPSHOTS_ID, TOKENS_ID } from './stand-in.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

/** What stands in the place of the placeholders of wrangler.toml: production is set up on the storage of staging. */
const FILLED_IN: readonly (readonly [RegExp, string])[] = [
  [/"snapshots-(?!dev)\w+"/g, `"${SNAPSHOTS_ID}"`],
  [/"tokens-(?!dev)\w+"/g, `"${TOKENS_ID}"`],
  [/(?<=\.)example\.com"/g, 'shops.test"'],
  // The file lies elsewhere than the Worker and its pages.
  [/(?<=")(?=(?:src\/worker\.ts|dist\/site)")/g, `${PROJECT.replaceAll('\\', '/')}/`],
];

/**
 * Writes a wrangler.toml into `folder`.
 * @returns the variables by which commands find it, and the stand-in
 */
export async function setUp(standIn: CloudflareStandIn, folder: string, store = 'kv') {
  const shipped = await readFile(join(PROJECT, 'wrangler.toml'), 'utf8');
  const text = FILLED_IN.reduce(
    (filled, [placeholder, meant]) => filled.replaceAll(placeholder, meant),
    shipped.replaceAll('SNAPSHOT_STORE = "kv"', `SNAPSHOT_STORE = "${store}"`),
  );
  const file = join(folder, `wrangler-${store}.toml`);
  await writeFile(file, text);
  return { ...standIn.variables, STORE_DIRECTORY_CONFIG: file };
}
