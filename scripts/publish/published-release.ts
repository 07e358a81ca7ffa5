/** The two JSON documents of a target: which release is live, and the releases as published. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import {
  type Manifest,
  type Pointer,
  type PublishedRelease,
  pointerSchema,
  publishedReleaseSchema,
} from '../../src/snapshot/manifest.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

/** The pointer to the live release; null when there is none, or none that can be read. */
export function readPointer(target: SnapshotTarget): Promise<Pointer | null> {
  return readJson(target, POINTER_KEY, pointerSchema);
}

export async function writePointer(target: SnapshotTarget, pointer: Pointer): Promise<void> {
  await writeJson(target, POINTER_KEY, pointer);
}

/** A release as published; null when it is not there, or cannot be read. */
export function readRelease(
  target: SnapshotTarget,
  release: string,
): Promise<PublishedRelease | null> {
  return readJson(target, releaseKey(release), publishedReleaseSchema);
}

export async function writeRelease(
  target: SnapshotTarget,
  release: PublishedRelease,
): Promise<void> {
  await writeJson(target, releaseKey(release.release), release);
}

/** Whether `published` is the publication of `manifest`, whoever published it and when. */
export function isPublicationOf(published: PublishedRelease | null, manifest: Manifest): boolean {
  if (!published) return false;
  const { publishedAt: _at, author: _by, ...content } = published;
  return isDeepStrictEqual(content, manifest);
}

async function readJson<T>(
  target: SnapshotTarget,
  key: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const bytes = await target.get(key);
  if (!bytes) return null;
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

async function writeJson(target: SnapshotTarget, key: string, value: unknown): Promise<void> {
  await target.put(key, new TextEncoder().encode(JSON.stringify(value)));
}
