/** Memory of dropped chunks: given back as soon as no page can show them, and never before. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../../fixtures/generator/random.ts';
import { generateStores } from '../../fixtures/generator/store.ts';
import { DroppedChunks } from '../../src/load/dropped-chunks.ts';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { Chunk } from '../../src/snapshot/chunk.ts';
import { CHUNKS_PART, type Manifest } from '../../src/snapshot/manifest.ts';
import { RecordReader } from '../../src/snapshot/record-reader.ts';
import { MemorySource, TestBackground } from '../shared/memory-snapshot.ts';
import { writeChunk } from './snapshot-parts.ts';

const newChunk = () => new Chunk(writeChunk([new Uint8Array(8)]).buffer as ArrayBuffer, 1);

describe('a dropped chunk', () => {
  let dropped: DroppedChunks;
  let chunk: Chunk;

  beforeEach(() => {
    dropped = new DroppedChunks();
    chunk = newChunk();
  });

  afterEach(() => void vi.useRealTimers());

  it('is given back at once where no page needs it', () => {
    dropped.endPage(dropped.beginPage(['a']));
    dropped.beginPage(['b']);
    dropped.drop(chunk, 'a');
    expect(chunk.isGone).toBe(true);
  });

  it('stays until the last page has ended that needs it', () => {
    const pages = [dropped.beginPage(['a']), dropped.beginPage(['b', 'a'])] as const;
    dropped.drop(chunk, 'a');
    dropped.endPage(pages[1]);
    dropped.endPage(pages[1]);
    expect(chunk.isGone).toBe(false);
    dropped.endPage(pages[0]);
    expect(chunk.isGone).toBe(true);
  });

  it('stays for a page that came later', () => {
    const first = dropped.beginPage(['a']);
    dropped.drop(chunk, 'a');
    const second = dropped.beginPage(['a']);
    dropped.endPage(first);
    expect(chunk.isGone).toBe(false);
    dropped.endPage(second);
    expect(chunk.isGone).toBe(true);
  });

  it('is left to the collector where a page never ends, and others are given back again', () => {
    vi.useFakeTimers();
    dropped.beginPage(['a']);
    dropped.drop(chunk, 'a');
    vi.setSystemTime(Date.now() + 10_001);
    const later = dropped.beginPage(['b']);
    const other = newChunk();
    dropped.drop(other, 'b');
    dropped.endPage(later);
    expect(chunk.isGone).toBe(false);
    expect(other.isGone).toBe(true);
    const again = newChunk();
    dropped.drop(again, 'a');
    expect(again.isGone).toBe(true);
  });

  it('is refused by the reader of records once it is gone', () => {
    chunk.giveBack();
    expect(() => new RecordReader().moveTo(chunk, 0)).toThrow('memory of a chunk was given back');
  });
});

/** Reads take a while, each another one. */
class SlowSource extends MemorySource {
  private readonly random: Random;

  constructor(random: Random) {
    super();
    this.random = random;
  }

  override async readObjects(...args: Parameters<MemorySource['readObjects']>) {
    await wait(4 * this.random.fraction());
    return super.readObjects(...args);
  }
}

const MIB = 1024 * 1024;
const STORES = [...generateStores(60, { seed: 5, languages: 2 })].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);

/** Leaves room for so many bytes of chunks. */
function squeeze(memory: SnapshotMemory, manifest: Manifest, room: number): void {
  const parts = { ids: { hash: '0'.repeat(32), bytes: 40 * MIB - room } };
  const heavy = { ...manifest, locationCount: 0, chunkBytes: 0, parts };
  const publishedAt = '2026-01-01T00:00:00Z';
  memory.hold([new LoadedRelease({ number: 1, manifest: heavy, publishedAt }, memory)]);
}

describe('pages', () => {
  it.each([0, 40_000, 200_000])(
    'show the right stores while others push their chunks out of %i bytes',
    async (room) => {
      const random = new Random(room, 0);
      const source = new SlowSource(random);
      const manifest = await source.publish(STORES, '2026-01-01T00:00:00Z');
      const memory = new SnapshotMemory(source);
      squeeze(memory, manifest, room);
      const live = { number: 2, manifest, publishedAt: '2026-01-01T00:00:00Z' };
      const release = new LoadedRelease(live, memory);
      const background = () => new TestBackground();
      await release.load([CHUNKS_PART], background());
      const seen = new Set<Chunk>();
      const ask = async () => {
        for (let page = 0; page < 25; page++) {
          const stores = Array.from({ length: 6 }, () => random.integer(0, STORES.length - 1));
          const { chunks, indexes, end } = await release.records(stores, background());
          const reader = new RecordReader();
          stores.forEach((store, place) => {
            const chunk = chunks[place] as Chunk;
            seen.add(chunk);
            reader.moveTo(chunk, indexes[place] as number);
            expect(reader.hasSlug(STORES[store]?.slug ?? '')).toBe(true);
          });
          end();
        }
      };
      await Promise.all(Array.from({ length: 12 }, ask));
      const held = [...seen].filter(({ isGone }) => !isGone);
      const bytes = held.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
      expect(bytes).toBeLessThanOrEqual(room);
      expect(seen.size).toBeGreaterThan(2 * manifest.chunkCount);
    },
  );
});
