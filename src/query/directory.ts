/** Looks single stores up by their id or slug. */

import type { Background } from '../load/background.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { StoredRecords } from '../load/stored-records.ts';
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
 * The store with this id (in any case) or exactly this slug, if memory has its record. Null: storage
 * has to be asked, or there is no such store; `findStore` tells which. The chunk is not borrowed: use
 * it before anything is awaited.
 */
export function heldStore(release: LoadedRelease, idOrSlug: string): FoundStore | null {
  if (!release.holds(partsForStore(idOrSlug))) return null;
  for (const store of candidates(release, idOrSlug)) {
    const records = release.heldRecords([store]);
    if (records === null) return null;
    const found = onlyRecord(records);
    if (isCalled(found, idOrSlug)) return found;
  }
  return null;
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
  await release.load(partsForStore(idOrSlug), background);
  for (const store of candidates(release, idOrSlug)) {
    const records = await release.records([store], background);
    const found = { ...onlyRecord(records), end: records.end };
    let isFound = false;
    try {
      isFound = isCalled(found, idOrSlug);
    } finally {
      if (!isFound) found.end();
    }
    if (isFound) return found;
  }
  return null;
}

/** Stores that may be the one. The table of slugs knows hashes: several slugs may have the same. */
function candidates(release: LoadedRelease, idOrSlug: string): number[] {
  if (!ID_PATTERN.test(idOrSlug)) return release.slugs.candidates(idOrSlug);
  const store = release.ids.find(idOrSlug);
  return store === null ? [] : [store];
}

function onlyRecord({ chunks, indexes }: StoredRecords): FoundStore {
  return { chunk: chunks[0] as Chunk, index: indexes[0] as number };
}

/** Whether the candidate is the store: its record has the slug itself. */
function isCalled({ chunk, index }: FoundStore, idOrSlug: string): boolean {
  if (ID_PATTERN.test(idOrSlug)) return true;
  record.moveTo(chunk, index);
  return record.hasSlug(idOrSlug);
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
