/** The words by which a store is filtered and found. A hidden address leaves none. */
import { wordsOf } from '../../src/model/fold-text.ts';
import type { IndexedField, TermField } from '../../src/model/term-fields.ts';
import { displayedLocations } from './derive-store.ts';
import type { SourceLocation, SourceStore } from './source-store.ts';

export type StoreTerms = Readonly<Record<TermField | IndexedField, readonly string[]>>;

export function storeTerms(source: SourceStore): StoreTerms {
  const locations = displayedLocations(source);
  const country = locations[0]?.canonicalComponents.country;
  return {
    languages: source.localization.available,
    countries: country ? [country] : [],
    timezones: [source.temporal.timezone],
    nameWords: wordsOf(source.profile.name),
    placeWords: locations.flatMap(wordsOfPlace),
  };
}

/** Of town and postcode; the postcode without its blanks, too. */
function wordsOfPlace({ components, canonicalComponents }: SourceLocation): string[] {
  const postcode = wordsOf(components.postalCode);
  const towns = [components.city, canonicalComponents.city].flatMap(wordsOf);
  return [...towns, ...postcode, ...(postcode.length > 1 ? [postcode.join('')] : [])];
}
