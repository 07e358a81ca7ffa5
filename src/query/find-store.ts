/** Finds one store by its id or slug. */
import type { StoredRecords } from '../load/loaded-release.ts';
import { PROBLEMS, ProblemError } from '../model/problem.ts';
import { ID_PATTERN } from '../model/store.ts';
import { CHUNKS_PART, type Chunk } from '../snapshot/chunks.ts';
import type { Part } from '../snapshot/column-file.ts';
import { HOURS_PART } from '../snapshot/hours-table.ts';
import { IDS_PART } from '../snapshot/id-table.ts';
import { RecordReader } from '../snapshot/record.ts';
import { SLUGS_PART } from '../snapshot/slug-table.ts';

/** One store, by where its record is. */
export type FoundStore = NonNullable<ReturnType<typeof storeCalled>>;

/** Returns the index part that says which stores may be the one. */
export function namesPart(idOrSlug: string) {
  // No slug looks like an id: the compiler refuses it.
  return ID_PATTERN.test(idOrSlug) ? IDS_PART : SLUGS_PART;
}

/**
 * Returns the index parts that a store is found and shown by.
 * @param at null: `opening` is not shown
 */
export function partsForStore(idOrSlug: string, at: number | null): Part[] {
  const parts = [namesPart(idOrSlug), CHUNKS_PART];
  return at === null ? parts : [...parts, HOURS_PART];
}

/**
 * Returns the store with this id (in any case) or exactly this slug, and its main location.
 * @param records of all candidates
 */
export function storeCalled(idOrSlug: string, { chunks, indexes }: StoredRecords) {
  const record = new RecordReader();
  for (const [position, index] of indexes.entries()) {
    const chunk = chunks[position] as Chunk;
    record.moveTo(chunk, index);
    if (ID_PATTERN.test(idOrSlug) || record.hasSlug(idOrSlug)) {
      return {
        chunk,
        /** Index of the record in the chunk. */
        index,
        /** Position of the store among the candidates. */
        position,
        /** Names the content of the store: 16 hexadecimal digits. */
        fingerprint: record.fingerprint(),
        /** Index of the queried location, 0 is the main one. */
        location: 0,
      };
    }
  }
  return null;
}

/**
 * Returns the store with this id or slug, and its queried location.
 * @param rentalPointSlug null: the main location
 * @throws ProblemError store_unknown, rental_point_unknown
 */
export function locateStore(
  idOrSlug: string,
  rentalPointSlug: string | null,
  records: StoredRecords,
): FoundStore {
  const found = storeCalled(idOrSlug, records);
  if (!found) throw new ProblemError('store_unknown', PROBLEMS.store_unknown.help);
  if (rentalPointSlug === null) return found;
  const record = new RecordReader();
  record.moveTo(found.chunk, found.index);
  const location = record.findRentalPoint(rentalPointSlug);
  if (location !== null) return { ...found, location };
  throw new ProblemError('rental_point_unknown', 'The store has no rental point of this slug.');
}
