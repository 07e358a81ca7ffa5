/**
 * One directory of a hundred stores, release after release: each differs from the one before in one
 * store, which is renamed, moved, given another slug, removed, or new under the slug of the one that
 * was removed. Every store says in its name, its address and its descriptions in all languages which
 * release changed it last.
 */

import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language, Verticale } from '../../../src/model/enumerations.ts';
import { buildLocation, buildStore } from '../../shared/store-builder.ts';

export const STORES = 100;

/** Languages of stores; the first is the default. */
const LANGUAGES: readonly (readonly Language[])[] = [
  ['fr', 'en'],
  ['de', 'en', 'it'],
  ['en'],
  ['it', 'fr', 'de', 'en'],
];

export const VERTICALES: readonly Verticale[] = ['BIKE', 'SKI', 'CAR', 'BOAT'];

/** Stores lie within some kilometres of them. */
export const TOWNS = Array.from({ length: 6 }, (_, town) => ({
  lat: 44 + town,
  lng: 2 + 2 * town,
}));

const NAMES = ['Vélo', 'velo', 'Zorn', 'Ärmel', 'Öse', 'Bici 10', 'Bici 9', 'ñu'];

/** What a change does to a directory. @param release the number of the release that changes it */
type Change = (stores: SourceStore[], release: number) => void;

/** Numbers spread over ids, so that new stores come between others. */
function idOf(number: number): string {
  return (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(24, '0');
}

/** The store with the mark of a release. */
function marked(store: SourceStore, release: number): SourceStore {
  const word = NAMES[release % NAMES.length];
  const [first, ...rest] = store.localization.available;
  const description = Object.fromEntries(
    [first, ...rest].map((language) => [language, `${language}: as of release ${release}`]),
  );
  return {
    ...store,
    profile: { ...store.profile, name: `${word} of release ${release}`, description },
    pageUrl: `https://stores.example/${store.slug}?release=${release}`,
  };
}

function placeIn(town: number, slug: string, offset: number) {
  const { lat, lng } = TOWNS[town % TOWNS.length] as (typeof TOWNS)[number];
  return buildLocation(slug, lat + (offset % 40) / 100, lng);
}

/** Store `number` as `release` brings it. */
function newStore(number: number, release: number, slug = `store-${number}`): SourceStore {
  const available = LANGUAGES[number % LANGUAGES.length] as readonly [Language];
  const store = buildStore(number, {
    id: idOf(number),
    slug,
    localization: { default: available[0], available: [...available] },
    geo: {
      displayAddress: number % 20 !== 0,
      main: placeIn(number, `main-${number}`, number),
      rentalPoints: number % 4 === 0 ? [placeIn(number + 1, `point-${number}`, 2 * number)] : [],
    },
  });
  const verticales = VERTICALES.filter((_, place) => (number >> place) % 2 === 0);
  return marked({ ...store, profile: { ...store.profile, verticales } }, release);
}

/** Which store a release changes: another one each time. */
const placeOf = (stores: readonly SourceStore[], release: number) => (37 * release) % stores.length;

function edit(change: (store: SourceStore, release: number) => SourceStore): Change {
  return (stores, release) => {
    const place = placeOf(stores, release);
    stores[place] = marked(change(stores[place] as SourceStore, release), release);
  };
}

const rename = edit((store) => store);

const move = edit((store, release) => {
  const main = placeIn(release, store.geo.main.slug, release);
  return { ...store, geo: { ...store.geo, main } };
});

const giveSlug = edit((store, release) => ({ ...store, slug: `shop-${release}` }));

/** A directory by release, the first of which is number 0. */
export function* directories(count: number): Generator<readonly SourceStore[]> {
  let stores = Array.from({ length: STORES }, (_, place) => newStore(place + 1, 0));
  let freeSlug = '';
  const remove: Change = (all, release) => {
    const [removed] = all.splice(placeOf(all, release), 1);
    freeSlug = removed?.slug ?? '';
  };
  const add: Change = (all, release) => {
    all.push(newStore(STORES + release, release, freeSlug));
  };
  const changes = [rename, move, giveSlug, remove, add];
  for (let release = 0; release < count; release++) {
    if (release > 0) {
      stores = [...stores];
      (changes[release % changes.length] as Change)(stores, release);
    }
    yield stores;
  }
}
