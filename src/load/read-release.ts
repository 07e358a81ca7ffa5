/** Reads the two JSON documents of a snapshot and checks them before anything relies on them. */
import { z } from 'zod';
import { expectVersion, SnapshotFormatError } from '../snapshot/format-error.ts';
import { POINTER_KEY, releaseKey } from '../snapshot/keys.ts';
import {
  FORMAT_VERSION,
  type Pointer,
  type PublishedRelease,
  pointerSchema,
  publishedReleaseSchema,
} from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';

const versionSchema = z.looseObject({ format: z.int() });

/** The pointer to the current release, or null when nothing is published. @throws SnapshotFormatError */
export async function readPointer(source: SnapshotSource): Promise<Pointer | null> {
  const bytes = await source.read(POINTER_KEY, 'mutable');
  return bytes && parseDocument('pointer', bytes, pointerSchema);
}

/** A release manifest, or null when it is not there (yet). @throws SnapshotFormatError */
export async function readRelease(
  source: SnapshotSource,
  release: string,
): Promise<PublishedRelease | null> {
  const key = releaseKey(release);
  const bytes = (await source.read(key, 'immutable')) ?? (await source.read(key, 'retry'));
  return bytes && parseDocument(`release ${release}`, bytes, publishedReleaseSchema);
}

/** Version first: a newer document may have any shape. */
function parseDocument<Value>(what: string, bytes: ArrayBuffer, schema: z.ZodType<Value>): Value {
  const value = parseJson(what, bytes);
  const version = versionSchema.safeParse(value);
  if (version.success) expectVersion(what, version.data.format, FORMAT_VERSION);
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new SnapshotFormatError(`${what}: ${z.prettifyError(result.error)}`);
  }
  return result.data;
}

function parseJson(what: string, bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new SnapshotFormatError(`${what}: got ${bytes.byteLength} bytes that are not JSON`);
  }
}
