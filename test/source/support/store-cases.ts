/** Every way in which a single field of a store can be wrong. */
import type { FaultKind } from '../../../scripts/source/fault.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';

/** One change of a valid store and the fault it is; undefined removes the field. */
type StoreCase = readonly [path: string, value: unknown, kind: FaultKind, message: string];

const oneOf = (...words: string[]) => `expected one of "${words.join('"|"')}"`;
const SEGMENT =
  'expected one URL path segment: no white space, "/", "\\", "?", "#" or invisible character, and neither "." nor ".."';
const LANGUAGE = `expected one of ${LANGUAGES.join(', ')}`;
const NFC = 'expected Unicode NFC, in which é is one character: text.normalize() in JavaScript';
const IN_FORM =
  'expected a day and a time that exist, with T between them and Z or an offset, as 2026-11-01T08:30:00+01:00';
const OF_ITS_OWN = 'expected a slug of its own: another location has it';
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
    ['expected string', 'profile.name', undefined],
    [oneOf('INCLUSIVE', 'EXCLUSIVE'), `${tax}.type`, undefined],
    ['expected a string or a language map', `${tax}.name`, undefined],
    ['expected a language map', 'profile.description', undefined],
    ['expected object, or null', 'reviews.external', undefined],
  ],
  unknown_key: [
    ['expected no such key', 'colour', 'red'],
    ['expected no such key', 'modules.onlinePayment.methods.cash', true],
  ],
  wrong_type: [
    ['expected string', 'profile.name', 7, null],
    ['expected boolean', 'geo.displayAddress', 'true', 1],
    ['expected a language map', 'profile.description', 'Bikes'],
    ['expected array', 'profile.verticales', {}],
    ['expected number', `${tax}.value`, '20'],
    ['expected a string or a language map', `${tax}.name`, 20],
    ['expected object', 'geo.main', null],
    ['expected string, or null', 'contact.socialMedia.socialA', 1],
    ['expected number, or null', 'booking.rules.duration.minHours', '2'],
  ],
  not_in_enumeration: [
    [oneOf(...LANGUAGES), 'localization.default', 'xx'],
    ['expected "PROVIDER_A"', 'modules.onlinePayment.provider', 'OTHER'],
    [oneOf(...VERTICALES), 'profile.verticales.0', 'bike'],
    [oneOf(...'0123456*'), 'temporal.schedule.openingHours.0.day', 1],
  ],
  out_of_range: [
    ['expected number to be <=90', 'geo.main.point.lat', 90.001],
    ['expected number to be >=-180', 'geo.main.point.lng', -181],
    ['expected number to be >=0', 'branding.banners.scrollTime', -1],
    ['expected number to be <=100', `${tax}.value`, 101],
    ['expected number to be >=0', 'booking.rules.leadTime.minHours', -2],
    ['expected number to be <=87600, or null', 'booking.rules.duration.maxHours', 1e9],
  ],
  bad_format: [
    ['expected 24 hexadecimal digits', 'id', 'a0'],
    [SEGMENT, 'slug', 'two words', 'a\\b', '..', 'a\u200bb'],
    [NFC, 'slug', 'cafe\u0301'],
    [NFC, 'geo.main.slug', 'cafe\u0301'],
    [
      IN_FORM,
      created,
      ...['2024-01-02', '2024-01-02T08:30:00', '2024-01-02 08:30Z', '2024-01-02t08:30z'],
      ...['02/01/2024', '2024-01-02T24:00:00Z', '2023-02-29T08:30:00Z'],
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
    ['expected no repetition', 'profile.verticales.1', 'BIKE'],
    ['expected no repetition', 'localization.available.2', 'fr'],
  ],
  slug_looks_like_id: [
    ['a slug must not look like an id (24 hexadecimal digits)', 'slug', 'ABCDEF0123456789abcdef01'],
  ],
  unknown_language: [
    [LANGUAGE, 'profile.description.jp', 'x'],
    [LANGUAGE, `${tax}.name.FR`, 'x'],
  ],
  empty_language_map: [
    ['expected at least one language', 'profile.description', {}],
    ['expected at least one language', `${tax}.name`, {}],
  ],
  default_language_unavailable: [
    ['expected a language of localization.available', 'localization.default', 'de'],
  ],
  duplicate_rental_point_slug: [
    [OF_ITS_OWN, 'geo.rentalPoints.2.slug', 'a'],
    [OF_ITS_OWN, 'geo.rentalPoints.1.slug', 'main-2'],
  ],
  unknown_time_zone: [
    [
      'expected a name of the IANA time zone database in its spelling, such as Europe/Paris',
      zone,
      ...['Europe/Atlantis', '+01:00', 'BST', 'AST', 'PST', 'SystemV/PST8', 'Factory', ''],
      ...['Romance Standard Time', 'UTC+1', 'Etc/GMT+15', 'constructor', 'posix/Europe/Paris'],
      ...['asia/kolkata', 'us/eastern', 'Europe/Paris ', 'America/New York'],
    ],
  ],
  unknown_currency: [
    [
      'expected the code of a currency that ISO 4217 lists as active, such as EUR',
      code,
      ...['HRK', 'SLL', 'ZWL', 'CUC', 'ANG', 'BGN', 'XYZ', '978', '€', 'EURO', '', 'XXX', 'XTS'],
      ...['eur', 'EUR '],
    ],
  ],
};

export const STORE_CASES: readonly StoreCase[] = Object.entries(CASES).flatMap(([kind, cases]) =>
  cases.flatMap(([message, path, ...values]) =>
    values.map((value): StoreCase => [path, value, kind as FaultKind, message]),
  ),
);
