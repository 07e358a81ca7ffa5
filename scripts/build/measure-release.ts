/** The sizes of a release: its index parts and its documents. */
import type { Manifest } from '../../src/snapshot/manifest.ts';

export type ReleaseSizes = ReturnType<typeof measureRelease>;

export function measureRelease(manifest: Manifest) {
  const { chunkBytes, storeCount } = manifest;
  const parts = Object.entries(manifest.parts).map(([name, { bytes }]) => [name, bytes] as const);
  const whole = totalBytes(manifest);
  return {
    /** Bytes by name of the part, the largest first. */
    parts: Object.fromEntries(parts.sort(([, a], [, b]) => b - a)),
    partBytes: whole - chunkBytes,
    chunkBytes,
    totalBytes: whole,
    /** Bytes of a store's documents, on average. */
    storeBytes: storeCount === 0 ? 0 : Math.round(chunkBytes / storeCount),
  };
}

/** Bytes of a release's objects; parts with equal content are one object. */
export function totalBytes({ parts, chunkBytes }: Manifest): number {
  const objects = new Map(Object.values(parts).map(({ hash, bytes }) => [hash, bytes]));
  return [...objects.values()].reduce((sum, bytes) => sum + bytes, chunkBytes);
}
