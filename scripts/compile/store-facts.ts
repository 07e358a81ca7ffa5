/** What the index needs to know of a store once its record is written: little, as all stay in memory. */
import { textHash } from '../../src/hash.ts';
import { type PackedSchedule, packSchedule } from '../../src/hours/opening-rule.ts';
import type { Language } from '../../src/model/enumerations.ts';
import { verticaleMask } from '../../src/model/enumerations.ts';
import { isEmpty } from './count-figures.ts';
import { chooseLanguage, displayedLocations } from './derive-store.ts';
import type { SourceStore } from './source-store.ts';
import { type StoreTerms, storeTerms } from './store-terms.ts';

export interface StoreFacts extends RecordFacts {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly verticales: number;
  readonly terms: StoreTerms;
  readonly defaultLanguage: Language;
  readonly timezone: string;
  readonly schedule: PackedSchedule;
  readonly currency: string;
  readonly createdAt: string;
  readonly rating: number | null;
  readonly reviews: number | null;
  /**
   * Latitude and longitude of each displayed location in turn, the main one first. Numbers in one
   * array take a third of the memory of points.
   */
  readonly coordinates: readonly number[];
  /** A hash of the description in the default language; null when it is empty. */
  readonly description: number | null;
}

/** What is known of a store's record. */
interface RecordFacts {
  /** Where it lies in the spool. */
  readonly spoolOffset: number;
  readonly recordLength: number;
  /** The start of the SHA-256 of what `answerContent` makes of the store. */
  readonly fingerprint: Uint8Array;
}

export function storeFacts(source: SourceStore, record: RecordFacts): StoreFacts {
  const { reviews } = source;
  return {
    id: source.id,
    slug: source.slug,
    name: source.profile.name,
    verticales: verticaleMask(source.profile.verticales),
    terms: storeTerms(source),
    defaultLanguage: source.localization.default,
    timezone: source.temporal.timezone,
    schedule: packSchedule(source.temporal.schedule),
    currency: source.pricing.currency.isoCode,
    createdAt: source.metadata.timestamps.createdAt,
    rating: reviews.external?.rating ?? null,
    reviews: reviews.external?.total ?? null,
    coordinates: displayedLocations(source).flatMap(({ point }) => [point.lat, point.lng]),
    description: descriptionHash(source),
    ...record,
  };
}

function descriptionHash(source: SourceStore): number | null {
  const text = source.profile.description[chooseLanguage(source, null)] ?? '';
  return isEmpty(text) ? null : textHash(text);
}
