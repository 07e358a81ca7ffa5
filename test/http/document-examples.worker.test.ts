/** The examples of the OpenAPI document, sent to a service that has the example store. */
import { beforeAll, describe, expect, it } from 'vitest';
import { FULL_STORE } from '../../fixtures/example-stores.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { SINCE, UNTIL } from '../../web/openapi/request-examples.ts';
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

describe('an example', () => {
  it.each([200, 400])('of status %i is what the service answers to its request', async (status) => {
    const examples = Object.values(contract.document.paths)
      .flatMap(({ get }) => get.responses[status] ?? [])
      .flatMap((response) => Object.values(response.content ?? {}))
      .flatMap((content) => Object.values(content.examples ?? {}))
      .filter(({ description }) => description !== undefined);
    expect(examples.length).toBeGreaterThan(7);
    for (const { description, value } of examples) {
      const request = /`GET (.*)`/.exec(named(description ?? ''))?.[1] ?? '';
      const response = await ask(request);
      const body = JSON.parse(named(JSON.stringify(value)));
      expect([request, response.status, await response.json()]).toEqual([request, status, body]);
    }
  });
});
