/** The response fields of a source store, for one language and one location. */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import {
  type DeprecatedAddressComponents,
  deprecatedAddressComponentsSchema,
} from '../../src/model/location.ts';
import type { Store } from '../../src/model/store.ts';
import type { LanguageMap, LocalizedText, SourceLocation, SourceStore } from './source-store.ts';

/** The text of an answer, in its language. */
type ReadText = (text: LocalizedText) => string;

/** The name of each language in itself, as answers have it. */
const OWN_NAMES: LanguageMap = Object.fromEntries(LANGUAGES.map((each) => [each, each]));

/**
 * Returns the answer for the main location.
 * @param read asked for each text that depends on the language
 */
export function deriveStore(source: SourceStore, read: ReadText): Store {
  const { profile, localization, branding, reviews, pricing, booking } = source;
  const { isoCode, symbol } = pricing.currency;
  return {
    ...source,
    profile: { ...profile, description: read(profile.description) },
    localization: { current: read(OWN_NAMES) as Language, ...localization },
    geo: geoField(source, read),
    reviews: answeredReviews(source),
    pricing: { ...pricing, tax: { ...pricing.tax, name: read(pricing.tax.name) } },
    booking: {
      ...booking,
      fixedDurations: {
        ...booking.fixedDurations,
        durations: booking.fixedDurations.durations.map((duration) => ({
          ...duration,
          label: read(duration.label),
        })),
      },
    },
    name: profile.name,
    logoURL: branding.logoURL,
    bannerURL: branding.banners.urls,
    currency: { isoName: isoCode, symbol },
    externalRating: reviews.external?.rating ?? 0,
    externalReviewsNb: reviews.external?.total ?? 0,
    verticales: profile.verticales,
    ...mirrorFields(displayedLocations(source)[0] ?? null),
  };
}

/** Returns the reviews; for a hidden address without the two values by which a map shows the location. */
function answeredReviews({ reviews, geo }: SourceStore): Store['reviews'] {
  const { external } = reviews;
  if (geo.displayAddress || external === null) return reviews;
  return { ...reviews, external: { ...external, placeId: '', mapsUrl: '' } };
}

/** Locations that answers may show, the main one first: none when the address is hidden. */
export function displayedLocations({ geo }: SourceStore): SourceLocation[] {
  return geo.displayAddress ? [geo.main, ...geo.rentalPoints] : [];
}

/** Returns the locations, with the main one as the queried one. */
function geoField(source: SourceStore, read: ReadText): Store['geo'] {
  const [location = null, ...rentalPoints] = displayedLocations(source).map((each) => ({
    ...each,
    name: read(each.name),
  }));
  return { location, locations: rentalPoints.length > 0 ? rentalPoints : null };
}

/** The deprecated address parts of a hidden address, in contract order. */
const NO_PARTS = Object.fromEntries(
  Object.keys(deprecatedAddressComponentsSchema.shape).map((part) => [part, '']),
) as DeprecatedAddressComponents;

/** Returns the deprecated fields that mirror the queried location. Null, for a hidden address, makes all of them empty. */
export function mirrorFields(location: SourceLocation | null) {
  if (!location) return { lat: 0, lng: 0, address: '', addressComponents: NO_PARTS };
  const { point, address, components, placeId } = location;
  return { ...point, address, addressComponents: { ...NO_PARTS, ...components, placeId } };
}

/**
 * Returns the language in which a store answers a request for `requested` (null: no `lang` parameter).
 *
 * The description decides: the requested language (or the store's default) if it has an entry,
 * else French, else the default, else the first language the description has.
 */
export function chooseLanguage(store: SourceStore, requested: Language | null): Language {
  const description = store.profile.description;
  const fallback = store.localization.default;
  for (const language of [requested ?? fallback, 'fr', fallback] as const) {
    if (description[language] !== undefined) return language;
  }
  return firstLanguage(description);
}

/**
 * Reads texts of a store answered in `current`: current, else French, else the store's default, else the
 * first entry. Plain strings are the same in every language.
 */
export function textIn(current: Language, { localization }: SourceStore): ReadText {
  return (text) =>
    typeof text === 'string'
      ? text
      : (text[current] ??
        text.fr ??
        text[localization.default] ??
        (text[firstLanguage(text)] as string));
}

function firstLanguage(map: LanguageMap): Language {
  return Object.keys(map)[0] as Language;
}
