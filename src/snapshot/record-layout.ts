/**
 * A record: one store's answers in every language and for every location, as ready JSON text.
 *
 * The *base text* is the whole answer in the default variant for the main location. Other answers
 * are the base text with some of its fields replaced. A *variant* is one language really used; a
 * *location* is 0 for the main one, 1… for the rental points.
 *
 *     offset  size    what
 *     0       9       variant for a request in each of the eight languages, and without one
 *     9       1       number of variants, V
 *     10      2       number of locations, L; 0 when the address is hidden
 *     12      2       number of distinct geo texts, G; 0 when the address is hidden
 *     14      2       zero
 *     16      4·28    bounds of the base text: start, then the end of each of the 27 fields
 *     …       4·9·V   variants: start and end of profile, localization, pricing, booking; geo text
 *     …       4·G·(3 + 2·(L−1))  geo texts: start, end of its main location, end; then start and
 *                     end of each rental point in it
 *     …       4·6·(L−1)  rental points: start of rentalPointSlug, its end, then the ends of lat,
 *                     lng, address, addressComponents
 *     …               the texts, UTF-8
 *
 * Numbers are little-endian; offsets count bytes from the start of the record, which lies on a
 * multiple of 4 in its chunk. The text of a field is `"key":value` with the `{` or `,` before it;
 * the base text ends with `}` after its last field. A field that the base text lacks is empty.
 * When L is 0, locations are null in every answer and there are no geo texts: the geo field of
 * the base text serves all variants.
 */
import { LANGUAGES } from '../model/enumerations.ts';
import { STORE_FIELDS } from '../model/store.ts';

/** Bytes of a word; headers are made of words. */
export const WORD = Uint32Array.BYTES_PER_ELEMENT;

const LANGUAGE_SLOTS = LANGUAGES.length + 1;

export const VARIANT_COUNT_BYTE = LANGUAGE_SLOTS;
export const LOCATION_COUNT_BYTE = VARIANT_COUNT_BYTE + 1;
export const GEO_COUNT_BYTE = LOCATION_COUNT_BYTE + 2;
export const BOUNDS_WORD = (GEO_COUNT_BYTE + 2 /* geo count */ + 2) /* zero */ / WORD;
export const VARIANTS_WORD = BOUNDS_WORD + 1 + STORE_FIELDS.length;

/** Fields that depend on the language alone, in the order of a variant's bounds. */
export const VARIANT_FIELDS = ['profile', 'localization', 'pricing', 'booking'] as const;
/** Fields that depend on the location alone and follow each other in a rental point's text. */
export const LOCATION_FIELDS = ['lat', 'lng', 'address', 'addressComponents'] as const;

export type VariantField = (typeof VARIANT_FIELDS)[number];

export const VARIANT_WORDS = 2 * VARIANT_FIELDS.length + 1;
/** Words of a geo text before those of its rental points, two each. */
export const GEO_FIXED_WORDS = 3;
export const RENTAL_POINT_WORDS = 2 + LOCATION_FIELDS.length;
