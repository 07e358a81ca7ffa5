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
 *     14      2       1 if slots are u32 because a text is long, 0 if they are u16
 *     16      4       bytes from the start of the record to the slots
 *     20      8       fingerprint: the first 8 bytes of the SHA-256 of the record, these being 0
 *     28      4·28    bounds of the base text: start, then the end of each of the 27 fields
 *     …       4·13·V  variants: start, end and frame of profile, localization, pricing, booking;
 *                     number of the geo text
 *     …       4·G·(4 + 2·(L−1))  geo texts: start, end of its main location, end, frame; then
 *                     start and end of each rental point in it
 *     …       4·7·(L−1)  rental points: start of rentalPointSlug, its end, then the ends of lat,
 *                     lng, address, addressComponents; frame of addressComponents
 *     …               slots, padded to a multiple of 4 (see frame-layout.ts): first the frames of
 *                     the fields of the base text that no variant replaces, then all others
 *     …               the texts, UTF-8
 *
 * Numbers are little-endian; offsets count bytes from the start of the record, which lies on a
 * multiple of 4 in its chunk; frames are numbers of slots. The text of a field is `"key":value` with
 * the `{` or `,` before it; the base text ends with `}` after its last field. A field that the base
 * text lacks is empty. When L is 0, locations are null in every answer and there are no geo texts:
 * the geo field of the base text serves all variants.
 */
import { LANGUAGES } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import { childNode, FIELD_FRAMES, type FrameLayout } from './frame-layout.ts';
import { FINGERPRINT_BYTES } from './store-columns.ts';

/** Bytes of a word; headers are made of words. */
export const WORD = Uint32Array.BYTES_PER_ELEMENT;

const LANGUAGE_SLOTS = LANGUAGES.length + 1;

export const VARIANT_COUNT_BYTE = LANGUAGE_SLOTS;
export const LOCATION_COUNT_BYTE = VARIANT_COUNT_BYTE + 1;
export const GEO_COUNT_BYTE = LOCATION_COUNT_BYTE + 2;
export const WIDE_BYTE = GEO_COUNT_BYTE + 2;
export const SLOTS_WORD = (WIDE_BYTE + 2) / WORD;
export const FINGERPRINT_BYTE = (SLOTS_WORD + 1) * WORD;
export const BOUNDS_WORD = (FINGERPRINT_BYTE + FINGERPRINT_BYTES) / WORD;
export const VARIANTS_WORD = BOUNDS_WORD + 1 + STORE_FIELDS.length;

/** Fields that depend on the language alone, in the order of a variant's bounds. */
export const VARIANT_FIELDS = ['profile', 'localization', 'pricing', 'booking'] as const;
/** Fields that depend on the location alone and follow each other in a rental point's text. */
export const LOCATION_FIELDS = ['lat', 'lng', 'address', 'addressComponents'] as const;

export type VariantField = (typeof VARIANT_FIELDS)[number];
export type LocationField = (typeof LOCATION_FIELDS)[number];

/** Words of a variant's field: start, end, frame. */
export const VARIANT_FIELD_WORDS = 3;
export const VARIANT_WORDS = VARIANT_FIELD_WORDS * VARIANT_FIELDS.length + 1;
/** Words of a geo text before those of its rental points, two each. */
export const GEO_FIXED_WORDS = 4;
export const RENTAL_POINT_WORDS = 2 + LOCATION_FIELDS.length + 1;

/** The slot at which the frame of each field of the base text starts that no variant replaces. */
export const BASE_FRAMES: ReadonlyMap<StoreField, number> = layBaseFrames();

function layBaseFrames(): Map<StoreField, number> {
  const frames = new Map<StoreField, number>();
  let slot = 0;
  for (const field of STORE_FIELDS) {
    const layout = FIELD_FRAMES[field];
    const isReplaced = field === 'geo' || VARIANT_FIELDS.some((name) => name === field);
    if (!layout || isReplaced) continue;
    frames.set(field, slot);
    slot += layout.slots;
  }
  return frames;
}

const geoNodes = (FIELD_FRAMES.geo as FrameLayout).nodes;

/** The queried location inside the geo field; its values come first in the frame of the field. */
export const LOCATION_NODE = childNode(geoNodes, 'location');
/** The rental points inside the geo field; the frame of each is that of a location. */
export const LOCATIONS_NODE = childNode(geoNodes, 'locations');
