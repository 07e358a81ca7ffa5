/** What an isolate holds of snapshots within its 128 MiB, and what it lets go. */

import { expect, it } from 'vitest';
import {
  type ChunkRef,
  COLUMN_BYTES,
  type HeldRelease,
  SnapshotMemory,
} from '../../src/load/snapshot-memory.ts';
import { Scratch } from '../../src/query/scratch.ts';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { FORMAT_VERSION, objectKey } from '../../src/snapshot/keys.ts';
import { objectHash } from '../../src/snapshot/manifest.ts';
import { GENERATION, TestContext } from '../support/stores/memory-snapshot.ts';
import { writeChunk } from '../support/stores/snapshot-parts.ts';
import { WatchedStorage } from '../support/watched-storage.ts';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 500 * 1024;

/** Memory that has read chunks of so many MiB, one record each. */
async function openFull(mib: number) {
  const { values, source } = new WatchedStorage();
  const refs = new Map<string, ChunkRef>();
  for (let number = 0; (number + 1) * CHUNK_BYTES <= mib * MIB; number++) {
    const record = new Uint8Array(CHUNK_BYTES - 8);
    new DataView(record.buffer).setUint32(0, number);
    const chunk = writeChunk([record]);
    const hash = await objectHash(chunk);
    values.set(objectKey(GENERATION, hash), chunk);
    refs.set(hash, { what: 'chunk', generation: GENERATION, hash, bytes: chunk.length, stores: 1 });
  }
  const memory = new SnapshotMemory(source);
  // One after the other: no deadline ends because the machine is busy.
  for (const ref of refs) await memory.loadChunks(new Map([ref]), new TestContext());
  /** The MiB of chunks that are left, rounded up. */
  const heldMib = () => {
    const held = [...refs.keys()].filter((hash) => memory.heldChunk(hash));
    return Math.ceil((held.length * CHUNK_BYTES) / MIB);
  };
  return {
    memory,
    heldMib,

    /** Holds releases from now on. @returns the MiB of chunks that are left beside them, rounded up */
    hold(...releases: readonly HeldRelease[]): number {
      memory.hold(...releases);
      return heldMib();
    },

    /** A release that weighs so much, none of which is read; parts of one name are the same in all releases. */
    releaseOf(
      id: number,
      partMib: Readonly<Record<string, number>>,
      { chunkMib = 0, storeCount = 0 } = {},
    ): HeldRelease {
      const parts = Object.entries({ [CHUNKS_PART.name]: 0, ...partMib }).map(([name, mib]) => {
        return [name, { hash: name.padEnd(32, '0'), bytes: mib * MIB }] as const;
      });
      const manifest: HeldRelease['manifest'] = {
        format: FORMAT_VERSION,
        release: `${id}`,
        storeCount,
        locationCount: 0,
        chunkCount: 0,
        chunkBytes: chunkMib * MIB,
        parts: Object.fromEntries(parts),
      };
      return { manifest, heldTable: () => undefined };
    },
  };
}

it('chunks have what the index leaves, and go when a heavier release is held', async () => {
  const isolate = await openFull(40);
  expect(isolate.heldMib()).toBe(40);
  // 128 less 76 for the heap, 12 for what is on its way, 16 for the parts and 4 for orders.
  expect(isolate.hold(isolate.releaseOf(1, { ids: 16 }))).toBe(20);
  expect(isolate.hold(isolate.releaseOf(1, { ids: 50 }))).toBe(0);
});

it('chunks leave room for the columns of queries, which all releases share', async () => {
  const isolate = await openFull(40);
  // 41 bytes a store: 5 MiB of 20.
  const storeCount = Math.floor((5 * MIB) / 41);
  const releases = [1, 2].map((id) => isolate.releaseOf(id, { ids: 16 }, { storeCount }));
  expect(isolate.hold(...releases)).toBe(15);
});

it('chunks of a release that does not fit have half of that room', async () => {
  const isolate = await openFull(40);
  expect(isolate.hold(isolate.releaseOf(1, { ids: 16 }, { chunkMib: 20 }))).toBe(20);
  expect(isolate.hold(isolate.releaseOf(1, { ids: 16 }, { chunkMib: 21 }))).toBe(10);
  // What is set aside is taken as a whole: both together are no more than before.
  isolate.memory.setAside(4 * MIB);
  expect(isolate.heldMib()).toBe(6);
});

it('what two releases share counts once, and a release that is live again', async () => {
  const isolate = await openFull(20);
  const { releaseOf } = isolate;
  const parts = { ids: 10 };
  expect(isolate.hold(releaseOf(1, parts), releaseOf(2, { ...parts, slugs: 4 }))).toBe(20);
  expect(isolate.hold(...[1, 2, 1].map((id) => releaseOf(id, parts)))).toBe(20);
  expect(isolate.hold(releaseOf(1, parts), releaseOf(2, { slugs: 20 }))).toBeLessThan(20);
});

it('leaves room for every column that queries fill', () => {
  const widths = Object.values(new Scratch()).map(({ room }) => room(1).BYTES_PER_ELEMENT);
  expect(widths.reduce((sum, bytes) => sum + bytes)).toBe(COLUMN_BYTES);
});
