/**
 * Lists and single stores from the outside: an example of each decision about what is shown, worked out
 * by hand, and the headers that go with it. What the oracle says of random requests is beside this file.
 */
import { reset } from 'cloudflare:test';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Store } from '../../src/model/store.ts';
import { buildProfile, buildStore, storeId } from '../support/stores/store-builder.ts';
import { hiddenStore, ratedStore, storeAt } from '../support/stores/store-variants.ts';
import { issueToken, openStage, publishStores, type Stage } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const NEAR = 'position.latitude=48&position.longitude=7&position.radius';

let stage: Stage;
let token: string;

/** Publishes, and begins with an isolate that knows nothing. */
async function serve(stores: readonly SourceStore[]): Promise<void> {
  await publishStores(stores);
  token = await issueToken();
  stage = openStage();
}

const ask = (query: string, init: RequestInit = {}) =>
  stage.request(`${LIST}?${query}`, { token, ...init });

describe('an example', () => {
  const shop = (store: SourceStore, name: string, ...verticales: Store['verticales']) => ({
    ...store,
    profile: buildProfile({ name, verticales }),
  });

  beforeAll(() =>
    serve([
      { ...shop(storeAt(11, [48.1, 7]), 'Shop 20', 'BIKE'), reviews: ratedStore(1, 3, 9).reviews },
      {
        ...shop(storeAt(12, [60, 7], [48.05, 7]), 'shop 9', 'BIKE', 'SKI'),
        reviews: ratedStore(2, 5, 9).reviews,
      },
      shop(storeAt(13, [10, 180], [10, 179.9]), 'Élan', 'CAR'),
      shop(hiddenStore(14), 'Shop of Lyon'),
    ]),
  );
  afterAll(() => reset());

  it.each([
    ['', 'store-11 store-12 store-13 store-14'],
    ['skip=1&limit=2', 'store-12 store-13'],
    ['sort=externalReviewsNb,externalRating__desc', 'store-12 store-11 store-13 store-14'],
    ['sort=name&lang=fr', 'store-13 store-12 store-11 store-14'],
    ['verticale.in=SKI,CAR', 'store-12 store-13'],
    ['verticale.equals=BIKE&verticale.notEquals=SKI', 'store-11'],
    [`${NEAR}=25`, 'store-12 store-11'],
    [`${NEAR}=25&sort=distance__desc`, 'store-11 store-12'],
  ])('of "%s" finds %s', async (query, slugs) => {
    const { docs } = await (await ask(query)).json<{ docs: Store[] }>();
    expect(docs.map(({ slug }) => slug).join(' ')).toBe(slugs);
  });
});

describe('countries', () => {
  const inCountry = (number: number, country: string, displayAddress = true): SourceStore => {
    const { main } = buildStore(number).geo;
    const canonicalComponents = { ...main.canonicalComponents, country };
    const geo = { displayAddress, main: { ...main, canonicalComponents }, rentalPoints: [] };
    return buildStore(number, { geo });
  };

  beforeAll(() => {
    const countries = [
      ...[
        'FRANCE',
        'France ',
        'France ',
        "COTE D'IVOIRE",
        'Côte d’Ivoire',
        'Guinea',
        'Guinea-Bissau',
      ],
      ...['Korea, Republic of', '__proto__', '10', '9', 'île', 'Baden-Baden', '', ' ', '-', 'ʼ'],
    ];
    const hidden = [18, 19].map((number) => inCountry(number, 'FRANCE', false));
    return serve([...countries.map((name, index) => inCountry(index + 1, name)), ...hidden]);
  });
  afterAll(() => reset());

  it.each([
    ['France', 3],
    ['FRANCE%20', 3],
    ['fran%C2%ADce', 3],
    ["cote+d'ivoire", 2],
    ['C%C3%B4te-d%CA%BCIvoire', 2],
    ['Guinea', 1],
    ['guinea%C2%A0bissau', 1],
    ['guinea,Guinea%E2%80%91Bissau', 2],
    ['Guineabissau', 0],
    ['Bissau+Guinea', 0],
    ['Baden', 0],
    ['Korea,%20Republic%20of', 0],
    ['Korea%20Republic%20of', 1],
    ['__proto__', 1],
    ['constructor', 0],
  ])('%s selects %i stores', async (country, total) => {
    const response = await ask(`country.in=${country}&limit=0`);
    expect(await response.json()).toEqual({ total, docs: [] });
  });

  it('are counted once each, as most stores of the release spell them', async () => {
    const countsOf = async (query: string) =>
      (await ask(`${query}&facets=countries&limit=0`)).text();
    const all = [
      ...['"10":1', '"9":1', '"Baden-Baden":1', '"COTE D\'IVOIRE":2', '"France ":3', '"Guinea":1'],
      ...['"Guinea-Bissau":1', '"Korea, Republic of":1', '"__proto__":1', '"île":1'],
    ];
    const facets = `"facets":{"countries":{${all}}}}`;
    expect(await countsOf('')).toBe(`{"total":19,"docs":[],${facets}`);
    expect(await countsOf('country.in=france')).toBe(`{"total":3,"docs":[],${facets}`);
    // Of these stores most write FRANCE, and one is all that writes Côte d’Ivoire.
    const some = await countsOf(`id.in=${[1, 5].map(storeId)}`);
    expect(some).toContain('"countries":{"COTE D\'IVOIRE":1,"France ":1}');
  });
});

