/** The requests that a state means, and how they look in a shell. */
import type { FieldPath } from '../../../../client/src/fields.ts';
import type { Area, WalkQuery } from '../../../../client/src/query.ts';
import type { ExploreState } from './state.ts';

/** What each row of the list and each pin of the map is made of. */
export const ROW_FIELDS = [
  'id',
  'slug',
  'rentalPointSlug',
  'profile.name',
  'profile.verticales',
  'geo.location.point',
  'geo.location.components.city',
  'reviews.external.rating',
  'reviews.external.total',
  'temporal.timezone',
  'opening',
] as const satisfies readonly FieldPath[];

/** Any question, with fields as a program may choose them. */
export type Question = WalkQuery<readonly FieldPath[]>;

/** Returns which stores are asked for. @param area null: without a place and words, all of them */
export function filtersOf(state: ExploreState, area: Area | null): Question {
  const { place, words, verticales, languages, countries } = state;
  return {
    position: place
      ? { latitude: place.latitude, longitude: place.longitude, radius: place.radius }
      : undefined,
    q: words || undefined,
    bbox: place || words ? undefined : (area ?? undefined),
    verticale: among(verticales),
    language: among(languages),
    country: among(countries),
    openAt: state.isOpenNow ? 'now' : undefined,
  };
}

/** Asks for any of these words; nothing where there are none. */
const among = <Word>(words: readonly Word[]) => (words.length > 0 ? { in: words } : undefined);

/** Returns the query for the stores themselves, with few fields: there may be thousands. */
export function storesQuery(state: ExploreState, area: Area | null): Question {
  const fields: FieldPath[] = [...ROW_FIELDS, ...(state.place ? (['distance'] as const) : [])];
  return { ...filtersOf(state, area), at: 'now', fields, limit: 100 };
}

/** Returns what a state asks, without the area of the map: its answer is right for all states that ask the same. */
export const questionOf = (state: ExploreState): string => JSON.stringify(storesQuery(state, null));

/** Writes a line for a POSIX shell, without the token. @param url absolute */
export function curlLine(url: string): string {
  return `curl -H "x-access-token: $TOKEN" '${url.replaceAll("'", "'\\''")}'`;
}
