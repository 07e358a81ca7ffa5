/** The examples of the OpenAPI document, sent to a service that has the example store. */
import { reset } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { SINCE, UNTIL } from '../../src/http/query/changes-parameters.ts';
import type { Language } from '../../src/model/enumerations.ts';
import type { ProblemCode } from '../../src/problem.ts';
import { EXAMPLE_STORE } from '../../web/openapi/example-store.ts';
import { exampleProblem } from '../../web/openapi/problem-responses.ts';
import {
  CHANGES_EXAMPLES,
  CHANGES_REFUSALS,
  GET_EXAMPLES,
  GET_REFUSALS,
  HEALTH_REFUSALS,
  LIST_EXAMPLES,
  LIST_REFUSALS,
  type RefusalExample,
  type RequestExample,
} from '../../web/openapi/request-examples.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';
import { OpenApiContract } from './support/openapi-contract.ts';

let contract: OpenApiContract;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  contract = await OpenApiContract.servedBy(openStage());
  await publishStores([exampleSource()]);
});

afterAll(() => {
  vi.restoreAllMocks();
  return reset();
});

/** The store of the examples as an export has it. */
function exampleSource(): SourceStore {
  const { id, slug, profile, localization, contact, branding, geo, modules } = EXAMPLE_STORE;
  const { reviews, temporal, pricing, booking, metadata, pageUrl } = EXAMPLE_STORE;
  const { current, ...languages } = localization;
  if (geo.location === null || geo.locations === null) throw new Error('the example is hidden');
  return {
    ...{ id, slug, contact, branding, modules, reviews, temporal, metadata, pageUrl },
    ...{ pricing, booking },
    profile: { ...profile, description: inLanguage(current, profile.description) },
    localization: languages,
    geo: { displayAddress: true, main: geo.location, rentalPoints: geo.locations },
  };
}

const inLanguage = (language: Language, text: string) => ({ [language]: text });

/** Puts a release with this store live, and returns its name. */
async function publish(store: SourceStore): Promise<string> {
  await publishStores([store]);
  const { headers } = await openStage().request('/healthz');
  return headers.get('x-snapshot-release') ?? '';
}

async function answerTo(request: string): Promise<{ status: number; body: unknown }> {
  const response = await openStage().request(request, { token: await issueToken() });
  return { status: response.status, body: await response.json() };
}

const byName = <Example extends { readonly name: string }>(examples: readonly Example[]) =>
  examples.map((example): [string, Example] => [example.name, example]);

const of = (operation: string, examples: readonly RefusalExample[]) =>
  byName(examples).map(([name, example]): [string, string, RefusalExample] => [
    operation,
    name,
    example,
  ]);

describe('an example', () => {
  it.each<[string, RequestExample]>(byName([...LIST_EXAMPLES, ...GET_EXAMPLES]))(
    '%s is answered as it says',
    async (_, { request, answer }) => {
      expect(await answerTo(request)).toEqual({ status: 200, body: answer });
    },
  );

  it.each<[string, RequestExample]>(byName(CHANGES_EXAMPLES))(
    '%s is answered as it says, of releases with the names of the example',
    async (_, { request, answer }) => {
      const store = exampleSource();
      const since = await publish({ ...store, pageUrl: 'https://bikes.example/before' });
      const until = await publish(store);
      const real = (text: string) =>
        text.replaceAll(SINCE.example, since).replaceAll(UNTIL.example, until);
      const body = JSON.parse(real(JSON.stringify(answer)));
      expect(await answerTo(real(request))).toEqual({ status: 200, body });
    },
  );

  it.each<[string, string, RefusalExample]>([
    ...of('ListStores', LIST_REFUSALS),
    ...of('GetStore', GET_REFUSALS),
    ...of('ListChanges', CHANGES_REFUSALS),
    ...of('GetHealth', HEALTH_REFUSALS),
  ])('of %s, %s, is refused as it says', async (operation, name, { request }) => {
    const { content } = contract.resolve<{
      content: Record<string, { examples: Record<string, { value: unknown }> }>;
    }>({ $ref: `#/components/responses/${operation}400` });
    const example = content['application/problem+json']?.examples[name]?.value;
    expect(await answerTo(request)).toEqual({ status: 400, body: example });
  });

  it('stands in the words of its operation', () => {
    const { paths } = contract.document;
    for (const [path, examples] of [
      ['/v2/external/stores', LIST_EXAMPLES],
      ['/v2/external/changes', CHANGES_EXAMPLES],
      ['/v2/external/stores/{id}', GET_EXAMPLES],
    ] as const) {
      const { description = '' } = paths[path]?.get ?? {};
      for (const { request } of examples) expect(description).toContain(`\`GET ${request}\``);
    }
  });
});

describe('the example of a problem', () => {
  const code = (path: string, options = {}) =>
    openStage()
      .request(path, options)
      .then((response) => response.json<{ code: ProblemCode }>());

  it.each<[string, () => Promise<{ code: ProblemCode }>]>([
    ['token_missing', () => code('/v2/external/stores')],
    ['token_malformed', () => code('/v2/external/stores', { token: 'x' })],
    [
      'scope_missing',
      async () => {
        const token = await issueToken({ scopes: ['items:read:GET'] });
        return code('/v2/external/stores', { token });
      },
    ],
    [
      'token_revoked',
      async () => {
        const token = await issueToken({ revokedAt: '2026-01-02T00:00:00Z' });
        return code('/v2/external/stores', { token });
      },
    ],
    ['method_not_allowed', () => code('/v2/external/stores', { method: 'POST' })],
    ['route_unknown', () => code('/v2/external/nothing')],
  ])('%s is like a real one', async (name, ask) => {
    const real = await ask();
    const { type, title, status } = exampleProblem(name as ProblemCode);
    expect(real).toMatchObject({ type, title, status, code: name });
  });
});
