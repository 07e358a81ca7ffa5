/** The words by which a store is filtered. A hidden address leaves none. */
import { TERM_FIELDS, type TermField } from '../../src/model/term-fields.ts';
import { displayedLocations } from './derive-store.ts';
import type { SourceStore } from './source-store.ts';

export type StoreTerms = Readonly<Record<TermField, readonly string[]>>;

export function storeTerms(source: SourceStore): StoreTerms {
  const country = displayedLocations(source)[0]?.canonicalComponents.country;
  return {
    languages: source.localization.available,
    countries: country ? [country] : [],
  };
}

/** The words of every store, field by field. */
export function* termColumns(
  stores: readonly { readonly terms: StoreTerms }[],
): Generator<[TermField, (readonly string[])[]]> {
  for (const field of TERM_FIELDS) yield [field, stores.map(({ terms }) => terms[field])];
}
