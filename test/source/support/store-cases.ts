/** Every way in which a single field of a store can be wrong. */
import type { FaultKind } from '../../../scripts/source/fault.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';

/** One change of a valid store and the fault it is; undefined removes the field. */
type StoreCase = readonly [path: string, value: unknown, kind: FaultKind, message: string];

const ONE_OF_LANGUAGES = `expected one of ${LANGUAGES.join(', ')}`;
const SEGMENT = 'expected one URL path segment: no white space, "/", "\\", "?" or "#"';
const NFC = 'expected Unicode NFC, in which é is one character: text.normalize() in JavaScript';
const IN_FORM = 'expected a day and a time that exist, with T between them and Z or an offset, as';
const OF_ITS_OWN = 'expected a slug of its own:';
const LINK = 'expected no URL but an http or https one';
const SCRIPT = ' java\tscript:alert(1)';

const created = 'metadata.timestamps.createdAt';
const opens = 'temporal.schedule.openingHours.0.from';
const closes = 'temporal.schedule.openingHours.0.to';
const zone = 'temporal.timezone';
const code = 'pricing.currency.isoCode';
const tax = 'pricing.tax';

/** Kinds of faults, each with what messages ask for, and the values of a field of which they do. */
const CASES: Readonly<
  Partial<Record<FaultKind, readonly [message: string, path: string, ...values: unknown[]][]>>
