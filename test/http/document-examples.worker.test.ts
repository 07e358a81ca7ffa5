/** The examples of the OpenAPI document, sent to a service that has the example store. */
import { beforeAll, describe, expect, it } from 'vitest';
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
import { openService, openStage } from '../support/worker/harness.ts';
import { OpenApiContract } from './support/openapi-contract.ts';

let contract: OpenApiContract;
let ask: Awaited<ReturnType<typeof openService>>['ask'];
/** A text of the document with the names of real releases. */
let named: (text: string) => string;

/** Puts a release with this store live, and returns its name. */
async function publish(store: SourceStore): Promise<string> {
  ({ ask } = await openService([store]));
  return (await ask('/healthz')).headers.get('x-snapshot-release') ?? '';
}

beforeAll(async () => {
  contract = await OpenApiContract.servedBy(openStage());
  const since = await publish({ ...FULL_STORE, pageUrl: 'https://bikes.example/before' });
  const until = await publish(FULL_STORE);
  named = (text) => text.replaceAll(SINCE, since).replaceAll(UNTIL, until);
});

async function answerTo(request: string): Promise<{ status: number; body: unknown }> {
  const response = await ask(request);
  return { status: response.status, body: await response.json() };
}

describe('an example', () => {
  it.each([...LIST_EXAMPLES, ...GET_EXAMPLES, ...CHANGES_EXAMPLES])(
    '$name is answered as it says',
    async ({ request, answer }) => {
      const body = JSON.parse(named(JSON.stringify(answer)));
      expect(await answerTo(named(request))).toEqual({ status: 200, body });
    },
  );

  it('of a query that is refused is what the service answers', async () => {
    const refusals = Object.values(contract.document.paths)
      .flatMap(({ get }) => get.responses[400] ?? [])
      .map(({ content }) => content?.[PROBLEM_TYPE]?.examples)
      .flatMap((examples) => Object.values(examples ?? {}));
    expect(refusals.length).toBeGreaterThan(7);
    for (const { description, value } of refusals) {
      const request = /`GET (.*)`/.exec(description ?? '')?.[1] ?? '';
      expect(await answerTo(request)).toEqual({ status: 400, body: value });
    }
  });
});
