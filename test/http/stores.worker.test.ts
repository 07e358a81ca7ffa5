/** A list of stores and one store from the outside: each decision about what is shown, by an example. */
import { reset } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type Store, storeSchema } from '../../src/model/store.ts';
import { buildProfile, buildStore, storeId } from '../support/stores/store-builder.ts';
import {
  hiddenRatedStore,
  hiddenStore,
  namedStore,
  ratedStore,
  storeAt,
} from '../support/stores/store-variants.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const NEAR = 'position.latitude=48&position.longitude=7&position.radius';

afterEach(() => reset());

interface List {
  readonly total: number;
  readonly docs: Store[];
}

/** Publishes `stores` and returns a way to ask for JSON. */
async function serve(stores: readonly SourceStore[]) {
  await publishStores(stores);
  const token = await issueToken();
  const stage = openStage();
  return async <Body = List>(path: string): Promise<Body> => {
    const response = await stage.request(path, { token });
    return response.json<Body>();
  };
}

const slugsOf = ({ docs }: List): string[] => docs.map(({ slug }) => slug);

describe('a list', () => {
  it('has whole stores, in order of id, that follow the schema and its order of keys', async () => {
    const ask = await serve([buildStore(3), buildStore(1), ratedStore(2, 4.5, 10)]);
    const { total, docs } = await ask(LIST);
    expect(total).toBe(3);
    expect(docs.map(({ id }) => id)).toEqual([storeId(1), storeId(2), storeId(3)]);
    for (const doc of docs) {
      expect(storeSchema.parse(doc)).toEqual(doc);
      const optional = ['rentalPointSlug', 'distance'];
      expect(Object.keys(doc)).toEqual(STORE_FIELDS.filter((field) => !optional.includes(field)));
    }
  });

  it('is cut to skip and limit, and counts everything', async () => {
    const ask = await serve(Array.from({ length: 120 }, (_, index) => buildStore(index)));
    const page = async (query: string) => {
      const list = await ask(`${LIST}?fields=slug&${query}`);
      expect(list.total).toBe(120);
      return [list.docs.length, list.docs[0]?.slug];
    };
    expect(await page('')).toEqual([100, 'store-0']);
    expect(await page('skip=110')).toEqual([10, 'store-110']);
    expect(await page('skip=5&limit=2')).toEqual([2, 'store-5']);
    expect(await page('limit=0')).toEqual([0, undefined]);
    expect(await page('skip=4294967297')).toEqual([0, undefined]);
  });

  it('sorts by several keys, either way, missing values last', async () => {
    const ask = await serve([
      ratedStore(1, 3, 9),
      ratedStore(2, 5, 9),
      buildStore(3),
      ratedStore(4, 4, 2),
    ]);
    const order = async (sort: string) => slugsOf(await ask(`${LIST}?fields=slug&sort=${sort}`));
    expect(await order('reviews.external.rating')).toEqual([
      'store-1',
      'store-4',
      'store-2',
      'store-3',
    ]);
    expect(await order('externalRating__desc')).toEqual([
      'store-2',
      'store-4',
      'store-1',
      'store-3',
    ]);
    expect(await order('externalReviewsNb__desc,externalRating__desc')).toEqual([
      'store-2',
      'store-1',
      'store-4',
      'store-3',
    ]);
    expect(await order('id__desc')).toEqual(['store-4', 'store-3', 'store-2', 'store-1']);
  });

  it('sorts names as its language does, numbers in them by value', async () => {
    const ask = await serve([
      namedStore(1, 'Shop 10'),
      namedStore(2, 'shop 9'),
      namedStore(3, 'Élan'),
    ]);
    expect(slugsOf(await ask(`${LIST}?sort=name&lang=fr`))).toEqual([
      'store-3',
      'store-2',
      'store-1',
    ]);
  });

  it('keeps the stores that pass every filter', async () => {
    const withVerticales = (number: number, ...verticales: Store['verticales']) => {
      const store = buildStore(number);
      return { ...store, profile: { ...store.profile, verticales } };
    };
    const ask = await serve([
      withVerticales(1, 'BIKE'),
      withVerticales(2, 'BIKE', 'SKI'),
      withVerticales(3, 'CAR'),
      withVerticales(4),
    ]);
    const kept = async (query: string) => slugsOf(await ask(`${LIST}?fields=slug&${query}`));
    expect(await kept('verticale.in=SKI,CAR')).toEqual(['store-2', 'store-3']);
    expect(await kept('verticale.notIn=SKI&verticale.notIn=CAR')).toEqual(['store-1', 'store-4']);
    expect(await kept('verticale.equals=BIKE')).toEqual(['store-1', 'store-2']);
    expect(await kept('verticale.equals=BIKE&verticale.notEquals=SKI')).toEqual(['store-1']);
    expect(await kept('verticale.equals=BIKE&verticale.in=CAR')).toEqual([]);
  });
});

