/** The sizes of a release: its index parts, its chunks, the stores in them. */
import type { ChunkTable } from '../../src/snapshot/chunk-table.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';

export type ReleaseSizes = ReturnType<typeof measureRelease>;
export type Distribution = ReturnType<typeof distribution>;

export function measureRelease(manifest: Manifest, chunks: ChunkTable) {
  const parts = Object.entries(manifest.parts).map(([name, { bytes }]) => [name, bytes] as const);
  const partBytes = bytesOfParts(manifest);
  const { chunkBytes, storeCount } = manifest;
  return {
    /** Bytes by name of the part, the largest first. */
    parts: Object.fromEntries(parts.sort(([, a], [, b]) => b - a)),
    partBytes,
    chunkBytes,
    totalBytes: partBytes + chunkBytes,
    /** Bytes of a store's documents, on average. */
    storeBytes: storeCount === 0 ? 0 : Math.round(chunkBytes / storeCount),
    /** Bytes of chunks. */
    chunks: distribution(chunks.lengths),
    /** How many chunks hold so many stores. */
    chunksByStores: countChunks(chunks),
  };
}

/** Bytes of a release's objects; parts with equal content are one object. */
export function totalBytes(manifest: Manifest): number {
  return bytesOfParts(manifest) + manifest.chunkBytes;
}

function bytesOfParts({ parts }: Manifest): number {
  const objects = new Map(Object.values(parts).map(({ hash, bytes }) => [hash, bytes]));
  return [...objects.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function distribution(values: Uint32Array) {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    count: sorted.length,
    least: at(0),
    median: at(0.5),
    /** Nine in ten are no larger. */
    ninthDecile: at(0.9),
    most: at(1),
  };
}

function countChunks(table: ChunkTable): Record<number, number> {
  const counts: Record<number, number> = {};
  for (let chunk = 0; chunk < table.chunkCount; chunk++) {
    const stores = table.storesIn(chunk);
    counts[stores] = (counts[stores] ?? 0) + 1;
  }
  return counts;
}