> = {
  missing_field: [
    ['expected a string', 'profile.name', undefined],
    ['expected one of INCLUSIVE, EXCLUSIVE', `${tax}.type`, undefined],
    ['expected a string or a language map', `${tax}.name`, undefined],
    ['expected a language map', 'profile.description', undefined],
    ['expected an object or null', 'reviews.external', undefined],
  ],
  unknown_key: [
    ['expected no such key', 'colour', 'red'],
    ['expected no such key', 'modules.onlinePayment.methods.cash', true],
  ],
  wrong_type: [
    ['expected a string, in quotes', 'profile.name', 7],
    ['expected true or false, without quotes', 'geo.displayAddress', 'true'],
    ['expected true or false', 'geo.displayAddress', 1],
    ['expected a string', 'profile.name', null],
    ['expected a language map', 'profile.description', 'Bikes'],
    ['expected an array', 'profile.verticales', {}],
    ['expected a number, without quotes', `${tax}.value`, '20'],
    ['expected a number', `${tax}.value`, '20 %'],
    ['expected a string, in quotes, or a language map', `${tax}.name`, 20],
    ['expected an object', 'geo.main', null],
    ['expected a string, in quotes, or null', 'contact.socialMedia.socialA', 1],
    ['expected a number, without quotes, or null', 'booking.rules.duration.minHours', '2'],
    ['expected a string, in quotes, as 2026-11-01T00:00:00Z', created, 1704184200],
    ['expected a string, as 2026-11-01T00:00:00Z', created, {}],
    ['expected a string, in quotes, as 09:00', closes, 1800],
  ],
  not_in_enumeration: [
    [ONE_OF_LANGUAGES, 'localization.default', 'xx'],
    ['expected PROVIDER_A', 'modules.onlinePayment.provider', 'OTHER'],
    [`expected one of ${VERTICALES.join(', ')}`, 'profile.verticales.0', 'bike'],
    [
      'expected one of "0", "1", "2", "3", "4", "5", "6", "*"',
      'temporal.schedule.openingHours.0.day',
      1,
    ],
  ],
  out_of_range: [
    ['expected at most 90', 'geo.main.point.lat', 90.001],
    ['expected at least -180', 'geo.main.point.lng', -181],
    ['expected at least 0', 'branding.banners.scrollTime', -1],
    ['expected at most 100', `${tax}.value`, 101],
    ['expected at least 0', 'booking.rules.leadTime.minHours', -2],
    ['expected at most 87600, or null', 'booking.rules.duration.maxHours', 1e9],
  ],
  bad_format: [
    ['expected 24 hexadecimal digits', 'id', 'a0'],
    [SEGMENT, 'slug', 'two words', 'a\\b'],
    ['expected a slug that is no path step', 'slug', '..'],
    ['expected a slug without invisible characters', 'slug', 'a\u200bb'],
    [NFC, 'slug', 'cafe\u0301'],
    [NFC, 'geo.main.slug', 'cafe\u0301'],
    [`${IN_FORM} 2024-01-02T00:00:00Z`, created, '2024-01-02'],
    [`${IN_FORM} 2024-01-02T08:30:00Z`, created, '2024-01-02T08:30:00'],
    [`${IN_FORM} 2024-01-02T08:30Z`, created, '2024-01-02 08:30'],
    [`${IN_FORM} 2024-01-02T08:30:00+02`, created, '2024-01-02 08:30:00+02'],
    [
      `${IN_FORM} 2026-11-01T08:30:00+01:00`,
      created,
      ...['2024-01-02t08:30z', '02/01/2024', '2024-01-02T24:00:00Z', '2023-02-29T08:30:00Z'],
      ...['2024-01-02T08:60Z', '2024-01-02T08:30+25:00'],
    ],
    [
      'expected HH:mm from 00:00 to 23:59, such as 09:30',
      opens,
      ...['9:00', '09:00:00', '9 am', '25:00', '09:60'],
    ],
    ['expected 23:59 for the end of a day, 00:00 for its beginning', closes, '24:00'],
    [
      'expected a complete http or https URL, such as https://stores.example/1',
      'pageUrl',
      ...['', 'stores.example', '/store-1', 'javascript:alert(1)', 'ftp://stores.example/1'],
      'https://',
    ],
    [`${LINK}, or null`, 'contact.socialMedia.socialB', SCRIPT],
    [LINK, 'branding.logoURL', SCRIPT],
    [LINK, 'branding.banners.urls.0', SCRIPT],
    ['expected no repetition: it stands already at 0', 'profile.verticales.1', 'BIKE'],
    ['expected no repetition: it stands already at 0', 'localization.available.2', 'fr'],
  ],
  slug_looks_like_id: [
    ['a slug must not look like an id (24 hexadecimal digits)', 'slug', 'ABCDEF0123456789abcdef01'],
  ],
  unknown_language: [
    [ONE_OF_LANGUAGES, 'profile.description.jp', 'x'],
    [ONE_OF_LANGUAGES, `${tax}.name.FR`, 'x'],
  ],
  empty_language_map: [
    ['expected at least one language', 'profile.description', {}],
    ['expected at least one language', `${tax}.name`, {}],
  ],
  default_language_unavailable: [
    ['expected one of the available languages: fr, en', 'localization.default', 'de'],
  ],
  duplicate_rental_point_slug: [
    [`${OF_ITS_OWN} rentalPoints.0 has it already`, 'geo.rentalPoints.2.slug', 'a'],
    [`${OF_ITS_OWN} main has it already`, 'geo.rentalPoints.1.slug', 'main-2'],
  ],
  unknown_time_zone: [
    [
      'expected a name of the IANA time zone database, such as Europe/Paris',
      zone,
      ...['Europe/Atlantis', '+01:00', 'BST', 'AST', 'PST', 'SystemV/PST8', 'Factory', ''],
      ...['Romance Standard Time', 'UTC+1', 'Etc/GMT+15', 'constructor'],
      'posix/Europe/Paris',
    ],
    ...[
      ['asia/kolkata', 'Asia/Kolkata'],
      ['us/eastern', 'US/Eastern'],
      ['Europe/Paris ', 'Europe/Paris'],
      ['America/New York', 'America/New_York'],
    ].map(([written, meant]): [string, string, unknown] => [
      `expected ${meant}, as the IANA time zone database spells it`,
      zone,
      written,
    ]),
  ],
  unknown_currency: [
    [
      'expected the code of a currency that ISO 4217 lists as active, such as EUR',
      code,
      ...['HRK', 'SLL', 'ZWL', 'CUC', 'ANG', 'BGN', 'XYZ', '978', '€', 'EURO', ''],
    ],
    [
      'expected the code of a currency, such as EUR: XTS is for tests, XXX for none',
      code,
      ...['XXX', 'XTS'],
    ],
    ['expected EUR, in capitals and alone', code, 'eur', 'EUR '],
  ],
};

export const STORE_CASES: readonly StoreCase[] = Object.entries(CASES).flatMap(([kind, cases]) =>
  cases.flatMap(([message, path, ...values]) =>
    values.map((value): StoreCase => [path, value, kind as FaultKind, message]),
  ),
);