describe('languages and countries', () => {
  it('keep the stores with any of them, countries whatever their case and accents', async () => {
    const inCountry = (number: number, country: string, ...available: Language[]) => {
      const store = buildStore(number);
      const canonicalComponents = { ...store.geo.main.canonicalComponents, country };
      const main = { ...store.geo.main, canonicalComponents };
      const localization = { ...store.localization, available };
      return { ...store, localization, geo: { ...store.geo, main } };
    };
    const hidden = inCountry(4, 'España', 'en');
    const ask = await serve([
      inCountry(1, 'España', 'en', 'es'),
      inCountry(2, 'Österreich', 'en', 'de'),
      inCountry(3, '', 'en'),
      { ...hidden, geo: { ...hidden.geo, displayAddress: false } },
    ]);
    const kept = async (query: string) => slugsOf(await ask(`${LIST}?fields=slug&${query}`));
    expect(await kept('language.in=es,de')).toEqual(['store-1', 'store-2']);
    expect(await kept('language.in=en&country.in=ESPANA')).toEqual(['store-1']);
    expect(await kept('country.in=osterreich,Atlantis')).toEqual(['store-2']);
    expect(await kept('country.in=Atlantis')).toEqual([]);
  });
});

describe('a position', () => {
  it('finds main locations and rental points, nearest first, and shows the one found', async () => {
    const ask = await serve([
      storeAt(1, [48.1, 7]),
      storeAt(2, [60, 7], [48.05, 7]),
      storeAt(3, [50, 7]),
      hiddenStore(4),
    ]);
    const { total, docs } = await ask(`${LIST}?${NEAR}=25`);
    expect(total).toBe(2);
    expect(
      docs.map(({ slug, distance, rentalPointSlug, lat }) => [
        slug,
        distance,
        rentalPointSlug,
        lat,
      ]),
    ).toEqual([
      ['store-2', 5.56, 'point-1', 48.05],
      ['store-1', 11.119, undefined, 48.1],
    ]);
    const [nearest] = docs;
    expect(nearest?.geo.location?.slug).toBe('point-1');
    expect(nearest?.address).toBe(nearest?.geo.location?.address);
    expect(Object.keys(nearest ?? {})).toEqual([...STORE_FIELDS]);
    expect((await ask(`${LIST}?${NEAR}=25&sort=distance__desc`)).docs[0]?.slug).toBe('store-1');
    expect((await ask(`${LIST}?${NEAR}=25&sort=id`)).docs[0]?.slug).toBe('store-1');
  });

  it('may have a radius of 0', async () => {
    const ask = await serve([storeAt(1, [48, 7]), storeAt(2, [48.001, 7])]);
    expect(slugsOf(await ask(`${LIST}?${NEAR}=0`))).toEqual(['store-1']);
  });
});

describe('facets', () => {
  it('count what matches, each without the boxes that are ticked for it', async () => {
    const store = (number: number, country: string, ...verticales: Store['verticales']) => {
      const { geo, profile } = buildStore(number);
      const canonicalComponents = { ...geo.main.canonicalComponents, country };
      const main = { ...geo.main, canonicalComponents };
      return buildStore(number, {
        profile: { ...profile, verticales },
        geo: { ...geo, main },
      });
    };
    const ask = await serve([
      store(1, '__proto__', 'BIKE', 'SKI'),
      store(2, 'France', 'BIKE'),
      store(3, 'France', 'SKI'),
      store(4, '', 'CAR'),
    ]);
    const facets = 'facets=countries,verticales,languages&limit=0';
    expect(await ask(`${LIST}?${facets}&verticale.in=BIKE`)).toEqual({
      total: 2,
      docs: [],
      facets: {
        verticales: { BIKE: 2, CAR: 1, SKI: 2 },
        languages: { fr: 2, en: 2 },
        countries: JSON.parse('{"France":1,"__proto__":1}'),
      },
    });
    expect(await ask(`${LIST}?${facets}&verticale.notIn=CAR&country.in=france`)).toMatchObject({
      facets: { verticales: { BIKE: 1, SKI: 1 }, countries: { France: 2 } },
    });
    expect(Object.keys(await ask(`${LIST}?facets=languages&fields=id`))).toEqual([
      'total',
      'docs',
      'facets',
    ]);
  });
});

