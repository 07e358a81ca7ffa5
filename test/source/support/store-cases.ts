/** Every way in which a single field of a store can be wrong. */
import type { FaultKind } from '../../../scripts/source/fault.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';

/** One change of a valid store and the fault it is; undefined removes the field. */
export type StoreCase = readonly [path: string, value: unknown, kind: FaultKind, message: string];

const ONE_OF_LANGUAGES = `expected one of ${LANGUAGES.join(', ')}`;
const NO_KEY = 'expected no such key';
const TEXT_OR_MAP = 'expected a string or a language map';
const NO_REPETITION = 'expected no repetition: it stands already at 0';
const ZONE = 'expected a name of the IANA time zone database, such as Europe/Paris';
const CURRENCY = 'expected the code of a currency that ISO 4217 lists as active, such as EUR';
const SEGMENT = 'expected one URL path segment: no white space, "/", "\\", "?" or "#"';
const NFC = 'expected Unicode NFC, in which é is one character: text.normalize() in JavaScript';
const IN_FORM = 'expected a day and a time that exist, with T between them and Z or an offset, as';
const NO_DAY = `${IN_FORM} 2026-11-01T08:30:00+01:00`;
const AS_TIME = 'expected a string, in quotes, as 2026-11-01T00:00:00Z';
const CLOCK = 'expected HH:mm from 00:00 to 23:59, such as 09:30';
const MIDNIGHT = 'expected 23:59 for the end of a day, 00:00 for its beginning';
const DAYS = '"0", "1", "2", "3", "4", "5", "6", "*"';
const PAGE_URL = 'expected a complete http or https URL, such as https://stores.example/1';
const LINK = 'expected no URL but an http or https one';
const SCRIPT = ' java\tscript:alert(1)';

