/** One source store as a partner receives it. */

import type {
  LocalizedText,
  SourceLocation,
  SourceStore,
} from '../../../scripts/compile/source-store.ts';
import { UTM_PARAMETERS, type Utm } from '../../../src/auth/token-record.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import type { StoreLocation } from '../../../src/model/location.ts';
import type { Store } from '../../../src/model/store.ts';
import { openingAt } from './hours.ts';

interface Viewpoint {
  readonly lang?: Language | undefined;
  /** 0 is the main location, 1 the first rental point, and so on. */
  readonly locationIndex?: number;
  /** Kilometres, not rounded; undefined when no position was asked for. */
  readonly distance?: number | undefined;
  readonly deliveryPrice?: number | undefined;
  readonly utm?: Utm | undefined;
  /** Milliseconds since 1970; none when it was not asked for. */
  readonly at?: number | undefined;
}

/** The whole answer for `source`; its keys, and the keys of nested objects, are still in source order. */
export function describeStore(source: SourceStore, view: Viewpoint = {}): Store {
  const current = currentLanguage(source, view.lang);
  const read = (text: LocalizedText) => textIn(text, current, source.localization.default);
  const address = describeAddress(source, view.locationIndex ?? 0, read);
  const external = source.reviews.external;
  return {
    ...source,
    rentalPointSlug: address.rentalPointSlug,
    profile: { ...source.profile, description: read(source.profile.description) },
    localization: { current, ...source.localization },
    geo: address.geo,
    reviews: {
      external: external && {
        ...external,
        ...(source.geo.displayAddress ? {} : { placeId: '', mapsUrl: '' }),
      },
    },
    pricing: {
      ...source.pricing,
      tax: { ...source.pricing.tax, name: read(source.pricing.tax.name) },
    },
    booking: {
      ...source.booking,
      fixedDurations: {
        ...source.booking.fixedDurations,
        durations: source.booking.fixedDurations.durations.map((duration) => ({
          ...duration,
          label: read(duration.label),
        })),
      },
    },
    pageUrl: view.utm ? attributed(source.pageUrl, view.utm) : source.pageUrl,
    distance: view.distance === undefined ? undefined : Math.round(view.distance * 1000) / 1000,
    deliveryPrice: view.deliveryPrice,
    opening: view.at === undefined ? undefined : openingAt(source.temporal, view.at),
    name: source.profile.name,
    logoURL: source.branding.logoURL,
    bannerURL: source.branding.banners.urls,
    currency: {
      isoName: source.pricing.currency.isoCode,
      symbol: source.pricing.currency.symbol,
    },
    lat: address.lat,
    lng: address.lng,
    address: address.address,
    addressComponents: address.addressComponents,
    externalRating: external === null ? 0 : external.rating,
    externalReviewsNb: external === null ? 0 : external.total,
    verticales: source.profile.verticales,
  };
}

type AddressFields = Pick<Store, 'geo' | 'lat' | 'lng' | 'address' | 'addressComponents'> & {
  readonly rentalPointSlug: string | undefined;
};

const NO_ADDRESS: AddressFields = {
  rentalPointSlug: undefined,
  geo: { location: null, locations: null },
  lat: 0,
  lng: 0,
  address: '',
  addressComponents: {
    administrativeAreaLevel1: '',
    administrativeAreaLevel2: '',
    city: '',
    country: '',
    placeId: '',
    postalCode: '',
    street: '',
    streetNumber: '',
  },
};

function describeAddress(
  source: SourceStore,
  locationIndex: number,
  read: (text: LocalizedText) => string,
): AddressFields {
  if (!source.geo.displayAddress) return NO_ADDRESS;
  const { main, rentalPoints } = source.geo;
  const describe = (location: SourceLocation): StoreLocation => ({
    ...location,
    name: read(location.name),
  });
  const queried = [main, ...rentalPoints][locationIndex] as SourceLocation;
  return {
    rentalPointSlug: locationIndex === 0 ? undefined : queried.slug,
    geo: {
      location: describe(queried),
      locations: rentalPoints.length === 0 ? null : rentalPoints.map(describe),
    },
    lat: queried.point.lat,
    lng: queried.point.lng,
    address: queried.address,
    addressComponents: { ...queried.components, placeId: queried.placeId },
  };
}

/** `localization.current` of `store` for a request with or without `lang`; the description decides. */
function currentLanguage(store: SourceStore, lang: Language | undefined): Language {
  const present = Object.keys(store.profile.description) as Language[];
  const { default: own } = store.localization;
  const wanted = [lang ?? own, 'fr', own] as const;
  return wanted.find((each) => present.includes(each)) ?? (present[0] as Language);
}

/** Current, else French, else the store's default, else the first entry of the map. */
function textIn(text: LocalizedText, current: Language, fallback: Language): string {
  if (typeof text === 'string') return text;
  return text[current] ?? text.fr ?? text[fallback] ?? (Object.values(text)[0] as string);
}

/** `pageUrl` with `utm` at the end of its query, in place of parameters of the same names. */
function attributed(pageUrl: string, utm: Utm): string {
  const added = UTM_PARAMETERS.filter((name) => utm[name] !== undefined);
  if (added.length === 0) return pageUrl;
  const [, base, query = '', fragment] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(pageUrl) ?? [];
  const kept = query.split('&').filter((part) => !added.some((name) => name === nameOf(part)));
  // An empty part at the end is the place for ours.
  if (kept.at(-1) === '') kept.pop();
  const ours = added.map((name) => `${name}=${encodeURIComponent(utm[name] as string)}`);
  return `${base}?${[...kept, ...ours].join('&')}${fragment}`;
}

function nameOf(parameter: string): string {
  return [...new URLSearchParams(`&${parameter}`).keys()][0] ?? '';
}