describe('an area', () => {
  it('finds what is shown in it, across the antimeridian too, and shows the location found', async () => {
    const ask = await serve([
      storeAt(1, [10, 179]),
      storeAt(2, [60, 7], [10, -179.5]),
      storeAt(3, [10, 180], [10, 179.9]),
      storeAt(4, [10, 178]),
      hiddenStore(5),
    ]);
    const { total, docs } = await ask(
      `${LIST}?bbox=178.5,9,-179,11&fields=slug,rentalPointSlug,lng,distance`,
    );
    expect(total).toBe(3);
    expect(docs).toEqual([
      { slug: 'store-1', lng: 179 },
      { slug: 'store-2', rentalPointSlug: 'point-1', lng: -179.5 },
      { slug: 'store-3', lng: 180 },
    ]);
    expect(slugsOf(await ask(`${LIST}?bbox=-180,9,-179.9,11`))).toEqual(['store-3']);
    expect(slugsOf(await ask(`${LIST}?bbox=-180,-90,180,90&sort=slug__desc&limit=2`))).toEqual([
      'store-4',
      'store-3',
    ]);
  });
});

describe('words', () => {
  /** Store `number` of a name, at an address in a town. */
  function townStore(number: number, name: string, city: string, postalCode = ''): SourceStore {
    const { geo } = storeAt(number, [48, 7]);
    const components = { ...geo.main.components, city, postalCode };
    const main = { ...geo.main, components, canonicalComponents: components };
    return { ...namedStore(number, name), geo: { ...geo, main } };
  }

  it('find names, towns and postcodes by their beginnings, those that fit best first', async () => {
    const ask = await serve([
      townStore(1, 'Louvre', 'Lyon'),
      townStore(2, 'Lyonnais', 'Paris'),
      townStore(3, 'Vélos de Lyon', 'Lyon'),
      townStore(4, 'Łódź & Œuvre', 'Amsterdam', '1012 AB'),
      { ...townStore(5, 'Hidden', 'Lyon'), geo: hiddenStore(5).geo },
    ]);
    const found = async (q: string, more = '') =>
      slugsOf(await ask(`${LIST}?q=${encodeURIComponent(q)}${more}`));
    expect(await found('lyon')).toEqual(['store-3', 'store-2', 'store-1']);
    expect(await found('lyon', '&sort=id__desc')).toEqual(['store-3', 'store-2', 'store-1']);
    expect(await found('LYON', '&sort=id')).toEqual(['store-1', 'store-2', 'store-3']);
    expect(await found('vel lyon')).toEqual(['store-3']);
    for (const q of ['lodz', 'oeuv', '1012ab', '1012 AB', 'ab amster']) {
      expect(await found(q), q).toEqual(['store-4']);
    }
    expect(await found('hidden lyon')).toEqual([]);
  });

  it('may have a slip where no store has them as they are written', async () => {
    await publishStores([
      townStore(1, 'Chalet', 'Annecy'),
      townStore(2, 'Chamonix', 'Annecy'),
      townStore(3, 'Anecdote', 'Chalon', '73420'),
    ]);
    const token = await issueToken();
    const stage = openStage();
    const found = async (q: string, more = '') => {
      const path = `${LIST}?q=${encodeURIComponent(q)}&fields=slug${more}`;
      const response = await stage.request(path, { token });
      return [response.headers.get('x-search-reading'), ...slugsOf(await response.json<List>())];
    };
    expect(await found('anecdo')).toEqual(['exact', 'store-3']);
    expect(await found('anencdo')).toEqual(['close', 'store-3']);
    expect(await found('annnecy chalte')).toEqual(['close', 'store-1']);
    expect(await found('anneyc')).toEqual(['close', 'store-1', 'store-2']);
    // A letter too many at the end of a word that begins no longer one.
    expect(await found('chamonixe')).toEqual(['close', 'store-2']);
    // Four letters, or a digit among them, are taken as they are written.
    for (const q of ['chla', '73421', 'chalet1']) expect(await found(q), q).toEqual(['close']);
    // A store that other conditions leave out decides the reading all the same.
    expect(await found('chamonix', `&id.in=${storeId(1)}`)).toEqual(['exact']);
  });

  it('lead on by skip, in the order of ids too, and stay out of the log', async () => {
    await publishStores([1, 2, 3].map((number) => namedStore(number, 'Secretive')));
    const token = await issueToken();
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
    const response = await openStage().request(`${LIST}?q=secretive&sort=id&limit=2`, { token });
    vi.restoreAllMocks();
    expect(response.headers.get('link')).toContain('?q=secretive&sort=id&limit=2&skip=2>');
    expect(lines.join()).toContain('q=1 words');
    expect(lines.join()).not.toContain('secretive');
  });
});

