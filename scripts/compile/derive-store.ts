/** The response fields of a source store, for one language and one location. */
import type { Language } from '../../src/model/enumerations.ts';
import {
  type DeprecatedAddressComponents,
  deprecatedAddressComponentsSchema,
  type StoreLocation,
} from '../../src/model/location.ts';
import type { Store } from '../../src/model/store.ts';
import type { LanguageMap, LocalizedText, SourceLocation, SourceStore } from './source-store.ts';

/** Fields that depend on the language alone. `geo` depends on the location, too. */
type LanguageFields = Pick<Store, 'profile' | 'localization' | 'pricing' | 'booking'>;

/** Deprecated fields that mirror the queried location. */
type MirrorFields = Pick<Store, 'lat' | 'lng' | 'address' | 'addressComponents'>;

type NeutralFields = Omit<
  Store,
  keyof LanguageFields | keyof MirrorFields | 'geo' | 'rentalPointSlug' | 'distance'
>;

/** Fields that are the same in every answer. */
export function neutralFields(source: SourceStore): NeutralFields {
  const { isoCode, symbol } = source.pricing.currency;
  return {
    id: source.id,
    slug: source.slug,
    contact: source.contact,
    branding: source.branding,
    modules: source.modules,
    reviews: answeredReviews(source),
    temporal: source.temporal,
    metadata: source.metadata,
    pageUrl: source.pageUrl,
    name: source.profile.name,
    logoURL: source.branding.logoURL,
    bannerURL: source.branding.banners.urls,
    currency: { isoName: isoCode, symbol },
    externalRating: source.reviews.external?.rating ?? 0,
    externalReviewsNb: source.reviews.external?.total ?? 0,
    verticales: source.profile.verticales,
  };
}

/** The reviews; for a hidden address without the two values by which a map shows the place. */
function answeredReviews({ reviews, geo }: SourceStore): Store['reviews'] {
  const { external } = reviews;
  if (geo.displayAddress || external === null) return reviews;
  return { ...reviews, external: { ...external, placeId: '', mapsUrl: '' } };
}

/** Fields that depend on the language really used, `current`. */
export function languageFields(source: SourceStore, current: Language): LanguageFields {
  const { profile, localization, pricing, booking } = source;
  const read = (text: LocalizedText) => readText(text, current, localization.default);
  return {
    profile: { ...profile, description: read(profile.description) },
    localization: { current, ...localization },
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
  };
}

/**
 * The texts that depend on the language really used, `current`: those of `languageFields` and
 * `geoField`, in the order in which they stand in an answer.
 */
export function localizedTexts(source: SourceStore, current: Language): string[] {
  const { profile, localization, pricing, booking } = source;
  const read = (text: LocalizedText) => readText(text, current, localization.default);
  return [
    read(profile.description),
    current,
    ...displayedLocations(source).map(({ name }) => read(name)),
    read(pricing.tax.name),
    ...booking.fixedDurations.durations.map(({ label }) => read(label)),
  ];
}

/** Locations that answers may show, the main one first: none when the address is hidden. */
export function displayedLocations({ geo }: SourceStore): SourceLocation[] {
  return geo.displayAddress ? [geo.main, ...geo.rentalPoints] : [];
}

/** The locations in the language really used, with the main one as the queried one. */
export function geoField(source: SourceStore, current: Language): Store['geo'] {
  const [location = null, ...rentalPoints] = displayedLocations(source).map((each) =>
    responseLocation(each, current, source.localization.default),
  );
  return { location, locations: rentalPoints.length > 0 ? rentalPoints : null };
}

/** A location in the language really used. */
function responseLocation(
  location: SourceLocation,
  current: Language,
  fallback: Language,
): StoreLocation {
  return { ...location, name: readText(location.name, current, fallback) };
}

/** The deprecated address parts of a hidden address, in contract order. */
const NO_PARTS = Object.fromEntries(
  Object.keys(deprecatedAddressComponentsSchema.shape).map((part) => [part, '']),
) as DeprecatedAddressComponents;

/** The deprecated fields for a location. Null, for a hidden address, makes all of them empty. */
export function mirrorFields(location: SourceLocation | null): MirrorFields {
  if (!location) return { lat: 0, lng: 0, address: '', addressComponents: NO_PARTS };
  const { point, address, components, placeId } = location;
  return { ...point, address, addressComponents: { ...NO_PARTS, ...components, placeId } };
}

/**
 * The language in which a store answers a request for `requested` (null: no `lang` parameter).
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
 * The text of `text` for a store answered in `current`: current, else French, else the store's
 * default, else the first entry. Plain strings are the same in every language.
 */
function readText(text: LocalizedText, current: Language, fallback: Language): string {
  if (typeof text === 'string') return text;
  return text[current] ?? text.fr ?? text[fallback] ?? (text[firstLanguage(text)] as string);
}

function firstLanguage(map: LanguageMap): Language {
  return Object.keys(map)[0] as Language;
}
