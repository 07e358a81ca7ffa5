/** Arbitrary texts, numbers, times and places that are awkward on purpose. */
import fc from 'fast-check';
import type { LanguageMap } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import type { Point } from '../../../src/model/location.ts';

/** Any id, in either case. */
export const anyId = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefABCDEF'),
  minLength: 24,
  maxLength: 24,
});

/** Texts that break naive quoting, slicing, encoding or escaping. */
const AWKWARD_TEXTS = [
  '',
  ' ',
  'plain',
  'quote " backslash \\ slash / \\" \\u0041',
  '\u0000\b\f\n\r\t\u001f\u007f',
  '\u2028 and \u2029',
  'emoji 🚲👩‍🔧🏳️‍🌈',
  'lone high \ud83d',
  'lone low \udeb2 in the middle',
  '\ufeffbyte order mark \uffff \ufffd',
  '","id":"000000000000000000000000","x":{"',
  '}]}',
  '__proto__',
  'ÀÉÎõü ß Łódź ñandú ﷽ 你好 مرحبا',
];

/**
 * Of any code points but halves of pairs. The strings of fast-check would list all of them first,
 * which takes a second.
 */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10f7ff }), { maxLength: 12 })
  .map((numbers) =>
    String.fromCodePoint(...numbers.map((number) => (number < 0xd800 ? number : number + 0x800))),
  );

export const awkwardText = fc.oneof(fc.constantFrom(...AWKWARD_TEXTS), anyText);

/** Now and then a text that is longer than a whole usual store. */
export const descriptionText = fc.oneof(
  { weight: 80, arbitrary: awkwardText },
  {
    weight: 1,
    arbitrary: fc.tuple(awkwardText, fc.integer({ min: 1_000, max: 8_000 })).map(
      // An odd period, so that a slip of any length shows.
      ([text, times]) => `${text}<very long> é`.repeat(times),
    ),
  },
);

/** Names of which many are equal, or nearly, in some collation. */
export const awkwardName = fc.oneof(
  fc.constantFrom(
    ...['Vélo 2', 'velo 2', 'VELO 2', 'velo 10', 'Velo 02', 'velo  2', 'vélo-2', 've\u0301lo 2'],
    ...["L'Été 2", 'l’ete 2', 'LʼÉté\u00ad 2', 'Lété 2', 've\u200dlo 2', 'סלــام', 'سـلام', 'سلام'],
    ...['strasse', 'straße', 'STRASSE', 'Ärger', 'Arger', 'Zebra', 'zebra', 'æ', 'ae', 'AE'],
    ...['ñandú', 'nandu', 'ñ', 'n', 'nz', 'o', 'Łódź', 'lodz', 'Lodz', 'łz', 'lz', 'chico', 'cz'],
    ...['', '\u0000', ' ', '2', '２', '10', '9', '1e3', '-5', '½', '🚲', '🚲 2', '你好', '\ud83d'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);

/** Towns and countries that are written in several ways: the same words with other signs between. */
export const awkwardCity = fc.oneof(
  fc.constantFrom(
    ...["Côte d'Ivoire", 'Côte d’Ivoire', "COTE D'IVOIRE", 'Cote dʼIvoire', 'Cote-d‑Ivoire'],
    ...['France', 'FRANCE', 'France ', 'Fran\u00adce', '\u00a0France', 'Île de France', 'd France'],
    ...['Korea, Republic of', 'Korea (Republic of)', 'Baden Baden', 'Baden-Baden', 'Baden'],
    ...['', '-', 'ʼ', '🚲', '10', '2', '__proto__', 'proto', 'constructor'],
  ),
  awkwardText,
);

export const awkwardPostcode = fc.oneof(
  fc.constantFrom('1012 AB', '1012AB', '1012-ab', '10115', '10 115', '１０１１５', '-', '½'),
  awkwardText,
);

/** Slugs: one path segment each, in NFC, of which some differ only in ways that encodings lose. */
export const awkwardSlug = fc.oneof(
  fc.integer({ min: 0, max: 999 }).map((number) => `store-${number}`),
  fc.constantFrom(
    ...['Paris', 'paris', 'PARIS', 'a,b', 'a+b', 'a%20b', '%', '%2F', '&a=b', '[]', 'a"b', 'a~b'],
    ...['é', '🚲', '\uff5e', '\ue000', 'x\ufffd', '...', '__proto__'],
    ...['constructor', 'openapi.json', '00000000000000000000000', 'null', '0', '-1', "l'été"],
  ),
);

/** Any amount that JSON can carry. */
export const anyAmount = fc.oneof(
  fc.integer({ min: 0, max: 500 }),
  fc.constantFrom(0, 0.1, 1e21, 1e-7, 2 ** 53, 2 ** 32, 5e-324, 1.7976931348623157e308),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);

/** Numbers from 0 to `limit`, the awkward ones among them. */
export function numberTo(limit: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: 0, max: Math.min(limit, 500) }),
    fc.constantFrom(0, 0.1, 1e-7, 5e-324, limit),
    fc.double({ min: 0, max: limit, noNaN: true }),
  );
}

