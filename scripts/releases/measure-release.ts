/** The sizes of a release: its index parts, its chunks, the stores in them. */
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';

export interface Distribution {
  readonly count: number;
  readonly least: number;
  readonly median: number;
  /** Nine in ten are no larger. */
  readonly ninthDecile: number;
  readonly most: number;
}

export interface ReleaseSizes {
  /** Bytes by name of the part, the largest first. */
  readonly parts: Readonly<Record<string, number>>;
  readonly partBytes: number;
  readonly chunkBytes: number;
  readonly totalBytes: number;
  /** Bytes of chunks and of records. */
  readonly chunks: Distribution;
  readonly records: Distribution;
  /** How many chunks hold so many stores. */
  readonly chunksByStores: Readonly<Record<number, number>>;
}

export function measureRelease({ manifest, stores }: LoadedRelease): ReleaseSizes {
  const parts = Object.entries(manifest.parts).map(([name, { bytes }]) => [name, bytes] as const);
  const partBytes = bytesOfParts(manifest);
  return {
    parts: Object.fromEntries(parts.sort(([, a], [, b]) => b - a)),
    partBytes,
    chunkBytes: manifest.chunkBytes,
    totalBytes: partBytes + manifest.chunkBytes,
    chunks: distribution(stores.chunkLength),
    records: distribution(stores.recordLength),
    chunksByStores: countChunks(stores.recordChunk, stores.chunkCount),
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

function distribution(values: Uint32Array): Distribution {
  const sorted = values.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    count: sorted.length,
    least: at(0),
    median: at(0.5),
    ninthDecile: at(0.9),
    most: at(1),
  };
}

function countChunks(recordChunk: Uint32Array, chunkCount: number): Record<number, number> {
  const stores = new Uint32Array(chunkCount);
  for (const chunk of recordChunk) stores[chunk] = (stores[chunk] ?? 0) + 1;
  const counts: Record<number, number> = {};
  for (const count of stores) counts[count] = (counts[count] ?? 0) + 1;
  return counts;
}
