/** The words by which a store is filtered, counted and found. A hidden address leaves none. */

import type { Facet } from '../../src/model/facets.ts';
import { type WordField, wordsOf } from '../../src/snapshot/word-table.ts';
import { displayedLocations } from './derive-store.ts';
import type { SourceLocation, SourceStore } from './source-store.ts';

type StoreWords = Readonly<Record<Facet | WordField, readonly string[]>>;

export function storeWords(source: SourceStore): StoreWords {
  const locations = displayedLocations(source);
  const country = locations[0]?.canonicalComponents.country;
  return {
    verticales: source.profile.verticales,
    languages: source.localization.available,
    countries: country ? [country] : [],
    names: wordsOf(source.profile.name),
    places: locations.flatMap(wordsOfPlace),
  };
}

/** Of town and postcode; the postcode without its blanks, too. */
function wordsOfPlace({ components, canonicalComponents }: SourceLocation): string[] {
  const postcode = wordsOf(components.postalCode);
  const towns = [components.city, canonicalComponents.city].flatMap(wordsOf);
  return [...towns, ...postcode, ...(postcode.length > 1 ? [postcode.join('')] : [])];
}
