/** Looks stores up: the page of a list, or one store by its id or slug. Knows nothing of HTTP. */

import type { LoadedRelease, StoredRecords } from '../load/loaded-release.ts';
import type { ReadContext } from '../load/read-context.ts';
import { ID_PATTERN } from '../model/store.ts';
import { PROBLEMS, ProblemError } from '../problem.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { CHUNKS_PART } from '../snapshot/chunk-table.ts';
import { IDS_PART } from '../snapshot/id-table.ts';
import type { Part } from '../snapshot/part.ts';
import { RecordReader } from '../snapshot/record-reader.ts';
import { SLUGS_PART } from '../snapshot/slug-table.ts';
import { findStores, type ListMatches, type Matches, partsForList } from './match-stores.ts';
import { type GetQuery, goesByAfter, type ListQuery } from './queries.ts';
import type { Scratch } from './scratch.ts';

/** Moved to one record after another; nothing waits while it is in use. */
const record = new RecordReader();

/** The page of a list, with its records. */
export interface StorePage extends ListMatches {
  readonly records: StoredRecords;
  /** How the next page is asked for; null: there is none, or none of the asked length. */
  readonly next: NextPage | null;
}

/** In the order of ids pages go by `after`, which no publication disturbs; in others by `skip`. */
export type NextPage = { readonly after: string } | { readonly skip: number };

/** The record of one store. */
export interface FoundStore {
  readonly chunk: Chunk;
  /** Number of the record in the chunk. */
  readonly index: number;
}

/** A store, and the location that the query is about. */
export interface LocatedStore extends FoundStore {
  /** Number of the location, 0 is the main one. */
  readonly location: number;
}

/**
 * What `show` makes of the page of a list. It must not wait: the records are in memory until it returns.
 * @throws ProblemError storage_unreachable, SnapshotFormatError
 */
export async function listStores<Shown>(
  release: LoadedRelease,
  query: ListQuery,
  context: ReadContext,
  scratch: Scratch,
  show: (page: StorePage) => Shown,
): Promise<Shown> {
  await release.load(partsForList(query), context);
  const matches = findStores(release, query, scratch);
  using records = await release.records(matches.stores, context);
  return show({ ...matches, records, next: nextPage(matches, records, query) });
}

function nextPage(
  { hasMore }: Matches,
  { chunks, indexes }: StoredRecords,
  query: ListQuery,
): NextPage | null {
  const count = chunks.length;
  if (!hasMore || count === 0) return null;
  if (!goesByAfter(query)) return { skip: query.skip + count };
  record.moveTo(chunks[count - 1] as Chunk, indexes[count - 1] as number);
  return { after: record.id() };
}

/** The index parts that finding a store by its id or slug needs. */
export function partsForStore(idOrSlug: string): Part[] {
  return [namesPart(idOrSlug), CHUNKS_PART];
}

/** The index part that tells which stores may be the one. */
export function namesPart(idOrSlug: string): Part<NameTable> {
  // No slug looks like an id: the compiler refuses it.
  return ID_PATTERN.test(idOrSlug) ? IDS_PART : SLUGS_PART;
}

interface NameTable {
  candidates(idOrSlug: string): number[];
}

/**
 * What `show` makes of the store with this id (in any case) or exactly this slug. It must not wait: the
 * record is in memory until it returns.
 * Rejections: ProblemError store_unknown, rental_point_unknown, storage_unreachable, SnapshotFormatError.
 */
export async function getStore<Shown>(
  release: LoadedRelease,
  idOrSlug: string,
  query: GetQuery,
  context: ReadContext,
  show: (store: LocatedStore) => Shown,
): Promise<Shown> {
  await release.load(partsForStore(idOrSlug), context);
  const stores = release.table(namesPart(idOrSlug)).candidates(idOrSlug);
  using records = await release.records(stores, context);
  const found = storeCalled(idOrSlug, records);
  if (!found) throw new ProblemError('store_unknown', PROBLEMS.store_unknown.help);
  return show(locate(found, query));
}

/** The one of `records`, those of candidates, that has the slug itself, or the id. */
export function storeCalled(
  idOrSlug: string,
  { chunks, indexes }: StoredRecords,
): FoundStore | null {
  for (const [place, index] of indexes.entries()) {
    const chunk = chunks[place] as Chunk;
    record.moveTo(chunk, index);
    if (ID_PATTERN.test(idOrSlug) || record.hasSlug(idOrSlug)) return { chunk, index };
  }
  return null;
}

function locate({ chunk, index }: FoundStore, { rentalPointSlug }: GetQuery): LocatedStore {
  if (rentalPointSlug === null) return { chunk, index, location: 0 };
  record.moveTo(chunk, index);
  const location = record.findRentalPoint(rentalPointSlug);
  if (location !== null) return { chunk, index, location };
  throw new ProblemError('rental_point_unknown', 'The store has no rental point of this slug.');
}

/** The fingerprint of the store's content, 16 hexadecimal digits. */
export function fingerprintOf({ chunk, index }: FoundStore): string {
  record.moveTo(chunk, index);
  return record.fingerprint();
}