export const STORE_CASES: readonly StoreCase[] = [
  ['profile.name', undefined, 'missing_field', 'expected a string'],
  ['pricing.tax.type', undefined, 'missing_field', 'expected one of INCLUSIVE, EXCLUSIVE'],
  ['pricing.tax.name', undefined, 'missing_field', TEXT_OR_MAP],
  ['profile.description', undefined, 'missing_field', 'expected a language map'],
  ['reviews.external', undefined, 'missing_field', 'expected an object or null'],
  ['colour', 'red', 'unknown_key', NO_KEY],
  ['modules.onlinePayment.methods.cash', true, 'unknown_key', NO_KEY],
  ['profile.name', 7, 'wrong_type', 'expected a string, in quotes'],
  ['geo.displayAddress', 'true', 'wrong_type', 'expected true or false, without quotes'],
  ['geo.displayAddress', 1, 'wrong_type', 'expected true or false'],
  ['profile.name', null, 'wrong_type', 'expected a string'],
  ['profile.description', 'Bikes', 'wrong_type', 'expected a language map'],
  ['profile.verticales', {}, 'wrong_type', 'expected an array'],
  ['pricing.tax.value', '20', 'wrong_type', 'expected a number, without quotes'],
  ['pricing.tax.value', '20 %', 'wrong_type', 'expected a number'],
  ['pricing.tax.name', 20, 'wrong_type', 'expected a string, in quotes, or a language map'],
  ['geo.main', null, 'wrong_type', 'expected an object'],
  ['contact.socialMedia.socialA', 1, 'wrong_type', 'expected a string, in quotes, or null'],
  [
    'booking.rules.duration.minHours',
    '2',
    'wrong_type',
    'expected a number, without quotes, or null',
  ],
  ['localization.default', 'xx', 'not_in_enumeration', ONE_OF_LANGUAGES],
  ['modules.onlinePayment.provider', 'OTHER', 'not_in_enumeration', 'expected PROVIDER_A'],
  [
    'profile.verticales.0',
    'bike',
    'not_in_enumeration',
    `expected one of ${VERTICALES.join(', ')}`,
  ],
  ['geo.main.point.lat', 90.001, 'out_of_range', 'expected at most 90'],
  ['branding.banners.scrollTime', -1, 'out_of_range', 'expected at least 0'],
  ['pricing.tax.value', 101, 'out_of_range', 'expected at most 100'],
  ['booking.rules.leadTime.minHours', -2, 'out_of_range', 'expected at least 0'],
  ['booking.rules.duration.maxHours', 1e9, 'out_of_range', 'expected at most 87600, or null'],
  ['geo.main.point.lng', -181, 'out_of_range', 'expected at least -180'],
  ['id', 'a0', 'bad_format', 'expected 24 hexadecimal digits'],
  ['slug', 'two words', 'bad_format', SEGMENT],
  ['slug', '..', 'bad_format', 'expected a slug that is no path step'],
  [
    'slug',
    'ABCDEF0123456789abcdef01',
    'slug_looks_like_id',
    'a slug must not look like an id (24 hexadecimal digits)',
  ],
  ['slug', 'a\\b', 'bad_format', SEGMENT],
  ['slug', 'a\u200bb', 'bad_format', 'expected a slug without invisible characters'],
  ['slug', 'cafe\u0301', 'bad_format', NFC],
  ['geo.main.slug', 'cafe\u0301', 'bad_format', NFC],
  ...[
    ['2024-01-02', `${IN_FORM} 2024-01-02T00:00:00Z`],
    ['2024-01-02T08:30:00', `${IN_FORM} 2024-01-02T08:30:00Z`],
    ['2024-01-02 08:30', `${IN_FORM} 2024-01-02T08:30Z`],
    ['2024-01-02 08:30:00+02', `${IN_FORM} 2024-01-02T08:30:00+02`],
    ['2024-01-02t08:30z', `${IN_FORM} 2026-11-01T08:30:00+01:00`],
    ['02/01/2024', `${IN_FORM} 2026-11-01T08:30:00+01:00`],
    ['2024-01-02T24:00:00Z', NO_DAY],
    ['2023-02-29T08:30:00Z', NO_DAY],
    ['2024-01-02T08:60Z', NO_DAY],
    ['2024-01-02T08:30+25:00', NO_DAY],
  ].map(([time, message = '']): StoreCase => {
    return ['metadata.timestamps.createdAt', time, 'bad_format', message];
  }),
  ['metadata.timestamps.createdAt', 1704184200, 'wrong_type', AS_TIME],
  ['metadata.timestamps.createdAt', {}, 'wrong_type', AS_TIME.replace(', in quotes', '')],
  ...['9:00', '09:00:00', '9 am', '25:00', '09:60'].map(
    (time): StoreCase => ['temporal.schedule.openingHours.0.from', time, 'bad_format', CLOCK],
  ),
  ['temporal.schedule.openingHours.0.to', '24:00', 'bad_format', MIDNIGHT],
  [
    'temporal.schedule.openingHours.0.to',
    1800,
    'wrong_type',
    'expected a string, in quotes, as 09:00',
  ],
  ['temporal.schedule.openingHours.0.day', 1, 'not_in_enumeration', `expected one of ${DAYS}`],
  ...[
    '',
    'stores.example',
    '/store-1',
    'javascript:alert(1)',
    'ftp://stores.example/1',
    'https://',
  ].map((url): StoreCase => ['pageUrl', url, 'bad_format', PAGE_URL]),
  ['contact.socialMedia.socialB', SCRIPT, 'bad_format', `${LINK}, or null`],
  ['branding.logoURL', SCRIPT, 'bad_format', LINK],
  ['branding.banners.urls.0', SCRIPT, 'bad_format', LINK],
  ['profile.verticales.1', 'BIKE', 'bad_format', NO_REPETITION],
  ['localization.available.2', 'fr', 'bad_format', NO_REPETITION],
  ['profile.description.jp', 'x', 'unknown_language', ONE_OF_LANGUAGES],
  ['pricing.tax.name.FR', 'x', 'unknown_language', ONE_OF_LANGUAGES],
  ['profile.description', {}, 'empty_language_map', 'expected at least one language'],
  ['pricing.tax.name', {}, 'empty_language_map', 'expected at least one language'],
  [
    'localization.default',
    'de',
    'default_language_unavailable',
    'expected one of the available languages: fr, en',
  ],
  ...[
    ...['Europe/Atlantis', '+01:00', 'BST', 'AST', 'PST', 'IST', 'SystemV/PST8', 'Factory', ''],
    ...[
      'Romance Standard Time',
      'UTC+1',
      'GMT+1',
      'Etc/GMT+15',
      'constructor',
      'posix/Europe/Paris',
    ],
  ].map((zone): StoreCase => ['temporal.timezone', zone, 'unknown_time_zone', ZONE]),
  ...[
    ['asia/kolkata', 'Asia/Kolkata'],
    ['us/eastern', 'US/Eastern'],
    ['EUROPE/PARIS', 'Europe/Paris'],
    ['Europe/Paris ', 'Europe/Paris'],
    ['America/New York', 'America/New_York'],
    ['utc', 'UTC'],
  ].map(([zone, meant]): StoreCase => {
    const message = `expected ${meant}, as the IANA time zone database spells it`;
    return ['temporal.timezone', zone, 'unknown_time_zone', message];
  }),
  ...['HRK', 'SLL', 'ZWL', 'CUC', 'ANG', 'BGN', 'XYZ', '978', '€', 'EURO', ''].map(
    (code): StoreCase => ['pricing.currency.isoCode', code, 'unknown_currency', CURRENCY],
  ),
  ...['XXX', 'XTS'].map((code): StoreCase => {
    const message = 'expected the code of a currency, such as EUR: XTS is for tests, XXX for none';
    return ['pricing.currency.isoCode', code, 'unknown_currency', message];
  }),
  ...['eur', 'EUR '].map((code): StoreCase => {
    const message = 'expected EUR, in capitals and alone';
    return ['pricing.currency.isoCode', code, 'unknown_currency', message];
  }),
];
