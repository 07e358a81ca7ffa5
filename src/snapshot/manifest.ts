/** The two JSON documents of a snapshot: the manifest of a release, and the pointer to the current one. */
import { z } from 'zod';

/** Version of everything under `snapshot/`: manifest, index parts, records. See FORMAT.md. */
export const FORMAT_VERSION = 2;

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const releaseIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** An object of the snapshot by the SHA-256 of its content, and its length in bytes. */
const objectRefSchema = z.strictObject({ hash: hashSchema, bytes: z.int().min(0) });

/** What a compilation produced. The chunks are listed in the `stores` part, 36 bytes each. */
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT_VERSION),
  /** First 16 hex digits of the SHA-256 over the parts: equal content, equal release. */
  release: releaseIdSchema,
  storeCount: z.int().min(0),
  locationCount: z.int().min(0),
  chunkCount: z.int().min(0),
  /** Bytes of all chunks. */
  chunkBytes: z.int().min(0),
  /** Index parts by name, see `index-parts.ts`. */
  parts: z.record(z.string(), objectRefSchema),
});

/** A manifest as published: who put it there, and when. */
export const publishedReleaseSchema = manifestSchema.extend({
  publishedAt: z.iso.datetime(),
  author: z.string(),
});

export const pointerSchema = z.strictObject({
  format: z.int().min(1),
  release: releaseIdSchema,
  /** When the pointer was turned to this release: the Last-Modified of answers. */
  publishedAt: z.iso.datetime(),
});

export type ObjectRef = z.infer<typeof objectRefSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type PublishedRelease = z.infer<typeof publishedReleaseSchema>;
export type Pointer = z.infer<typeof pointerSchema>;
