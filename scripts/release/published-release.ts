/** Releases as published: their manifests, and the JSON they are written in. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { sealJson, unsealJson } from '../../src/sealed-json.ts';
import { releaseKey } from '../../src/snapshot/keys.ts';
import {
  type Manifest,
  type PublishedRelease,
  publishedReleaseSchema,
} from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';

/** A release as published; null when it is not there, or cannot be read. */
export async function readRelease(
  { objects }: SnapshotTarget,
  release: string,
): Promise<PublishedRelease | null> {
  return parseJson(await objects.get(releaseKey(release)), publishedReleaseSchema);
}

export async function writeRelease(
  { objects }: SnapshotTarget,
  release: PublishedRelease,
): Promise<void> {
  await objects.put(releaseKey(release.release), encodeJson(release));
}

/** Whether `published` is the publication of `manifest`, whoever published it and when. */
export function isPublicationOf(published: PublishedRelease | null, manifest: Manifest): boolean {
  return published !== null && isDeepStrictEqual(manifestOf(published), manifest);
}

/** The manifest without what its publication added. */
export function manifestOf(published: PublishedRelease): Manifest {
  const { publishedAt: _at, author: _by, ...manifest } = published;
  return manifest;
}

export function encodeJson(value: object): Uint8Array {
  return new TextEncoder().encode(sealJson(value));
}

/** The document in `bytes`; null when there is none, a damaged one, or not what `schema` expects. */
export function parseJson<T>(bytes: Uint8Array | null, schema: z.ZodType<T>): T | null {
  if (!bytes) return null;
  try {
    return schema.parse(unsealJson(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** The error of a document in R2 without which nobody can decide anything. */
export function unreadable(key: string, what: string): CommandError {
  const message = `${key} in the R2 bucket cannot be read, so nobody knows ${what}; nothing was written`;
  return new CommandError(message, {
    code: 'ledger_unreadable',
    details: { key },
    explanation:
      'It is damaged, or a later version of this tool wrote it. Delete it if that is certain.',
  });
}