describe('an instant', () => {
  /** Store `number`, open from 9 to 18 in a zone. */
  function openStore(number: number, timezone: string): SourceStore {
    const row = { id: 'a', day: '*', from: '09:00', to: '18:00', open: true } as const;
    const store = buildStore(number);
    const schedule = { ...store.temporal.schedule, openingHours: [row] };
    return { ...store, temporal: { timezone, schedule } };
  }

  it('keeps the stores that are open then, and is told in every answer and link', async () => {
    await publishStores([
      openStore(1, 'Europe/Paris'),
      openStore(2, 'America/New_York'),
      openStore(3, 'Europe/Paris'),
      // A zone that the publisher's runtime knows and this one does not: no other store is lost by it.
      openStore(4, 'Mars/Olympus'),
    ]);
    const token = await issueToken();
    const stage = openStage();
    const ask = (query: string, init: RequestInit = {}) =>
      stage.request(`${LIST}?fields=slug&${query}`, { token, ...init });
    const response = await ask('openAt=2026-07-01T10:00%2B02:00&limit=1');
    const instant = '2026-07-01T08:00:00.000Z';
    expect(response.headers.get('x-open-at')).toBe(instant);
    expect(response.headers.get('link')).toContain(`openAt=${instant}`);
    expect(response.headers.get('link')).not.toContain('%2B02');
    expect(await response.json()).toEqual({ total: 2, docs: [{ slug: 'store-1' }] });
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
    const same = await ask(`openAt=${instant}&limit=1`, { headers });
    expect([same.status, same.headers.get('x-open-at')]).toEqual([304, instant]);
    const head = await ask('openAt=2026-07-01T02:00Z', { method: 'HEAD' });
    expect(head.headers.get('x-open-at')).toBe('2026-07-01T02:00:00.000Z');
    const now = await ask('openAt=now&limit=0');
    const shown = now.headers.get('x-open-at') ?? '';
    expect(shown).toMatch(/:00\.000Z$/);
    expect(Math.abs(Date.now() - Date.parse(shown))).toBeLessThan(120_000);
  });
});

describe('fields', () => {
  it('are all that is shown, in contract order', async () => {
    const ask = await serve([storeAt(1, [48, 7], [49, 7], [50, 7])]);
    const path = `${LIST}/store-1?fields=slug,geo.locations.slug,profile.name,id,rentalPointSlug`;
    expect(JSON.stringify(await ask(path))).toBe(
      JSON.stringify({
        id: storeId(1),
        slug: 'store-1',
        profile: { name: 'Store 1' },
        geo: { locations: [{ slug: 'point-1' }, { slug: 'point-2' }] },
      }),
    );
    expect((await ask(`${LIST}?fields=distance`)).docs).toEqual([{}]);
    expect((await ask(`${LIST}?fields=distance&${NEAR}=1`)).docs).toEqual([{ distance: 0 }]);
  });
});

describe('the order of ids', () => {
  const ids = ['00000000000000000000000A', '00000000000000000000000b', '0000000000000000000000A0'];
  const stores = ids.map((id, index) => buildStore(index + 1, { id }));

  it('is by their values, and shows them as the export writes them', async () => {
    const ask = await serve(stores.toReversed());
    expect((await ask(`${LIST}?fields=id`)).docs).toEqual(ids.map((id) => ({ id })));
    const descending = await ask(`${LIST}?fields=id&sort=id__desc`);
    expect(descending.docs).toEqual(ids.toReversed().map((id) => ({ id })));
  });

  it('goes on after an id in any case', async () => {
    const ask = await serve(stores);
    for (const [place, id] of ids.entries()) {
      for (const after of [id, id.toLowerCase(), id.toUpperCase()]) {
        const { docs } = await ask(`${LIST}?fields=id&after=${after}`);
        expect(docs, after).toEqual(ids.slice(place + 1).map((each) => ({ id: each })));
      }
    }
  });
});

