/** The OpenAPI document: sound in itself, complete, and true of every answer. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FULL_STORE } from '../../fixtures/example-stores.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { LIST_GROUPS, LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { CHALLENGE, PROBLEMS } from '../../src/model/problem.ts';
import { releaseName } from '../../src/snapshot/keys.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { hiddenStore, ratedStore, storeAt } from '../support/stores/store-variants.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  CHANGES,
  issueToken,
  LIST,
  limiter,
  NEAR,
  openService,
  openStage,
  publishStores,
} from '../support/worker/harness.ts';
import { examplesOf, parseGetQuery } from '../support/worker/query-faults.ts';
import { OpenApiContract } from './support/openapi-contract.ts';

const STORE = '/v2/external/stores/{id}';
const OPEN = ['/healthz'];

/** Names of releases in the examples of the document. */
const { since, until } = CHANGES_QUERY.shape;
const SINCE = since.meta()?.example ?? '';
const UNTIL = until.meta()?.example ?? '';

const STORES = [buildStore(1), ratedStore(2, 4, 3), storeAt(3, [48, 7], [48.1, 7]), hiddenStore(4)];

let contract: OpenApiContract;

beforeAll(async () => {
  contract = await OpenApiContract.servedBy(openStage());
});

function operation(path: string) {
  const found = contract.document.paths[path]?.get;
  if (!found) throw new Error(`${path} is not described`);
  return found;
}

/** The codes of the problems in the examples of an operation, by status. */
function problemsIn(path: string): Record<string, string[]> {
  const described = Object.entries(operation(path).responses);
  return Object.fromEntries(
    described.flatMap(([status, response]) => {
      const { examples } = response.content?.['application/problem+json'] ?? {};
      if (!examples) return [];
      const values = Object.values(examples).map(({ value }) => value as Record<string, string>);
      const asked = path.replace(/\{\w+\}$/, '');
      for (const { instance } of values) expect(instance?.startsWith(asked), instance).toBe(true);
      return [[status, [...new Set(values.map(({ code = '' }) => code))]]];
    }),
  );
}

