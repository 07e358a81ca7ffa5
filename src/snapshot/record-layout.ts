/**
 * A record: one store's answers in every language and for every location, as ready JSON text.
 *
 * The *base text* is the whole answer in the store's default language for the main location. Other
 * answers are the base text with some of its values replaced. A *variant* is one language really
 * used, with a list of *replacements*: descriptions, labels, names. A *location* is 0 for the main
 * one, 1… for the rental points.
 *
 *     offset  size    what
 *     0       N+1     variant for a request in each of the N languages, and without one
 *     …       1       number of variants, V
 *     …       2       number of locations, L; 0 when the address is hidden; starts on a multiple of 2
 *     …       2       1 if slots are u32 because a text is long, 0 if they are u16
 *     …       4       where the slots start; on a multiple of 4 (16 with eight languages), gaps zero
 *     …       4       where the replacements start
 *     …       8       fingerprint: the first 8 bytes of the SHA-256 of all answers of the store
 *                     (`scripts/compile/compile-record.ts`)
 *     …       4·(F+1) bounds of the base text: start, then the end of each of the F fields
 *     …       4       end of the main location in the base text
 *     …       4·(V+1) number of the first replacement of each variant, and of all of them
 *     …       4·9·(L−1)  rental points: start and end of its object in the base text; start of
 *                     rentalPointSlug, then its end and the ends of lat, lng, address,
 *                     addressComponents; frame of addressComponents
 *     …       4·4·R   replacements, each variant's in the order of the base text: start and end of
 *                     the value in the base text, start and end of the text in its place
 *     …               slots, padded to a multiple of 4 (see frame-layout.ts): first the frames of
 *                     the fields of the base text, then those of array elements and rental points
 *     …               the texts, UTF-8
 *
 * Numbers are little-endian; offsets count bytes from the start of the record, which lies on a
 * multiple of 4 in its chunk; frames are numbers of slots. The text of a field is `"key":value` with
 * the `{` or `,` before it; the base text ends with `}` after its last field. A field that the base
 * text lacks is empty. When L is 0, locations are null in every answer.
 */
import { LANGUAGES } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import { FINGERPRINT_BYTES } from './compared-stores.ts';
import { childNode, FIELD_FRAMES, type FrameLayout } from './frame-layout.ts';

/** Bytes of a word; headers are made of words. */
export const WORD = Uint32Array.BYTES_PER_ELEMENT;
const HALF_WORD = Uint16Array.BYTES_PER_ELEMENT;

/** Most locations of a store: their number takes half a word, here and in `places`. */
export const MAX_LOCATIONS = 0xffff;

/** Variants are told by bytes. */
const MAX_LANGUAGES = 0xff;
if (LANGUAGES.length > MAX_LANGUAGES) {
  throw new Error(`LANGUAGES has ${LANGUAGES.length}: records hold at most ${MAX_LANGUAGES}`);
}

const roundUp = (bytes: number, step: number): number => Math.ceil(bytes / step) * step;

export const VARIANT_COUNT_BYTE = LANGUAGES.length + 1;
export const LOCATION_COUNT_BYTE = roundUp(VARIANT_COUNT_BYTE + 1, HALF_WORD);
export const WIDE_BYTE = LOCATION_COUNT_BYTE + HALF_WORD;
export const SLOTS_WORD = roundUp(WIDE_BYTE + HALF_WORD, WORD) / WORD;
export const REPLACEMENTS_WORD = SLOTS_WORD + 1;
export const FINGERPRINT_BYTE = (REPLACEMENTS_WORD + 1) * WORD;
export const BOUNDS_WORD = (FINGERPRINT_BYTE + FINGERPRINT_BYTES) / WORD;
export const MAIN_END_WORD = BOUNDS_WORD + 1 + STORE_FIELDS.length;
export const VARIANTS_WORD = MAIN_END_WORD + 1;

/** Fields that depend on the location alone. Their texts follow each other for each rental point. */
export const LOCATION_FIELDS = [
  'rentalPointSlug',
  'lat',
  'lng',
  'address',
  'addressComponents',
] as const;

export type LocationField = (typeof LOCATION_FIELDS)[number];

/** Words of a rental point. */
export const RENTAL_POINT_WORDS = 2 + 1 + LOCATION_FIELDS.length + 1;
export const REPLACEMENT_WORDS = 4;

const frames = new Map<StoreField, number>();
let slots = 0;
for (const field of STORE_FIELDS) {
  const layout = FIELD_FRAMES[field];
  if (!layout) continue;
  frames.set(field, slots);
  slots += layout.slots;
}

/** The slot at which the frame of each field of the base text starts. */
export const BASE_FRAMES: ReadonlyMap<StoreField, number> = frames;

/** Slots of all these frames. */
export const BASE_SLOTS = slots;

const geoNodes = (FIELD_FRAMES.geo as FrameLayout).nodes;

/** The main location inside the geo field: its slots come first in the frame of the field. */
export const LOCATION_NODE = childNode(geoNodes, 'location');

/** The rental points inside the geo field; the frame of each is that of a location. */
export const LOCATIONS_NODE = childNode(geoNodes, 'locations');
