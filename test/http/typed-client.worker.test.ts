/** What `hono/client` knows of the service by the type of the app, and that it is true. */
import { reset } from 'cloudflare:test';
import { hc, type InferRequestType } from 'hono/client';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { app } from '../../src/app.ts';
import type { Language, Verticale } from '../../src/model/enumerations.ts';
import type { ProblemCode } from '../../src/problem.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, ORIGIN, openStage, publishStores } from '../support/worker/harness.ts';

afterEach(() => reset());

/** A client of a fresh isolate. */
function clientOf(token: string) {
  const stage = openStage();
  const fetch: typeof globalThis.fetch = (input, init) =>
    stage.request(String(input).slice(ORIGIN.length), init as RequestInit);
  return hc<typeof app>(ORIGIN, { fetch, headers: { 'x-access-token': token } });
}

type Client = ReturnType<typeof clientOf>;
type List = Client['v2']['external']['stores']['$get'];
type Get = Client['v2']['external']['stores'][':id']['$get'];
type Changes = Client['v2']['external']['changes']['$get'];
type Page = Client['docs']['problems'][':code']['$get'];
type ListParameters = NonNullable<InferRequestType<List>['query']>;

describe('a typed client', () => {
  it('asks for a list, and knows the page', async () => {
    await publishStores([buildStore(1), buildStore(2)]);
    const { stores } = clientOf(await issueToken()).v2.external;
    const answer = await stores.$get({ query: { limit: 1, sort: ['slug__desc'], lang: 'fr' } });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    const { total, docs } = await answer.json();
    expectTypeOf(total).toEqualTypeOf<number>();
    expectTypeOf(docs[0]?.profile?.name).toEqualTypeOf<string | undefined>();
    expect(total).toBe(2);
    expect(docs.map(({ slug }) => slug)).toEqual(['store-2']);
  });

  it('asks for one store', async () => {
    await publishStores([buildStore(1)]);
    const store = clientOf(await issueToken()).v2.external.stores[':id'];
    const answer = await store.$get({ param: { id: 'store-1' }, query: { fields: 'id,slug' } });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    expect(await answer.json()).toMatchObject({ slug: 'store-1' });
  });

  it('knows the problems', async () => {
    const answer = await clientOf(await issueToken()).v2.external.stores.$get({
      // @ts-expect-error no such language
      query: { lang: 'xx' },
    });
    if (answer.status !== 400) throw new Error(`status ${answer.status}`);
    const { code, errors } = await answer.json();
    expectTypeOf(code).toExtend<string>();
    expect(code).toBe('invalid_parameters');
    expect(errors).toMatchObject([{ parameter: 'lang', code: 'unknown_value' }]);
  });

  it('knows the paths that need no token', async () => {
    await publishStores([buildStore(1)]);
    const client = clientOf(await issueToken());
    const health = await client.healthz.$get({ query: {} });
    if (health.status !== 200) throw new Error(`status ${health.status}`);
    const { storeCount } = await health.json();
    expectTypeOf(storeCount).toEqualTypeOf<number>();
    expect(storeCount).toBe(1);
    const page = await client.docs.problems[':code'].$get({ param: { code: 'internal' } });
    expect(page.status).toBe(200);
    expect((await client.docs.$get()).status).toBe(200);
    expect((await client['openapi.json'].$get()).status).toBe(200);
  });
});

describe('the types', () => {
  it('of parameters are those of the contract', () => {
    expectTypeOf<ListParameters['lang']>().toEqualTypeOf<Language | undefined>();
    expectTypeOf<ListParameters['limit']>().toEqualTypeOf<number | `${number}` | undefined>();
    expectTypeOf<ListParameters['verticale.equals']>().toEqualTypeOf<Verticale | undefined>();
    expectTypeOf<ListParameters['verticale.in']>().toEqualTypeOf<
      Verticale | readonly Verticale[] | undefined
    >();
    expectTypeOf<'distance__asc'>().toExtend<ListParameters['sort']>();
    expectTypeOf<'nothing'>().not.toExtend<ListParameters['sort']>();
    expectTypeOf<keyof ListParameters>().toEqualTypeOf<
      | ('skip' | 'after' | 'limit' | 'sort' | 'fields' | 'lang' | 'id.in')
      | ('verticale.in' | 'verticale.notIn' | 'verticale.equals' | 'verticale.notEquals')
      | ('position.radius' | 'position.latitude' | 'position.longitude')
    >();
    expectTypeOf<keyof NonNullable<InferRequestType<Get>['query']>>().toEqualTypeOf<
      'fields' | 'lang' | 'rentalPointSlug'
    >();
    expectTypeOf<keyof NonNullable<InferRequestType<Changes>['query']>>().toEqualTypeOf<
      'since' | 'until' | 'skip' | 'after' | 'limit'
    >();
    expectTypeOf<InferRequestType<Get>['param']>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<InferRequestType<Page>['param']>().toEqualTypeOf<{ code: ProblemCode }>();
  });

  it('refuse what the service would', () => {
    const accepts = (_: Parameters<List>[0]): void => {};
    accepts({ query: {} });
    // @ts-expect-error no such parameter
    accepts({ query: { langs: 'fr' } });
    // @ts-expect-error a parameter of a single store
    accepts({ query: { rentalPointSlug: 'port' } });
    // @ts-expect-error one verticale at a time
    accepts({ query: { 'verticale.equals': ['BIKE', 'SKI'] } });
    // @ts-expect-error no number
    accepts({ query: { skip: 'ten' } });
  });
});
