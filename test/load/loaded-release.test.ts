/** What a release reads when: tables of its parts, and the records of a page, whatever memory drops meanwhile. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { LoadedRelease, type StoredRecords } from '../../src/load/loaded-release.ts';
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import type { Part } from '../../src/snapshot/column-file.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { rankPart } from '../../src/snapshot/rank-column.ts';
import { RecordReader } from '../../src/snapshot/record.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import type { WatchedStorage } from '../support/watched-storage.ts';
import { HeldRelease } from './support/held-release.ts';

const STORES = [...generateStores(40, { seed: 4, languages: 1 })];
const SLUGS = STORES.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ slug }) => slug);

let isolate: HeldRelease;
let storage: WatchedStorage;
let manifest: PublishedManifest;
let release: LoadedRelease;

beforeEach(async () => {
  isolate = new HeldRelease();
  storage = isolate.source;
  manifest = await isolate.publish(STORES);
  release = await isolate.current();
  await isolate.load([CHUNKS_PART]);
  storage.reads.length = 0;
});

const releaseOf = (manifest: PublishedManifest) =>
  new LoadedRelease({ ...isolate.pointer, manifest }, isolate.holder.memory);

/** Leaves no room for chunks. */
function shrink(): void {
  const parts = { ids: { hash: '0'.repeat(32), bytes: 90 * 2 ** 20 } };
  isolate.holder.memory.hold(releaseOf({ ...manifest, release: '0'.repeat(16), parts }));
}

/** Fails unless these are the records of `stores`. */
function expectRecords({ chunks, indexes }: StoredRecords, stores: readonly number[]): void {
  const record = new RecordReader();
  const found = stores.map((store, position) => {
    record.moveTo(chunks[position] as never, indexes[position] as number);
    return record.hasSlug(SLUGS[store] as string);
  });
  expect(found).toEqual(stores.map(() => true));
}

/** Shows a page of `stores`, and fails unless these are on it. */
async function checkPage(stores: readonly number[]): Promise<void> {
  using records = await release.records(stores, isolate);
  expectRecords(records, stores);
}

/** A store of each of the first two chunks. */
const twoChunks = (): [number, number] => [0, release.chunkTable.firsts[1] as number];

describe('a page', () => {
  it('is whole although there is room for none of it', async () => {
    shrink();
    const stores = STORES.map((_, store) => store);
    for (let time = 0; time < 2; time++) {
      storage.reads.length = 0;
      await checkPage(stores);
      expect(storage.reads).toHaveLength(release.chunkTable.chunkCount);
    }
  });

  it('keeps what was in memory, although it is dropped while the rest is read', async () => {
    const [first, second] = twoChunks();
    await checkPage([first]);
    storage.reads.length = 0;
    storage.begin({ hangs: true });
    const checked = checkPage([first, second]);
    await storage.waitForReads(1);
    shrink();
    storage.letGo();
    await checked;
    expect(storage.reads).toMatchObject([
      { key: objectKey(GENERATION, release.chunkTable.hash(1)) },
    ]);
  });

  it('leaves its chunks to another page that waits for one of them', async () => {
    shrink();
    const [first, second] = twoChunks();
    storage.begin({ hangs: true });
    const asked = release.records([first], isolate);
    const both = checkPage([first, second]);
    const reads = await storage.waitForReads(2);
    reads[0]?.finish();
    const one = await asked;
    one[Symbol.dispose]();
    expectRecords(one, [first]);
    storage.letGo();
    await both;
    expect(one.chunks[0]?.bytes.length).toBe(0);
  });

  it('whose request was ended gives its chunks back ten seconds later, when the next one comes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    shrink();
    const [first, second] = twoChunks();
    const { chunks } = await release.records([first], isolate);
    vi.advanceTimersByTime(9_999);
    await checkPage([second]);
    expect(chunks[0]?.bytes.length).toBeGreaterThan(0);
    vi.advanceTimersByTime(1);
    await checkPage([second]);
    expect(chunks[0]?.bytes.length).toBe(0);
    vi.useRealTimers();
  });

  it('of which a read fails holds nothing any more', async () => {
    shrink();
    const stores = twoChunks();
    storage.begin({ fails: true });
    await expect(release.records(stores, isolate)).rejects.toThrow();
    storage.end();
    const other = await release.records(stores, isolate);
    other[Symbol.dispose]();
    expect(other.chunks.map(({ bytes }) => bytes.length)).toEqual([0, 0]);
  });
});

describe('the parts of a query', () => {
  /** The release, in which a part has the bytes of another one. */
  function twinOf(part: Part, other: Part): LoadedRelease {
    const parts = { ...manifest.parts, [other.name]: manifest.parts[part.name] };
    return releaseOf({ ...manifest, parts } as PublishedManifest);
  }

  it('that have the same bytes are read once, and are both there', async () => {
    const [one, other] = [rankPart('name', 'fr'), rankPart('name', 'de')];
    const twin = twinOf(one, other);
    await twin.load([one, other], isolate);
    expect(twin.table(one)).toBe(twin.table(other));
    expect(storage.reads).toHaveLength(1);
  });

  it('that have the same bytes are tables of their own where they are of different kinds', async () => {
    const [verticales, zone] = [setsPart('verticales'), rankPart('timezone', null)];
    const twin = twinOf(verticales, zone);
    // A column of ranks has another form: the load has to fail, not to give one for the other.
    await expect(twin.load([verticales, zone], isolate)).rejects.toThrow();
    expect(twin.table(verticales).sets).toHaveLength(STORES.length);
  });

  it('are an error where the release has no such part', async () => {
    const { [IDS_PART.name]: _, ...parts } = manifest.parts;
    const load = releaseOf({ ...manifest, parts }).load([IDS_PART], isolate);
    await expect(load).rejects.toThrow(`no part ${IDS_PART.name}`);
  });
});
