/** The examples of the OpenAPI document, sent to a service that has the example store. */
import { reset } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { FULL_STORE } from '../../scripts/source-format/example-stores.ts';
import { SINCE, UNTIL } from '../../src/http/query/changes-parameters.ts';
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
  await publishStores([FULL_STORE]);
});

afterAll(() => {
  vi.restoreAllMocks();
  return reset();
});

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
      const since = await publish({ ...FULL_STORE, pageUrl: 'https://bikes.example/before' });
      const until = await publish(FULL_STORE);
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
