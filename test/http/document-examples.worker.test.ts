/** The examples of the OpenAPI document, sent to a service that has the example store. */
import { reset } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { SINCE, UNTIL } from '../../src/http/query/changes-parameters.ts';
import type { Language } from '../../src/model/enumerations.ts';
import { EXAMPLE_STORE } from '../../web/openapi/example-store.ts';
import {
  CHANGES_EXAMPLES,
  CHANGES_REFUSALS,
  GET_EXAMPLES,
  GET_REFUSALS,
  HEALTH_REFUSALS,
  LIST_EXAMPLES,
  LIST_REFUSALS,
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

describe('an example', () => {
  it.each([...LIST_EXAMPLES, ...GET_EXAMPLES])(
    '$name is answered as it says',
    async ({ request, answer }) => {
      expect(await answerTo(request)).toEqual({ status: 200, body: answer });
    },
  );

  it.each(CHANGES_EXAMPLES)(
    '$name is answered as it says, of releases with the names of the example',
    async ({ request, answer }) => {
      const store = exampleSource();
      const since = await publish({ ...store, pageUrl: 'https://bikes.example/before' });
      const until = await publish(store);
      const real = (text: string) =>
        text.replaceAll(SINCE.example, since).replaceAll(UNTIL.example, until);
      const body = JSON.parse(real(JSON.stringify(answer)));
      expect(await answerTo(real(request))).toEqual({ status: 200, body });
    },
  );

  it.each(
    [
      ['ListStores', LIST_REFUSALS] as const,
      ['GetStore', GET_REFUSALS] as const,
      ['ListChanges', CHANGES_REFUSALS] as const,
      ['GetHealth', HEALTH_REFUSALS] as const,
    ].flatMap(([operation, refusals]) =>
      refusals.map(({ name, request }) => ({ operation, name, request })),
    ),
  )('of $operation, $name, is refused as it says', async ({ operation, name, request }) => {
    const { content } = contract.resolve<{
      content: Record<string, { examples: Record<string, { value: unknown }> }>;
    }>({ $ref: `#/components/responses/${operation}400` });
    const example = content['application/problem+json']?.examples[name]?.value;
    expect(await answerTo(request)).toEqual({ status: 400, body: example });
  });

  it('stands in the words of its operation', () => {
    const { paths } = contract.document;
    for (const { request } of [...LIST_EXAMPLES, ...CHANGES_EXAMPLES, ...GET_EXAMPLES]) {
      const told = Object.values(paths).filter(({ get }) =>
        get.description?.includes(`\`GET ${request}\``),
      );
      expect([request, told.length]).toEqual([request, 1]);
    }
  });
});
