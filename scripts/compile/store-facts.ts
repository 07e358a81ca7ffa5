/** What the index needs to know of a store once its record is written: little, as all stay in memory. */
import { packSchedule } from '../../src/hours/opening-rule.ts';
import type { Facet } from '../../src/model/enumerations.ts';
import { wordsOf } from '../../src/model/fold-text.ts';
import { SETTINGS, type SettingValue } from '../../src/model/settings.ts';
import { packDelivery } from '../../src/snapshot/delivery-table.ts';
import { textHash } from '../../src/snapshot/hash.ts';
import type { WordField } from '../../src/snapshot/word-table.ts';
import { chooseLanguage, displayedLocations } from './derive-store.ts';
import type { SourceLocation, SourceStore } from './source-store.ts';

/** What is known of a store's record. */
interface RecordFacts {
  /** Where it lies in the spool. */
  readonly spoolOffset: number;
  readonly recordLength: number;
  /** The start of the SHA-256 of all answers of the store. */
  readonly fingerprint: Uint8Array;
}

export type StoreFacts = ReturnType<typeof storeFacts>;

export function storeFacts(source: SourceStore, record: RecordFacts) {
  const { external } = source.reviews;
  const { delivery } = source.modules;
  return {
    id: source.id,
    slug: source.slug,
    name: source.profile.name,
    ...storeWords(source),
    defaultLanguage: source.localization.default,
    timezone: source.temporal.timezone,
    schedule: packSchedule(source.temporal.schedule),
    settings: storeSettings(source),
    /** Null when the store does not deliver, or hides its locations. */
    delivery: source.geo.displayAddress && delivery.enabled ? packDelivery(delivery) : null,
    currency: source.pricing.currency.isoCode,
    createdAt: instantKey(source.metadata.timestamps.createdAt),
    rating: external?.rating ?? null,
    reviews: external?.total ?? null,
    /**
     * Latitude and longitude of each displayed location in turn, the main one first. Numbers in one
     * array take a third of the memory of points.
     */
    coordinates: displayedLocations(source).flatMap(({ point }) => [point.lat, point.lng]),
    /** A hash of the description in the default language; null when it is empty. */
    description: hashOf(source.profile.description[chooseLanguage(source, null)] ?? ''),
    /** A hash of the page URL; null when it is empty. */
    pageUrl: hashOf(source.pageUrl),
    ...record,
  };
}

function hashOf(text: string): number | null {
  return text.trim() === '' ? null : textHash(text);
}

/** Returns the words by which a store is filtered, counted and found. A hidden address leaves no country and no place. */
function storeWords(source: SourceStore) {
  const locations = displayedLocations(source);
  const [main] = locations;
  return {
    verticales: source.profile.verticales,
    languages: source.localization.available,
    countries: main ? [main.canonicalComponents.country] : [],
    names: wordsOf(source.profile.name),
    places: locations.flatMap(wordsOfPlace),
  } satisfies Record<Facet | WordField, readonly string[]>;
}

/** Returns the words of town and postcode; the postcode without its blanks, too. */
function wordsOfPlace({ components, canonicalComponents }: SourceLocation): string[] {
  const postcode = wordsOf(components.postalCode);
  const towns = [components.city, canonicalComponents.city].flatMap(wordsOf);
  return [...towns, ...postcode, ...(postcode.length > 1 ? [postcode.join('')] : [])];
}

/** Returns, for each setting, the index of the store's value among all its values. */
function storeSettings(source: SourceStore): number[] {
  return SETTINGS.map(({ path, values }) => {
    const value = path.split('.').reduce<unknown>((object, key) => Object(object)[key], source);
    return values.indexOf((value ?? null) as SettingValue);
  });
}

/** Above the milliseconds of any year before 1970 that a timestamp can name, so that none is negative. */
const EPOCH_SHIFT = 1e15;

/** Returns a text of a date-time that sorts as the instants do, to the last digit of their fractions. */
function instantKey(timestamp: string): string {
  const beyondMilliseconds = /\.\d{3}(\d+)/.exec(timestamp)?.[1] ?? '';
  const milliseconds = String(EPOCH_SHIFT + Date.parse(timestamp)).padStart(16, '0');
  return milliseconds + beyondMilliseconds.replace(/0+$/, '');
}
