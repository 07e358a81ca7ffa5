/** The small values of KV: the pointer, the release's manifest, the records of tokens. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import type { Manifest, Pointer, PublishedRelease } from '../../src/snapshot/manifest.ts';
import type { BenchTokens } from '../requests/tokens.ts';

const PUBLISHED_AT = '2026-10-01T00:00:00.000Z';

/** Writes them as files named by their keys, below `folder`. */
export async function writeDocuments(
  folder: string,
  manifest: Manifest,
  tokens: BenchTokens,
): Promise<void> {
  const { format, release } = manifest;
  const pointer: Pointer = { format, release, publishedAt: PUBLISHED_AT };
  const published: PublishedRelease = { ...manifest, publishedAt: PUBLISHED_AT, author: 'bench' };
  await write(folder, POINTER_KEY, pointer);
  await write(folder, releaseKey(release), published);
  for (const [key, record] of tokens.records) await write(folder, key, record);
}

async function write(folder: string, key: string, value: unknown): Promise<void> {
  const file = join(folder, key);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value));
}