describe('words', () => {
  afterEach(() => reset());

  it('lead on by skip, in the order of ids too, and stay out of the log', async () => {
    const profile = buildProfile({ name: 'Secretive' });
    await serve([1, 2, 3].map((number) => buildStore(number, { profile })));
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => lines.push(String(line)));
    const response = await ask('q=secretive&sort=id&fields=id,slug&limit=2');
    const best = await ask('q=secretive&limit=1');
    vi.restoreAllMocks();
    // A comma may be taken for the end of a link.
    const next = '?q=secretive&sort=id&fields=id%2Cslug&limit=2&skip=2>';
    expect(response.headers.get('link')).toContain(next);
    expect(lines.join()).toContain('q=1 words');
    expect(lines.join()).not.toContain('secretive');
    expect(best.headers.get('link')).toContain('?q=secretive&limit=1&skip=1>');
  });

  it('are read with slips where no store at all has them, and it is told', async () => {
    const named = (number: number, name: string) =>
      buildStore(number, { profile: buildProfile({ name, verticales: ['BIKE'] }) });
    await serve([named(1, 'Marché 12345'), hiddenStore(2)]);
    const readingOf = async (query: string) => {
      const response = await ask(query);
      const { total } = await response.json<{ total: number }>();
      return `${response.headers.get('x-search-reading')} ${total}`;
    };
    expect(await readingOf('q=marche')).toBe('exact 1');
    // A store that other conditions leave out has the word.
    expect(await readingOf('q=marche&verticale.in=SKI')).toBe('exact 0');
    expect(await readingOf('q=mrache&limit=0')).toBe('close 1');
    const head = await ask('q=mrache', { method: 'HEAD' });
    expect(head.headers.get('x-search-reading')).toBe('close');
    for (const close of ['narche', 'mmarche', 'arche', 'marcxe', 'marcehe', 'mache']) {
      expect(await readingOf(`q=${close}`), close).toBe('close 1');
    }
    // Two slips, digits, four letters.
    for (const none of ['amrhce', '12354', 'mrac']) {
      expect(await readingOf(`q=${none}`), none).toBe('close 0');
    }
    // Only the hidden store has a rental point in `Town point-1`.
    expect(await readingOf('q=town+point')).toBe('close 0');
  });
});

describe('an instant', () => {
  afterEach(() => reset());

  it('is told in every answer and link', async () => {
    await serve([buildStore(1), buildStore(2)]);
    const response = await ask('fields=slug&openAt=2026-07-01T10:00%2B02:00&limit=1');
    const instant = '2026-07-01T08:00:00.000Z';
    expect(response.headers.get('x-open-at')).toBe(instant);
    expect(response.headers.get('link')).toContain(`openAt=${instant}`);
    expect(response.headers.get('link')).not.toContain('%2B02');
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
    const same = await ask(`fields=slug&openAt=${instant}&limit=1`, { headers });
    expect([same.status, same.headers.get('x-open-at')]).toEqual([304, instant]);
    const head = await ask('openAt=2026-07-01T02:00Z', { method: 'HEAD' });
    expect(head.headers.get('x-open-at')).toBe('2026-07-01T02:00:00.000Z');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-07-01T08:30:12Z') });
    const now = await ask('openAt=now&limit=0');
    vi.setSystemTime(Date.parse('2026-07-01T08:31:00Z'));
    const later = await ask('openAt=now&limit=0');
    vi.useRealTimers();
    expect(now.headers.get('x-open-at')).toBe('2026-07-01T08:30:00.000Z');
    expect(later.headers.get('x-open-at')).toBe('2026-07-01T08:31:00.000Z');
  });
});
