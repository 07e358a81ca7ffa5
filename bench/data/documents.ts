/**
 * The small values of KV: the pointer, releases by their names, the records of tokens. They are
 * files named by their keys.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sealJson } from '../../src/sealed-json.ts';
import { POINTER_KEY, releaseKey, releaseName } from '../../src/snapshot/keys.ts';
import type { Manifest, Pointer } from '../../src/snapshot/manifest.ts';
import type { BenchTokens } from './tokens.ts';

/** When the first release went live. */
const FIRST_PUBLICATION = Date.parse('2026-10-01T00:00:00.000Z');
const HOUR = 3_600_000;

/** All releases lie in one generation. */
export const GENERATION = '20261001T000000Z-benchm';

const LOG = { id: 'bench', environment: 'production', place: 'kv of the benchmark', replaces: [] };

/** A release that was put live. */
export interface Publication {
  readonly manifest: Manifest;
  /** 1, 2, 3…: going back to an old release counts, too. */
  readonly number: number;
}

/** Writes the records of tokens below `folder`. */
export async function writeTokens(folder: string, tokens: BenchTokens): Promise<void> {
  for (const [key, record] of tokens.records) await write(folder, key, record);
}

/**
 * Puts a release live: whoever reads the pointer from now on finds it.
 * @param before what was live until now; null for the first publication
 */
export async function putLive(
  folder: string,
  { manifest, number }: Publication,
  before: Publication | null = null,
): Promise<void> {
  const publishedAt = publicationTime(number);
  const { format, release } = manifest;
  const live = { manifest: { ...manifest, generation: GENERATION }, publishedAt };
  const pointer: Pointer = {
    format,
    log: LOG,
    number,
    ...live,
    before: before && {
      manifest: { ...before.manifest, generation: GENERATION },
      number: before.number,
      publishedAt: publicationTime(before.number),
    },
  };
  await write(folder, releaseKey(releaseName(number, release)), live);
  await write(folder, POINTER_KEY, pointer);
}

function publicationTime(number: number): string {
  return new Date(FIRST_PUBLICATION + number * HOUR).toISOString();
}

/** The new content takes the place of the old at once: a reader never sees half of it. */
async function write(folder: string, key: string, document: object): Promise<void> {
  const file = join(folder, key);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, sealJson(document));
  await rename(`${file}.new`, file);
}
