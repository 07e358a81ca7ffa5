/** What an isolate holds of snapshots within its 128 MiB, and what it lets go. */

import { describe, expect, it } from 'vitest';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { type ChunkRef, SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { FORMAT_VERSION, objectKey } from '../../src/snapshot/keys.ts';
import { objectHash, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import { HeldSource } from '../support/held-source.ts';
import { GENERATION, TestContext } from '../support/stores/memory-snapshot.ts';
import { writeChunk } from '../support/stores/snapshot-parts.ts';

const MIB = 1024 * 1024;

/** Memory with nothing in it, and storage with chunks of one record each, of so many bytes. */
async function openWith(count: number, bytes: number) {
  const source = new HeldSource();
  const refs: ChunkRef[] = [];
  for (let number = 0; number < count; number++) {
    const record = new Uint8Array(bytes - 8);
    new DataView(record.buffer).setUint32(0, number);
    const chunk = writeChunk([record]);
    const hash = await objectHash(chunk);
    source.values.set(objectKey(GENERATION, hash), chunk);
    refs.push({ what: 'chunk', generation: GENERATION, hash, bytes: chunk.length, stores: 1 });
  }
  return { memory: new SnapshotMemory(source), refs };
}

/** A release that weighs so many bytes, none of which is read. */
function releaseOf(
  memory: SnapshotMemory,
  id: number,
  parts: Readonly<Record<string, number>>,
  locationCount = 0,
  chunkBytes = 0,
  storeCount = 0,
): LoadedRelease {
  const refs = Object.entries({ [CHUNKS_PART.name]: 0, ...parts }).map(([name, bytes]) => {
    // Parts of the same name are the same in all releases.
    return [name, { hash: name.padEnd(32, '0'), bytes }] as const;
  });
  const manifest: PublishedManifest = {
    format: FORMAT_VERSION,
    release: String(id).padStart(16, '0'),
    generation: GENERATION,
    storeCount,
    locationCount,
    chunkCount: 0,
    chunkBytes,
    parts: Object.fromEntries(refs),
  };
  return new LoadedRelease({ number: 1, manifest, publishedAt: '2026-01-01T00:00:00Z' }, memory);
}

async function read(memory: SnapshotMemory, refs: readonly ChunkRef[]): Promise<void> {
  for (let at = 0; at < refs.length; at += 50) {
    const page = new Map(refs.slice(at, at + 50).map((ref) => [ref.hash, ref]));
    await memory.loadChunks(page, new TestContext());
  }
}

const heldOf = (memory: SnapshotMemory, refs: readonly ChunkRef[]) =>
  refs.filter(({ hash }) => memory.heldChunk(hash));

const bytesOf = (refs: readonly ChunkRef[]) => refs.reduce((sum, { bytes }) => sum + bytes, 0);

/** As the index of 2,500 stores in eight languages has it, with room. */
const NETWORK = { ids: 0.3 * MIB, places: 0.3 * MIB, ranks: 0.4 * MIB };

describe('a network of 2,500 stores', () => {
  it('stays whole once it was asked for, beside the release before', async () => {
    const { memory, refs } = await openWith(770, 50 * 1024);
    expect(bytesOf(refs)).toBeGreaterThan(37 * MIB);
    memory.hold(releaseOf(memory, 1, NETWORK, 4_000), releaseOf(memory, 2, NETWORK, 4_000));
    await read(memory, refs);
    expect(heldOf(memory, refs)).toHaveLength(refs.length);
  });
});

describe('the budget', () => {
  it('is what the index leaves: chunks go when a heavier release is held', async () => {
    const { memory, refs } = await openWith(80, 500 * 1024);
    await read(memory, refs);
    expect(heldOf(memory, refs)).toHaveLength(refs.length);
    memory.hold(releaseOf(memory, 1, { ids: 16 * MIB }));
    // 128 less 76 for the heap, 12 for what is on its way, 16 for the parts and 4 for orders.
    expect(bytesOf(heldOf(memory, refs))).toBeLessThanOrEqual(20 * MIB);
    expect(bytesOf(heldOf(memory, refs))).toBeGreaterThan(19 * MIB);
    memory.hold(releaseOf(memory, 1, { ids: 50 * MIB }));
    expect(heldOf(memory, refs)).toEqual([]);
  });

  it('leaves room for the columns of queries, which all releases share', async () => {
    const { memory, refs } = await openWith(80, 500 * 1024);
    await read(memory, refs);
    // 41 bytes a store: 5 MiB of 20.
    const stores = Math.floor((5 * MIB) / 41);
    memory.hold(...[1, 2].map((id) => releaseOf(memory, id, { ids: 16 * MIB }, 0, 0, stores)));
    expect(bytesOf(heldOf(memory, refs))).toBeLessThanOrEqual(15 * MIB);
    expect(bytesOf(heldOf(memory, refs))).toBeGreaterThan(14 * MIB);
  });

  it('is half of that for a release that does not fit', async () => {
    const { memory, refs } = await openWith(80, 500 * 1024);
    await read(memory, refs);
    memory.hold(releaseOf(memory, 1, { ids: 16 * MIB }, 0, 20 * MIB));
    expect(bytesOf(heldOf(memory, refs))).toBeGreaterThan(19 * MIB);
    memory.hold(releaseOf(memory, 1, { ids: 16 * MIB }, 0, 21 * MIB));
    expect(bytesOf(heldOf(memory, refs))).toBeLessThanOrEqual(10 * MIB);
    expect(bytesOf(heldOf(memory, refs))).toBeGreaterThan(9 * MIB);
    // What is set aside is taken as a whole: both together are no more than before.
    memory.setAside(4 * MIB);
    expect(bytesOf(heldOf(memory, refs))).toBeLessThanOrEqual(6 * MIB);
    expect(bytesOf(heldOf(memory, refs))).toBeGreaterThan(5 * MIB);
  });

  it('counts once what two releases share, and a release that is live again', async () => {
    const { memory, refs } = await openWith(40, 500 * 1024);
    await read(memory, refs);
    const parts = { ids: 10 * MIB };
    memory.hold(releaseOf(memory, 1, parts), releaseOf(memory, 2, { ...parts, slugs: 4 * MIB }));
    expect(heldOf(memory, refs)).toHaveLength(refs.length);
    const again = [1, 2, 1].map((id) => releaseOf(memory, id, parts));
    memory.hold(...again);
    expect(heldOf(memory, refs)).toHaveLength(refs.length);
    memory.hold(releaseOf(memory, 1, parts), releaseOf(memory, 2, { slugs: 20 * MIB }));
    expect(heldOf(memory, refs).length).toBeLessThan(refs.length);
  });
});
