/** What `/explore` asks of the service: the requests, and how pages of a list come together. */
import { describe, expect, it } from 'vitest';
import type { Wait } from '../../client/src/retries.ts';
import { searchOf } from '../../client/src/search.ts';
import { clientCode } from '../../web/explore/browser/client-code.ts';
import { type Found, loadStores } from '../../web/explore/browser/load-stores.ts';
import { curlLine, fieldsOf, listPath, storeQuery } from '../../web/explore/browser/request.ts';
import { Search } from '../../web/explore/browser/search.ts';
import { Service } from '../../web/explore/browser/service.ts';
import { type ExploreState, FIRST_STATE } from '../../web/explore/browser/state.ts';
import { parseGetQuery, parseListQuery } from '../support/parse-query.ts';
import { type ListServer, openListServer } from './support/list-server.ts';

const NEAR_PARIS: ExploreState = {
  ...FIRST_STATE,
  position: { latitude: 48.86, longitude: 2.35, radius: 25 },
  verticales: ['BIKE', 'CAR'],
  verticaleFilter: 'notIn',
  lang: 'fr',
  sort: 'profile.name__desc',
  fields: ['geo', 'pricing.tax.name'],
  opening: 'open',
};

const FIRST_PAGE = { skip: 0, isShown: true };

describe('the requests of a state', () => {
  it('are understood by the service, with everything that was chosen', () => {
    const query = parseListQuery(listPath(NEAR_PARIS, FIRST_PAGE).split('?')[1] ?? '');
    expect(query).toMatchObject({
      limit: 100,
      language: 'fr',
      conditions: [{ text: 'verticales=0,0,17' }, { text: 'position=48.86,2.35,25' }],
      sort: [{ column: 'name', descending: true }],
    });
    const store = searchOf(storeQuery(NEAR_PARIS, 'gare du nord'));
    expect(parseGetQuery(store)).toMatchObject({
      rentalPointSlug: 'gare du nord',
      language: 'fr',
    });
  });

  it('ask for no field twice, nor for one within another', () => {
    expect(fieldsOf(NEAR_PARIS, true)).toEqual([
      'id',
      'slug',
      'rentalPointSlug',
      'profile.name',
      'distance',
      'temporal',
      'geo',
      'pricing.tax.name',
    ]);
    expect(fieldsOf(NEAR_PARIS, false)).not.toContain('pricing.tax.name');
  });

  it('keep the token out of a shell line, and a quote within its quotes', () => {
    const line = curlLine("https://stores.example/v2/external/stores?lang=fr'", true);
    expect(line).toBe(
      `curl -H "x-access-token: $TOKEN" 'https://stores.example/v2/external/stores?lang=fr'\\'''`,
    );
  });

  it('are written for the client with numbers, lists and nested names', () => {
    const code = clientCode(`https://stores.example${listPath(NEAR_PARIS, FIRST_PAGE)}`);
    expect(code).toContain("baseUrl: 'https://stores.example'");
    expect(code).toContain(`  position: {
    latitude: 48.86,
    longitude: 2.35,
    radius: 25,
  },
  verticale: {
    notIn: ['BIKE', 'CAR'],
  },
  lang: 'fr',
  sort: ['profile.name__desc'],
  fields: ['id', 'slug', `);
    const one = clientCode('https://stores.example/v2/external/stores/some-slug?lang=fr');
    expect(one).toContain("directory.get('some-slug', {\n  lang: 'fr',\n});");
  });
});

describe('loading a search', () => {
  const load = async (server: ListServer, most = 5_000) => {
    const steps: Found[] = [];
    const waits: number[] = [];
    const onWait = ({ milliseconds }: Wait) => waits.push(milliseconds);
    const service = new Service({ base: server.url, token: 'a-token', onWait });
    const { signal } = new AbortController();
    const options = { signal, most, onFound: (found: Found) => steps.push(found) };
    const found = await loadStores(service, FIRST_STATE, options);
    return { found, steps, waits };
  };

  it('takes as many pages as there are, in order, with the token in its header', async () => {
    await using server = await openListServer(1_234);
    const { found, steps } = await load(server);
    expect(found).toMatchObject({ total: 1_234, isComplete: true });
    expect(found.stores.map(({ slug }) => slug)).toEqual(server.slugs);
    expect(server.requests).toHaveLength(13);
    expect(server.mostAtOnce).toBeLessThanOrEqual(6);
    expect(new Set(server.tokens)).toEqual(new Set(['a-token']));
    expect(steps.every(({ isComplete }) => !isComplete)).toBe(true);
    for (const { stores } of steps) {
      expect(stores.map(({ slug }) => slug)).toEqual(server.slugs.slice(0, stores.length));
    }
  });

  it('stops at what is wanted', async () => {
    await using server = await openListServer(1_234);
    const { found } = await load(server, 500);
    expect(found).toMatchObject({ total: 1_234, isComplete: true });
    expect(found.stores).toHaveLength(500);
  });

  it('begins anew when the release changes between two pages', async () => {
    await using server = await openListServer(800, { releaseChangesAt: 4 });
    const { found } = await load(server);
    expect(found.stores).toHaveLength(800);
    expect(found.release).toBe('2-b');
  });

  it('waits as long as it is asked to, and tells of a refusal', async () => {
    await using server = await openListServer(250, { refusals: [[2, 429, '1']] });
    const { found, waits } = await load(server);
    expect(found.stores).toHaveLength(250);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
    await using closed = await openListServer(250, { refusals: [[1, 401, null]] });
    await expect(load(closed)).rejects.toMatchObject({
      status: 401,
      code: 'token_unknown',
      detail: 'No such token.',
    });
  });
});

describe('a search', () => {
  it('that one page fails is over: nothing more is asked for, nor told of', async () => {
    await using server = await openListServer(1_234, { refusals: [[3, 400, null]] });
    const told: string[] = [];
    const failed = Promise.withResolvers<void>();
    const after = { name: 'after', release: '1-a', storeCount: 1_234, base: server.url };
    const search = new Search(
      { before: null, after, changes: null },
      {
        onFound: () => told.push('found'),
        onFault: () => {
          told.push('fault');
          failed.resolve();
        },
        onWait: () => told.push('wait'),
      },
    );
    search.run(FIRST_STATE);
    await failed.promise;
    // Other requests of the search would be answered in turn with these.
    for (let turn = 0; turn < 6; turn++) await (await fetch(`${server.url}/?limit=1`)).text();
    expect(told.at(-1)).toBe('fault');
    expect(server.requests.filter((path) => path.startsWith('/v2/')).length).toBeLessThan(13);
    expect(search.isRunning).toBe(false);
  });
});
