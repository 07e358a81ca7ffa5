/** Looks single stores up by their id or slug. */

import type { Background } from '../load/background.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ID_PATTERN } from '../model/store.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { CHUNKS_PART, IDS_PART, SLUGS_PART } from '../snapshot/manifest.ts';
import { RecordReader } from '../snapshot/record-reader.ts';

/** The record of one store. */
export interface FoundStore {
  readonly chunk: Chunk;
  /** Number of the record in the chunk. */
  readonly index: number;
}

/** A record that may be used until `end` is called, which has to be. */
export interface BorrowedStore extends FoundStore {
  readonly end: () => void;
}

/** Moved to one record after another; nothing waits while it is in use. */
const record = new RecordReader();

/** The index parts that finding a store by its id or slug needs. */
export function partsForStore(idOrSlug: string): string[] {
  // No slug looks like an id: the compiler refuses it.
  return [ID_PATTERN.test(idOrSlug) ? IDS_PART : SLUGS_PART, CHUNKS_PART];
}

/**
 * The store with this id (in any case) or exactly this slug, or null.
 * @throws ProblemError storage_unreachable, SnapshotFormatError
 */
export async function findStore(
  release: LoadedRelease,
  idOrSlug: string,
  background: Background,
): Promise<BorrowedStore | null> {
  const loading = release.load(partsForStore(idOrSlug), background);
  if (loading) await loading;
  if (!ID_PATTERN.test(idOrSlug)) return findBySlug(release, idOrSlug, background);
  const store = release.ids.find(idOrSlug);
  return store === null ? null : readStore(release, store, background);
}

/** The table of slugs knows hashes; the record says whether its slug is the one. */
async function findBySlug(
  release: LoadedRelease,
  slug: string,
  background: Background,
): Promise<BorrowedStore | null> {
  for (const candidate of release.slugs.candidates(slug)) {
    const found = await readStore(release, candidate, background);
    record.moveTo(found.chunk, found.index);
    if (record.hasSlug(slug)) return found;
    found.end();
  }
  return null;
}

async function readStore(
  release: LoadedRelease,
  store: number,
  background: Background,
): Promise<BorrowedStore> {
  const records = release.records([store], background);
  const { chunks, indexes, end } = records instanceof Promise ? await records : records;
  return { chunk: chunks[0] as Chunk, index: indexes[0] as number, end };
}

/** The number of the store's rental point with this slug (1…), or null. */
export function findRentalPoint({ chunk, index }: FoundStore, slug: string): number | null {
  record.moveTo(chunk, index);
  return record.findRentalPoint(slug);
}

/** The id of a store as it is written. */
export function idOf({ chunk, index }: FoundStore): string {
  record.moveTo(chunk, index);
  return record.id();
}

/** The fingerprint of the store's content, 16 hexadecimal digits. */
export function fingerprintOf({ chunk, index }: FoundStore): string {
  record.moveTo(chunk, index);
  return record.fingerprint();
}
