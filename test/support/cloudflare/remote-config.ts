/** A wrangler.toml after the one-time set-up: with the stand-in's ids in place of placeholders. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SNAPSHOTS_ID, TOKENS_ID } from './stand-in.ts';

/**
 * Writes it into `folder` and returns its path, for STORE_DIRECTORY_CONFIG or `wrangler --config`.
 * Only staging is set up; production still has placeholders.
 */
export async function writeRemoteConfig(folder: string, store: 'kv' | 'r2'): Promise<string> {
  const shipped = resolve(import.meta.dirname, '../../../wrangler.toml');
  const text = (await readFile(shipped, 'utf8'))
    .replace('"snapshots-staging"', `"${SNAPSHOTS_ID}"`)
    .replace('"tokens-staging"', `"${TOKENS_ID}"`)
    .replaceAll('SNAPSHOT_STORE = "kv"', `SNAPSHOT_STORE = "${store}"`);
  const path = join(folder, `wrangler-${store}.toml`);
  await writeFile(path, text);
  return path;
}

/**
 * The same for deploying: the file lies elsewhere than the Worker and its pages, and production is set up
 * too, on the storage of staging.
 */
export async function writeDeployConfig(folder: string, store: 'kv' | 'r2'): Promise<string> {
  const path = await writeRemoteConfig(folder, store);
  let text = (await readFile(path, 'utf8'))
    .replace('"snapshots-production"', `"${SNAPSHOTS_ID}"`)
    .replace('"tokens-production"', `"${TOKENS_ID}"`)
    .replaceAll('.example.com"', '.shops.test"');
  for (const built of ['src/worker.ts', 'dist/site']) {
    const place = resolve(import.meta.dirname, '../../..', built);
    text = text.replaceAll(`"${built}"`, JSON.stringify(place));
  }
  await writeFile(path, text);
  return path;
}
