/** The examples of the OpenAPI document, sent to a service that has the example store. */
import { reset } from 'cloudflare:test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL_STORE } from '../../fixtures/example-stores.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { PROBLEM_TYPE } from '../../src/http/problem-body.ts';
import {
  CHANGES_EXAMPLES,
  GET_EXAMPLES,
  LIST_EXAMPLES,
  SINCE,
  UNTIL,
} from '../../web/openapi/request-examples.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';
import { OpenApiContract } from './support/openapi-contract.ts';

let contract: OpenApiContract;

beforeAll(async () => {
  contract = await OpenApiContract.servedBy(openStage());
  await publishStores([FULL_STORE]);
});

afterAll(() => reset());

/** The answers to queries that are refused, as the document has them. */
interface Refused {
  readonly content: Readonly<
    Record<typeof PROBLEM_TYPE, { readonly examples: Readonly<Record<string, Refusal>> }>
  >;
}

interface Refusal {
  readonly description: string;
  readonly value: unknown;
}

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
      const real = (text: string) => text.replaceAll(SINCE, since).replaceAll(UNTIL, until);
      const body = JSON.parse(real(JSON.stringify(answer)));
      expect(await answerTo(real(request))).toEqual({ status: 200, body });
    },
  );

  it('of a query that is refused is what the service answers', async () => {
    const refusals = Object.values(contract.document.paths).flatMap(({ get }) => {
      const { content } = get.responses[400] as unknown as Refused;
      return Object.values(content[PROBLEM_TYPE].examples);
    });
    expect(refusals.length).toBeGreaterThan(7);
    for (const { description, value } of refusals) {
      const request = /`GET (.*)`/.exec(description)?.[1] ?? '';
      expect(await answerTo(request)).toEqual({ status: 400, body: value });
    }
  });
});