describe('the document', () => {
  it('is served as OpenAPI 3.1 without a token, and may be kept for five minutes', async () => {
    const { headers } = await openStage().request('/openapi.json');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(contract.document).toMatchObject({ openapi: '3.1.0', info: { version: '2.0' } });
  });

  it('describes every path with data, and marks the open one; others take either header', () => {
    const { paths, components } = contract.document;
    const open = Object.entries(paths).filter(([, { get }]) => get.security?.length === 0);
    expect(Object.keys(paths).sort()).toEqual([...OPEN, CHANGES, LIST, STORE].sort());
    expect(open.map(([path]) => path)).toEqual(OPEN);
    expect(components.securitySchemes).toMatchObject({
      accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
    expect(components.headers['www-authenticate'].example).toBe(CHALLENGE);
  });

  it('has an example of each problem', () => {
    const paths = Object.keys(contract.document.paths);
    const all = new Set(paths.flatMap((path) => Object.values(problemsIn(path)).flat()));
    // No path that is described is unknown.
    const others = Object.keys(PROBLEMS).filter((code) => code !== 'route_unknown');
    expect([...all].sort()).toEqual(others.sort());
  });
});

describe('the words of the document', () => {
  interface Words {
    readonly deprecated?: boolean;
    readonly description?: string;
    readonly enum?: readonly string[];
  }

  /** What is deprecated in a value, with its path; what a component holds is found there. */
  function deprecatedIn(value: object, path: string): [path: string, description: string][] {
    const { deprecated, description = '' } = value as Words;
    const inner = Object.entries(value).flatMap(([key, each]) =>
      each instanceof Object ? deprecatedIn(each, `${path}.${key}`) : [],
    );
    return deprecated === true ? [[path, description], ...inner] : inner;
  }

  const schemaOf = (name: string) => contract.document.components.schemas?.[name] as Words;

  it('name the field that takes the place of a deprecated one, and say what nothing looks like', () => {
    const deprecated = deprecatedIn(schemaOf('Store'), 'Store');
    expect(deprecated).toHaveLength(21);
    for (const [path, description] of deprecated) {
      const [, twin = '', rest] = /^Deprecated, use `([\w.]+)`\. (.*)/s.exec(description) ?? [];
      expect([path, FIELD_PATHS.includes(twin)]).toEqual([path, true]);
      expect([path, rest]).toEqual([path, expect.stringMatching(/empty|0 means none/i)]);
    }
  });

  it.each(['ProblemCode', 'ParameterFaultCode'])('have a line on what each %s means', (name) => {
    const { description, enum: codes } = schemaOf(name);
    const lines = description?.match(/^- `\w+`: .+$/gm) ?? [];
    expect(lines.map((line) => line.split('`')[1])).toEqual(codes);
  });
});

describe('parameters', () => {
  it('have examples that the parsers accept', () => {
    for (const [name, example] of examplesOf(CHANGES_QUERY)) {
      const since = name === 'since' ? '' : `since=${SINCE}&`;
      readQuery(CHANGES_QUERY, `${since}${name}=${example}`);
    }
    for (const [name, example] of examplesOf(STORE_QUERY)) parseGetQuery(`${name}=${example}`);
  });

  it('of lists come in groups, in the order in which a manual has them', () => {
    const groups = operation(LIST).parameters.flatMap((each) =>
      'x-group' in each ? [each['x-group']] : [],
    );
    const begun = groups.filter((group, index) => group !== groups[index - 1]);
    expect(begun).toEqual(Object.keys(LIST_GROUPS));
  });
});

describe('every answer', () => {
  const delivered =
    'delivery.latitude=48&delivery.longitude=7&delivery.postalCode=75001&delivery.city=Paris';

  /** A query that a parameter is sent in. */
  function queryWith(name: string, example: string): string {
    if (name.startsWith('position.')) return NEAR;
    return name.startsWith('delivery.') ? delivered : `${name}=${example}`;
  }

  let first: string;
  let second: string;

  beforeAll(async () => {
    first = releaseName(1, (await publishStores(STORES.slice(1))).release);
    second = releaseName(2, (await publishStores(STORES)).release);
  });
  afterAll(() => storage.reset());

  it.each([
    [200, LIST, LIST],
    [200, LIST, `${LIST}?lang=en&${NEAR}`],
    [200, LIST, `${LIST}?fields=id,geo.locations.slug,reviews.external.rating,distance`],
    ...examplesOf(LIST_QUERY).map(([name, example]): [number, string, string] => [
      200,
      LIST,
      `${LIST}?${queryWith(name, example)}`,
    ]),
    [400, LIST, `${LIST}?limit=x&fields=nope,id&langs=1&sort=distance&position.radius=1`],
    [200, STORE, `${LIST}/store-1`],
    [200, STORE, `${LIST}/store-3?rentalPointSlug=point-1&lang=en`],
    [200, STORE, `${LIST}/store-4`],
    [200, STORE, `${LIST}/store-2?fields=reviews,name`],
    [400, STORE, `${LIST}/store-1?lang=`],
    [404, STORE, `${LIST}/nobody`],
    [404, STORE, `${LIST}/store-1?rentalPointSlug=x`],
    [200, '/healthz', '/healthz'],
    [400, '/healthz', '/healthz?ran-within=x'],
    [503, '/healthz', '/healthz?ran-within=10800'],
    [200, CHANGES, `${CHANGES}?since=FIRST`],
    [200, CHANGES, `${CHANGES}?since=FIRST&until=SECOND&limit=0`],
    [400, CHANGES, `${CHANGES}?since=SECOND&until=FIRST&limit=x`],
    [410, CHANGES, `${CHANGES}?since=1-0000000000000000`],
    [503, CHANGES, `${CHANGES}?since=9-0000000000000000`],
  ])('%i of %s is as described: %s', async (status, path, text) => {
    const stage = openStage();
    const token = await issueToken({ utm: { utm_source: 'x' } });
    const asked = text.replace('FIRST', first).replace('SECOND', second);
    const response = await stage.request(asked, { token });
    expect(response.status).toBe(status);
    await contract.expectDescribed(path, response);
    const head = await stage.request(asked, { token, method: 'HEAD' });
    await contract.expectDescribed(path, head, 'HEAD');
  });
});

describe('every refusal', () => {
  afterEach(() => storage.reset());

  it.each([LIST, STORE, CHANGES])('of %s is as described', async (path) => {
    const since = path === CHANGES ? `?since=${SINCE}` : '';
    const asked = path.replace('{id}', 'store-1') + since;
    const long = `${path.replace('{id}', 'store-1')}?${'x'.repeat(16_001)}`;
    const poor = await issueToken({ scopes: ['items:read:GET'] });
    const token = await issueToken();
    const exhausted = openStage({ RATE_LIMITER: limiter(false) });
    const broken = openStage({ ENVIRONMENT: 'moon' });
    const refusals = [
      [401, await openStage().request(asked)],
      [403, await openStage().request(asked, { token: poor })],
      [405, await openStage().request(asked, { method: 'DELETE' })],
      [414, await openStage().request(long, { token })],
      [429, await exhausted.request(asked, { token })],
      [500, await broken.request(asked, { token })],
      [503, await openStage().request(asked, { token })],
    ] as const;
    const { release } = await publishStores(STORES);
    const known = path === CHANGES ? `${CHANGES}?since=1-${release}` : asked;
    const current = await openStage().request(known, { token, headers: { 'if-none-match': '*' } });
    for (const [status, response] of [...refusals, [304, current] as const]) {
      expect(response.status).toBe(status);
      await contract.expectDescribed(path, response);
    }
  });
});

it.each([200, 400])(
  'an example of status %i is what the service answers to its request',
  async (status) => {
    /** Puts a release with this store live, and returns its name, with what asks for it. */
    const publish = async (store: SourceStore) => {
      const { ask } = await openService([store]);
      return { ask, name: (await ask('/healthz')).headers.get('x-snapshot-release') ?? '' };
    };
    const since = await publish({ ...FULL_STORE, pageUrl: 'https://bikes.example/before' });
    const until = await publish(FULL_STORE);
    /** A text of the document with the names of real releases. */
    const named = (text: string) =>
      text.replaceAll(SINCE, since.name).replaceAll(UNTIL, until.name);
    const examples = Object.values(contract.document.paths)
      .flatMap(({ get }) => get.responses[status] ?? [])
      .flatMap((response) => Object.values(response.content ?? {}))
      .flatMap((content) => Object.values(content.examples ?? {}))
      .filter(({ description }) => description !== undefined);
    expect(examples.length).toBeGreaterThan(7);
    for (const { description, value } of examples) {
      const request = /`GET (.*)`/.exec(named(description ?? ''))?.[1] ?? '';
      const response = await until.ask(request);
      const body = JSON.parse(named(JSON.stringify(value)));
      expect([request, response.status, await response.json()]).toEqual([request, status, body]);
    }
  },
);
