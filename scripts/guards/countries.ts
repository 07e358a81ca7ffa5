/** Countries, by the points that lie in them, by what people call them, and by their time zones. */
import { createRequire } from 'node:module';
import { clockOf } from '../../client/src/zone-clock.ts';
import { HOUR } from '../../src/hours/clock.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import type { Point } from '../../src/model/location.ts';

/** A day on which offsets are compared. */
const COMPARED_DAY = Date.UTC(2026, 0, 1);

/** Loads the borders at the first question: that takes as long as the start of a command. */
function borders(): typeof import('@rapideditor/country-coder') {
  return createRequire(import.meta.url)('@rapideditor/country-coder');
}

/** Returns the ISO codes of the country at a point and of its territory there; null in the open sea. */
export function countriesAt({ lat, lng }: Point): string[] | null {
  const areas = borders().featuresContaining([lng, lat]);
  return areas.length === 0 ? null : areas.flatMap(({ properties }) => properties.iso1A2 ?? []);
}

/** By the names of countries in small letters: in our languages, and in the first language of each country. */
let codes: ReadonlyMap<string, string> | null = null;

/** Returns the ISO code of a country by its name or another code; null where no country is called so. */
export function countryCode(text: string): string | null {
  codes ??= new Map(readNames());
  return codes.get(text.trim().toLowerCase()) ?? borders().iso1A2Code(text);
}

function* readNames() {
  const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'region' });
  const names = LANGUAGES.map(namesIn);
  for (const { properties } of borders().borders.features) {
    if (properties.iso1A2 === undefined) continue;
    // `FX` is France too.
    const { language, region = '' } = new Intl.Locale(`und-${properties.iso1A2}`).maximize();
    for (const each of [...names, namesIn(language)]) {
      yield [`${each.of(region)}`.toLowerCase(), region] as const;
    }
  }
}

/** Time zones by the code of their country: `Intl` takes half a millisecond to find them. */
const zonesByCountry = new Map<string, readonly string[]>();

function zonesOf(country: string): readonly string[] {
  const zones =
    zonesByCountry.get(country) ?? new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
  zonesByCountry.set(country, zones);
  return zones;
}

/** Returns whether one of some countries has a time zone, or one less than `apart` hours from it; of none it is unknown. */
export function mayHaveZone(countries: readonly string[], zone: string, apart: number): boolean {
  const zones = countries.flatMap(zonesOf);
  if (zones.length === 0 || zones.includes(zone)) return true;
  const offsetOf = (name: string) => clockOf(name).spanAt(COMPARED_DAY).offset;
  return zones.some((name) => Math.abs(offsetOf(name) - offsetOf(zone)) < apart * HOUR);
}