export const rating = fc.constantFrom(0, 1e-9, 3, 4.9, 4.95, 4.9000001, 5);

export const reviewCount = fc.constantFrom(
  ...[0, 1, 2, 9, 10, 255, 256, 65_536, 2 ** 32, 2 ** 32 + 1, 2 ** 53],
);

/** Date-times in every legal spelling; several are one instant, several differ by less than 1 ms. */
export const timestamp = fc.oneof(
  fc.constantFrom(
    ...['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
    ...['2024-01-01T01:00:00+01:00', '2023-12-31T19:00:00-05:00', '2024-01-01T05:45:00+05:45'],
    ...['2024-01-01T00:00:00.0001Z', '2024-01-01T00:00:00.0002Z', '2023-12-31T23:59:59.9999Z'],
    ...['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.5Z', '1970-01-01T00:00:00Z'],
    ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2024-02-29T12:00:00+14:00'],
  ),
  fc
    .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z') })
    .filter((date) => !Number.isNaN(date.getTime()))
    .map((date) => date.toISOString()),
);

/**
 * Degrees of these places, and steps between them, are multiples of 2^-10: sums and differences
 * are exact, so that places which ought to be equally far are so to the last bit.
 */
const STEP = 1 / 1024;
const LANDMARKS: readonly Point[] = [
  { lat: 48.8564453125, lng: 2.3525390625 },
  { lat: 0, lng: 0 },
  { lat: 0, lng: 180 },
  { lat: 0, lng: -180 },
  { lat: -16.5, lng: 179.9990234375 },
  { lat: -16.5, lng: -179.9990234375 },
  { lat: 90, lng: 0 },
  { lat: 90, lng: 120 },
  { lat: -90, lng: -180 },
  { lat: 89.9990234375, lng: 45 },
  { lat: 89.9990234375, lng: -135 },
];

/**
 * A number of up to seven decimals (about 1 cm, in degrees) and at most `limit` either way: what
 * exports and partners write. Doubles that are closer have no order worth a promise.
 */
export function decimal(limit: number): fc.Arbitrary<number> {
  return fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((number) => number / 1e7);
}

const landmark = fc.constantFrom(...LANDMARKS);

/** A landmark, a few steps (of about 100 m) from one, or anywhere on the globe. */
export const anyPoint = fc.oneof(
  { weight: 3, arbitrary: landmark },
  {
    weight: 6,
    arbitrary: fc
      .tuple(landmark, fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 }))
      .map(([{ lat, lng }, north, east]) => ({
        lat: clamp(lat + north * STEP, 90),
        lng: clamp(lng + east * STEP, 180),
      })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      lat: decimal(90),
      lng: decimal(180),
    }),
  },
);

export const language = fc.constantFrom(...LANGUAGES);

/** Mostly one of four, so that filters find something. */
export const verticale = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...VERTICALES.slice(12)) },
  { weight: 1, arbitrary: fc.constantFrom(...VERTICALES) },
);

/** A language map of at least one entry, in any order. */
export function languageMap(text: fc.Arbitrary<string>): fc.Arbitrary<LanguageMap> {
  return fc.dictionary(language, text, { minKeys: 1, noNullPrototype: true });
}

export const localizedText = fc.oneof(awkwardText, languageMap(awkwardText));

function clamp(degrees: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, degrees));
}
