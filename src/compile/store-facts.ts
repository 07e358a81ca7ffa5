/** What the index needs to know of a store once its record is written. */
import { textHash } from '../hash.ts';
import type { Language } from '../model/enumerations.ts';
import { verticaleMask } from '../model/enumerations.ts';
import { chooseLanguage } from '../model/language-choice.ts';
import type { Point } from '../model/location.ts';
import type { SourceStore } from '../model/source-store.ts';
import { fingerprintOf } from '../snapshot/record-writer.ts';
import { isEmpty } from './count-figures.ts';

export interface StoreFacts {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly verticales: number;
  readonly defaultLanguage: Language;
  readonly timezone: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly rating: number | null;
  readonly reviews: number | null;
  /** Displayed points, the main one first; empty when the address is hidden. */
  readonly points: readonly Point[];
  /** A hash of the description in the default language; null when it is empty. */
  readonly description: number | null;
  /** Where the record lies in the spool. */
  readonly spoolOffset: number;
  readonly recordLength: number;
  /** Of the record, 8 bytes. */
  readonly fingerprint: Uint8Array;
}

/** @param spoolOffset where `record` lies in the spool */
export function storeFacts(
  source: SourceStore,
  spoolOffset: number,
  record: Uint8Array,
): StoreFacts {
  const { geo, reviews } = source;
  return {
    id: source.id,
    slug: source.slug,
    name: source.profile.name,
    verticales: verticaleMask(source.profile.verticales),
    defaultLanguage: source.localization.default,
    timezone: source.temporal.timezone,
    currency: source.pricing.currency.isoCode,
    createdAt: source.metadata.timestamps.createdAt,
    rating: reviews.external?.rating ?? null,
    reviews: reviews.external?.total ?? null,
    points: geo.displayAddress ? [geo.main, ...geo.rentalPoints].map(({ point }) => point) : [],
    description: descriptionHash(source),
    spoolOffset,
    recordLength: record.length,
    fingerprint: fingerprintOf(record),
  };
}

function descriptionHash(source: SourceStore): number | null {
  const text = source.profile.description[chooseLanguage(source, null)] ?? '';
  return isEmpty(text) ? null : textHash(text);
}
