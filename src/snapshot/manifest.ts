/**
 * The JSON documents of a snapshot: manifests, releases by name, the pointer, and the last run.
 *
 * The pointer holds the manifest too, so that a fresh isolate knows every index part after one read,
 * and the manifest of the release before, so that it has something to fall back on.
 *
 * A release that is kept lies under its name, too: by `<number>-<content id>`, as partners know it, the
 * Worker finds in one read what `changes` compares, and never searches the log. It is written before the
 * pointer, from which partners learn the name, and deleted before anything else of a release that is given
 * up.
 */
import * as z from 'zod';
import { timestampSchema } from '../model/timestamp.ts';
import { sha256 } from './hash.ts';
import { FORMAT_VERSION } from './keys.ts';

/** Hexadecimal digits of an object's name: the first half of a SHA-256, 128 bits. */
export const HASH_DIGITS = 32;

/** Returns the name under which an object of these bytes is stored. */
export async function objectHash(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  return objectName(await sha256(bytes));
}

/** Returns the name of the object whose bytes have this SHA-256. */
export function objectName(hash: Uint8Array): string {
  return hash.subarray(0, HASH_DIGITS / 2).toHex();
}

/** An object of the snapshot by the hash of its content, and its length in bytes. */
const objectRefSchema = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{32}$/),
  bytes: z.int().min(0),
});

/** What a compilation produced. The chunks are listed in the `chunks` part. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT_VERSION),
  /** First 16 hex digits of the SHA-256 over the parts: equal content, equal release. */
  release: z.string().regex(/^[0-9a-f]{16}$/),
  storeCount: z.int().min(0),
  locationCount: z.int().min(0),
  chunkCount: z.int().min(0),
  /** Bytes of all chunks. */
  chunkBytes: z.int().min(0),
  /** Index parts by name: see FORMAT.md. */
  parts: z.record(z.string(), objectRefSchema),
});

/** A manifest as published: with the generation in which the objects lie. */
const publishedManifestSchema = manifestSchema.extend({
  generation: z.string().regex(/^\d{8}T\d{6}Z-[a-z]{6}$/),
});

/** A release that is live, or was: what a name leads to. */
export const liveReleaseSchema = z.strictObject({
  manifest: publishedManifestSchema,
  /** When it went live: the Last-Modified of answers. */
  publishedAt: z.iso.datetime(),
});

/** The log that a pointer is copied from, for tools: one log, one environment, one place. */
const logSchema = z.strictObject({
  /** Random. */
  id: z.string(),
  environment: z.string(),
  /** What Workers read, such as `kv <namespace id>`. */
  place: z.string(),
  /** Ids of the logs in the place of which this one was begun. */
  replaces: z.array(z.string()),
});

export const pointerSchema = liveReleaseSchema.extend({
  format: z.literal(FORMAT_VERSION),
  log: logSchema,
  /** Number of the log's entry that this is a copy of; it only grows, so that a late copy is recognised. */
  number: z.int().min(1),
  /** What was live before; null for the first publication. */
  before: liveReleaseSchema.extend({ number: z.int().min(1) }).nullable(),
});

/**
 * The last publication that ran to its end, even if it found nothing to change. A schedule that has stopped
 * can't say so itself, so `/healthz` shows this time.
 */
export const lastRunSchema = z.object({
  ranAt: timestampSchema,
  /** What was live when it ended. */
  release: z.string(),
});

export type ObjectRef = z.infer<typeof objectRefSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type PublishedManifest = z.infer<typeof publishedManifestSchema>;
export type LiveRelease = z.infer<typeof liveReleaseSchema>;
/** A release with the number of the log's entry that put it live. */
export type NumberedRelease = LiveRelease & { readonly number: number };
export type Pointer = z.infer<typeof pointerSchema>;
export type LastRun = z.infer<typeof lastRunSchema>;

/** The part by which releases are compared, and the part with figures of a whole release, for tools. */
export const COMPARED_NAME = 'compared';
export const FIGURES_NAME = 'figures';

/** Parts that an isolate does not hold: read for one comparison, or by tools alone. */
export const UNHELD_PARTS: readonly string[] = [COMPARED_NAME, FIGURES_NAME];
