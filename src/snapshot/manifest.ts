/**
 * Two of the JSON documents of a snapshot: the manifest of a release, and the pointer to the current
 * one. The others are drawn in `comparison.ts` and `last-run.ts`.
 *
 * The pointer holds the manifest too, so that a fresh isolate knows every index part after one read,
 * and that of the release before, so that it has something to fall back on.
 */
import { z } from 'zod';
import { sha256Bytes, toHex } from '../hash.ts';
import type { Language } from '../model/enumerations.ts';
import type { SortColumn } from '../model/sort-fields.ts';
import { FORMAT_VERSION } from './keys.ts';

/** Hexadecimal digits of an object's name: the first half of a SHA-256, 128 bits. */
export const HASH_DIGITS = 32;

/** The name an object of these bytes is stored under. */
export async function objectHash(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  return objectName(await sha256Bytes(bytes));
}

/** The name of the object whose bytes have this SHA-256. */
export function objectName(hash: Uint8Array): string {
  return toHex(hash.subarray(0, HASH_DIGITS / 2));
}

const hashSchema = z.string().regex(/^[0-9a-f]{32}$/);
const releaseIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** An object of the snapshot by the hash of its content, and its length in bytes. */
export const objectRefSchema = z.strictObject({ hash: hashSchema, bytes: z.int().min(0) });

/** What a compilation produced. The chunks are listed in the `chunks` part. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT_VERSION),
  /** First 16 hex digits of the SHA-256 over the parts: equal content, equal release. */
  release: releaseIdSchema,
  storeCount: z.int().min(0),
  locationCount: z.int().min(0),
  chunkCount: z.int().min(0),
  /** Bytes of all chunks. */
  chunkBytes: z.int().min(0),
  /** Index parts by name, see below. */
  parts: z.record(z.string(), objectRefSchema),
});

/** A manifest as published: who put it there, and when. */
export const publishedReleaseSchema = manifestSchema.extend({
  publishedAt: z.iso.datetime(),
  author: z.string(),
});

/** A release that is live, or was. */
const liveReleaseSchema = z.strictObject({
  manifest: manifestSchema,
  /** When it went live: the Last-Modified of answers. */
  publishedAt: z.iso.datetime(),
});

export const pointerSchema = liveReleaseSchema.extend({
  format: z.literal(FORMAT_VERSION),
  /** Of the entry of the log that this is a copy of; it only grows, so that a late copy is recognised. */
  number: z.int().min(1),
  /** What was live before; null for the first publication. Pointers older than the log lack its number. */
  before: liveReleaseSchema.extend({ number: z.int().min(1).optional() }).nullable(),
});

export type ObjectRef = z.infer<typeof objectRefSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type PublishedRelease = z.infer<typeof publishedReleaseSchema>;
export type LiveRelease = z.infer<typeof liveReleaseSchema>;
/** A release with the number of the log's entry that put it live. */
export type NumberedRelease = LiveRelease & { readonly number: number };
export type Pointer = z.infer<typeof pointerSchema>;

export const CHUNKS_PART = 'chunks';
export const VERTICALES_PART = 'verticales';
export const IDS_PART = 'ids';
export const SLUGS_PART = 'slugs';
export const PLACES_PART = 'places';
/** Which digits of ids are upper-case letters; absent where none is, and in releases of older tools. */
export const ID_CASES_PART = 'id-cases';
/** Slugs as they are written, for tools. */
export const SLUG_TEXTS_PART = 'slug-texts';
/** For comparing releases. */
export const FINGERPRINTS_PART = 'fingerprints';
/** What a release looks like as a whole. Releases that older tools compiled have none. */
export const FIGURES_PART = 'figures';

/** Parts that no answer is made of. */
export const TOOL_PARTS: readonly string[] = [SLUG_TEXTS_PART, FINGERPRINTS_PART, FIGURES_PART];

/** Sort columns that have a part of their own: ordinals follow ids, distances belong to a request. */
export type RankedColumn = Exclude<SortColumn, 'id' | 'distance'>;

/** Whether `column` has a part that ranks it. */
export function isRanked(column: SortColumn): column is RankedColumn {
  return column !== 'id' && column !== 'distance';
}

/** The part that ranks `column`; names are ranked once per language (null: root collation). */
export function rankPart(column: RankedColumn, language: Language | null): string {
  return column === 'name' ? `rank/name/${language ?? 'root'}` : `rank/${column}`;
}
