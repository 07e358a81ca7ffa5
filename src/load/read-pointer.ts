/** Reads the pointer to the current release and checks it before anything relies on it. */
import { z } from 'zod';
import { SealError, unsealJson } from '../sealed-json.ts';
import { expectVersion, SnapshotFormatError } from '../snapshot/format-error.ts';
import { FORMAT_VERSION, POINTER_KEY } from '../snapshot/keys.ts';
import { type Pointer, pointerSchema } from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { readDocument } from './read-document.ts';

const versionSchema = z.looseObject({ format: z.int() });

/** The pointer, or null when nothing is published. @throws SnapshotFormatError, or as storage does */
export function readPointer(
  source: SnapshotSource,
  background: Background,
): Promise<Pointer | null> {
  return readDocument(source, POINTER_KEY, parsePointer, background);
}

function parsePointer(bytes: ArrayBuffer): Pointer {
  const value = unseal(bytes);
  // Version first: a document of another one may have any shape.
  const version = versionSchema.safeParse(value);
  if (version.success)
    expectVersion(`pointer (${POINTER_KEY})`, version.data.format, FORMAT_VERSION);
  const result = pointerSchema.safeParse(value);
  if (!result.success)
    throw new SnapshotFormatError(`pointer (${POINTER_KEY}): ${z.prettifyError(result.error)}`);
  return result.data;
}

function unseal(bytes: ArrayBuffer): unknown {
  try {
    return unsealJson(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new SnapshotFormatError(`pointer (${POINTER_KEY}): ${error.message}`);
  }
}
