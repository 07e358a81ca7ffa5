/** Names of the index parts in a manifest. The Worker reads each when a request first needs it. */
import type { Language } from '../model/enumerations.ts';
import type { SortColumn } from '../model/sort-fields.ts';

export const CHUNKS_PART = 'chunks';
export const VERTICALES_PART = 'verticales';
export const IDS_PART = 'ids';
export const SLUGS_PART = 'slugs';
export const PLACES_PART = 'places';
/** For tools alone. */
export const SLUG_TEXTS_PART = 'slug-texts';
/** For comparing releases. */
export const FINGERPRINTS_PART = 'fingerprints';

/** Sort columns that have a part of their own: ordinals follow ids, distances belong to a request. */
export type RankedColumn = Exclude<SortColumn, 'id' | 'distance'>;

/** The part that ranks `column`; names are ranked once per language (null: root collation). */
export function rankPart(column: RankedColumn, language: Language | null): string {
  return column === 'name' ? `rank/name/${language ?? 'root'}` : `rank/${column}`;
}