describe('one store', () => {
  it('is found by its id in any case and by its slug, exactly', async () => {
    const ask = await serve([buildStore(10)]);
    const id = storeId(10);
    const whole = await ask<Store>(`${LIST}/${id}`);
    expect(whole.id).toBe(id);
    expect(await ask(`${LIST}/${id.toUpperCase()}`)).toEqual(whole);
    expect(await ask(`${LIST}/store-10`)).toEqual(whole);
    expect((await ask(LIST)).docs).toEqual([whole]);
    for (const name of ['STORE-10', 'store-1', 'f'.repeat(24), `${id}0`]) {
      expect(await ask(`${LIST}/${name}`)).toMatchObject({ status: 404, code: 'store_unknown' });
    }
  });

  it('can refer to a rental point', async () => {
    const ask = await serve([storeAt(1, [48, 7], [49, 8]), hiddenStore(2)]);
    const store = await ask<Store>(`${LIST}/store-1?rentalPointSlug=point-1`);
    expect(store.rentalPointSlug).toBe('point-1');
    expect(store.geo.location?.slug).toBe('point-1');
    expect([store.lat, store.lng]).toEqual([49, 8]);
    for (const path of [
      'store-1?rentalPointSlug=main-1',
      'store-1?rentalPointSlug=POINT-1',
      'store-2?rentalPointSlug=point-1',
    ]) {
      expect(await ask(`${LIST}/${path}`)).toMatchObject({
        status: 404,
        code: 'rental_point_unknown',
      });
    }
  });

  it('shows nothing of a hidden address', async () => {
    const ask = await serve([hiddenRatedStore(1)]);
    const store = await ask<Store>(`${LIST}/store-1`);
    expect(store.reviews.external).toMatchObject({ rating: 4, placeId: '', mapsUrl: '' });
    expect(store.geo).toEqual({ location: null, locations: null });
    expect([store.lat, store.lng, store.address]).toEqual([0, 0, '']);
    expect(new Set(Object.values(store.addressComponents))).toEqual(new Set(['']));
  });

  it('speaks the language asked for, else French, else its own', async () => {
    const german = buildStore(2, {
      localization: { default: 'de', available: ['de', 'en'] },
      profile: buildProfile({ description: { en: 'Shop', de: 'Laden' } }),
    });
    const ask = await serve([buildStore(1), german]);
    const spoken = async (path: string) => {
      const { profile, localization } = await ask<Store>(`${LIST}/${path}`);
      return [localization.current, profile.description];
    };
    expect(await spoken('store-1')).toEqual(['fr', 'Magasin 1']);
    expect(await spoken('store-1?lang=en')).toEqual(['en', 'Shop 1']);
    expect(await spoken('store-1?lang=pl')).toEqual(['fr', 'Magasin 1']);
    expect(await spoken('store-2')).toEqual(['de', 'Laden']);
    expect(await spoken('store-2?lang=en')).toEqual(['en', 'Shop']);
    expect(await spoken('store-2?lang=it')).toEqual(['de', 'Laden']);
  });
});

describe('attribution', () => {
  it('is appended to page URLs for the tokens that carry it, and for no others', async () => {
    const { geo } = storeAt(1, [48, 7]);
    const pageUrl = 'https://stores.example/1?utm_source=old&a=1#map';
    await publishStores([buildStore(1, { pageUrl, geo })]);
    const stage = openStage();
    const plain = await issueToken();
    const attributed = await issueToken({ utm: { utm_source: 'trip & co', utm_campaign: 'x' } });
    const pageUrlFor = async (path: string, token: string) => {
      const body = await (await stage.request(path, { token })).json<List & Store>();
      return body.pageUrl ?? body.docs[0]?.pageUrl;
    };
    for (const path of [LIST, `${LIST}/store-1`, `${LIST}?fields=pageUrl`, `${LIST}?${NEAR}=9`]) {
      expect(await pageUrlFor(path, attributed)).toBe(
        'https://stores.example/1?a=1&utm_source=trip%20%26%20co&utm_campaign=x#map',
      );
      expect(await pageUrlFor(path, plain)).toBe(pageUrl);
    }
  });
});
