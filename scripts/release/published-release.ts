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
import type { SnapshotTarget } from '../storage/key-value-store.ts';

/** The pointer to the live release; null when there is none, or none that can be read. */
export async function readPointer(target: SnapshotTarget): Promise<Pointer | null> {
  return parsePointer(await target.get(POINTER_KEY));
}

/** What is told of a pointer, without the manifests in it. */
export function pointerFacts({ format, number, manifest, publishedAt, before }: Pointer) {
  const { release } = manifest;
  return { format, number, release, publishedAt, before: before?.manifest.release ?? null };
}

/** Whether there is a pointer that cannot be read: damaged, or of another format version. */
export async function isPointerUnreadable(target: SnapshotTarget): Promise<boolean> {
  const bytes = await target.get(POINTER_KEY);
  return bytes !== null && parsePointer(bytes) === null;
}

/** A pointer as it is stored; null when there is none, or none that can be read. */
export function parsePointer(bytes: Uint8Array | null): Pointer | null {
  return parseJson(bytes, pointerSchema);
}

/** A release as published; null when it is not there, or cannot be read. */
export async function readRelease(
  target: SnapshotTarget,
  release: string,
): Promise<PublishedRelease | null> {
  return parseJson(await target.get(releaseKey(release)), publishedReleaseSchema);
}

export async function writeRelease(
  target: SnapshotTarget,
  release: PublishedRelease,
): Promise<void> {
  await target.put(releaseKey(release.release), encodeJson(release));
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

export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The JSON document in `bytes`; null when there is none, or not the one that `schema` expects. */
export function parseJson<T>(bytes: Uint8Array | null, schema: z.ZodType<T>): T | null {
  if (!bytes) return null;
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
