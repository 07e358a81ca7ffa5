/** What `/explore` asks of the service: the requests, and how a walk of them comes together. */
import { describe, expect, it } from 'vitest';
import { listSearchOf, searchOf } from '../../client/src/search.ts';
import { clientCode } from '../../web/explore/browser/client-code.ts';
import {
  curlLine,
  facetsQuery,
  storeQuery,
  storesQuery,
} from '../../web/explore/browser/question.ts';
import { type Found, Search } from '../../web/explore/browser/search.ts';
import { Service } from '../../web/explore/browser/service.ts';
import { type ExploreState, FIRST_STATE } from '../../web/explore/browser/state.ts';
import { parseGetQuery, parseListQuery } from '../support/parse-query.ts';
import { type ListServer, openListServer } from './support/list-server.ts';

const FILTERED: ExploreState = {
  ...FIRST_STATE,
  verticales: ['BIKE', 'CAR'],
  languages: ['fr', 'en'],
  countries: ['France', 'United Kingdom'],
  isOpenNow: true,
};

const NEAR_PARIS: ExploreState = {
  ...FILTERED,
  place: { latitude: 48.86, longitude: 2.35, radius: 25, name: 'Paris' },
};

const conditionsOf = (search: string) => parseListQuery(search).conditions.map(({ text }) => text);

describe('the requests of a state', () => {
  it('are understood by the service, with everything that was chosen', () => {
    const near = conditionsOf(listSearchOf(storesQuery(NEAR_PARIS, [1, 2, 3, 4])));
    expect(near).toEqual([
      'verticales=0,17,0',
      'languages=en,fr',
      'countries=france,united%20kingdom',
      expect.stringContaining('openAt='),
      'position=48.86,2.35,25',
    ]);
    const ofMap = conditionsOf(listSearchOf(storesQuery(FIRST_STATE, [170, -20, 190, 20])));
    expect(ofMap).toEqual(['bbox=170,-20,-170,20']);
    const words = conditionsOf(listSearchOf(storesQuery({ ...FIRST_STATE, words: 'Vélo' }, null)));
    expect(words).toEqual(['q=velo']);
    const store = searchOf(storeQuery('fr', 'gare du nord'));
    expect(parseGetQuery(store)).toMatchObject({
      rentalPointSlug: 'gare du nord',
      language: 'fr',
    });
  });

  it('ask for the numbers of the filters without a store', () => {
    const query = searchOf(facetsQuery(FILTERED, null));
    expect(parseListQuery(query).limit).toBe(0);
    expect(conditionsOf(query)).toContain('facets=verticales,languages,countries');
  });

  it('keep the token out of a shell line, and a quote within its quotes', () => {
    const line = curlLine("https://stores.example/v2/external/stores?q=l'atelier", true);
    expect(line).toBe(
      `curl -H "x-access-token: $TOKEN" 'https://stores.example/v2/external/stores?q=l'\\''atelier'`,
    );
  });

  it('are written for the client with numbers, lists and nested names', () => {
    const list = 'https://stores.example/v2/external/stores?';
    expect(clientCode(list + searchOf(storesQuery(NEAR_PARIS, null)))).toContain(`list({
  position: {
    latitude: 48.86,
    longitude: 2.35,
    radius: 25,
  },
  verticale: {
    in: ['BIKE', 'CAR'],
  },
  language: {
    in: ['fr', 'en'],
  },
  country: {
    in: ['France', 'United Kingdom'],
  },
  openAt: 'now',
  fields: ['id', 'slug', `);
    expect(clientCode(`${list}bbox=1,-2,3.5,4`)).toContain('bbox: [1, -2, 3.5, 4],');
    const one = clientCode('https://stores.example/v2/external/stores/some-slug?lang=fr');
    expect(one).toContain("directory.get('some-slug', {\n  lang: 'fr',\n});");
  });
});

describe('a search', () => {
  /** Searches until all is found, or a fault is told of. */
  async function search(server: ListServer, isWhole = false) {
    const steps: Found[] = [];
    const waits: number[] = [];
    const onWait = ({ milliseconds }: { milliseconds: number }) => waits.push(milliseconds);
    const service = new Service({ base: server.url, token: 'a-token', onWait });
    const ended = Promise.withResolvers<void>();
    const faults: unknown[] = [];
    const running = new Search({
      onFound: (found) => {
        steps.push(found);
        if (found.isComplete) ended.resolve();
      },
      onFault: (error) => {
        faults.push(error);
        ended.resolve();
      },
    });
    running.run({ service, before: null, changes: null, isWhole }, FIRST_STATE, null);
    await ended.promise;
    return { steps, waits, faults, found: steps.at(-1) as Found };
  }

  it('tells of the first stores at once and of all in their order, with the token in its header', async () => {
    await using server = await openListServer(1_234);
    const { found, steps } = await search(server);
    expect(found).toMatchObject({ total: 1_234, isComplete: true });
    expect(found.stores.map(({ name }) => name)).toEqual(server.slugs);
    expect(steps[0]?.stores).toHaveLength(100);
    expect(server.requests).toHaveLength(13);
    expect(server.requests[1]).toContain('after=');
    expect(server.mostAtOnce).toBe(1);
    expect(new Set(server.tokens)).toEqual(new Set(['a-token']));
  });

  it('ends at five thousand stores, but for snapshots, which are looked at whole', async () => {
    await using server = await openListServer(5_150);
    const { found } = await search(server);
    expect(found).toMatchObject({ total: 5_150, isComplete: true });
    expect(found.stores).toHaveLength(5_000);
    expect((await search(server, true)).found.stores).toHaveLength(5_150);
  });

  it('ends where stores were taken away meanwhile, and counts what is left', async () => {
    await using server = await openListServer(130, { total: 140 });
    const { found } = await search(server);
    expect(found).toMatchObject({ total: 130, isComplete: true });
  });

  it('waits as long as it is asked to, and tells of a refusal', async () => {
    await using server = await openListServer(250, { refusals: [[2, 429, '1']] });
    const { found, waits } = await search(server);
    expect(found.stores).toHaveLength(250);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
    await using closed = await openListServer(250, { refusals: [[1, 401, null]] });
    const { faults } = await search(closed);
    expect(faults).toMatchObject([{ status: 401, code: 'token_unknown' }]);
  });
});
