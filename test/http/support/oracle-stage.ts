/** Publishes stores and holds the answers of the front door against the answers of the oracle. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type SourceStore, sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
import type { Utm } from '../../../src/auth/token-record.ts';
import fragment from '../../../web/openapi/fragment.json' with { type: 'json' };
import { askedOf } from '../../support/conditions/all.ts';
import { answerList, answerStore, DEFAULT_LIMIT, findStore } from '../../support/oracle/answer.ts';
import { issueToken, LIST, openStage, publishStores } from '../../support/worker/harness.ts';
import { type GetRequest, getRequests, type ListRequest, listRequests } from './random-requests.ts';

export const SEED = 20261121;

/** Headers that only some conditions of a list add. */
const CONDITION_HEADERS = Object.entries(fragment.components.headers).flatMap(([name, header]) =>
  name.startsWith('x-') && !header.required ? [name] : [],
);

interface Answer {
  readonly status: number;
  /** The parsed body. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** The service over `stores`, which are as they came out of JSON, without a rate limit. */
export async function openOracleStage(stores: readonly SourceStore[], utm: Utm | null = null) {
  await publishStores(stores.map((store) => sourceStoreSchema.parse(store)));
  const token = await issueToken({ utm });
  const stage = openStage();
  const attribution = utm === null ? {} : { utm };

  async function ask(path: string): Promise<Answer> {
    const response = await stage.request(path, { token });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  return {
    ask,
    /**
     * Fails unless the answer is the oracle's, in values and in the order of keys, and leads on to the
     * page that comes next.
     */
    async checkList({ params, path }: ListRequest): Promise<void> {
      const { limit = DEFAULT_LIMIT } = params;
      const two = answerList(stores, { ...params, ...attribution, limit: 2 * limit });
      const answer = await ask(path);
      expectSame(answer, { ...two, docs: two.docs.slice(0, limit) }, path);
      const [, next] = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
      const docs = two.docs.slice(limit);
      expect(next !== undefined, `${path} leads on`).toBe(docs.length > 0);
      if (next !== undefined) expectSame(await ask(next), { ...two, docs }, `${next} of ${path}`);
      const told = askedOf(params).map(({ asked, value }) => asked.headers?.(value, stores));
      const expectedHeaders = Object.assign({}, ...told);
      for (const name of CONDITION_HEADERS) {
        expect(answer.headers.get(name), `${name} of ${path}`).toBe(expectedHeaders[name] ?? null);
      }
    },
    async checkGet({ idOrSlug, params, path }: GetRequest): Promise<void> {
      const expected = answerStore(stores, idOrSlug, { ...params, ...attribution });
      const answer = await ask(path);
      if (expected === null) {
        const known = findStore(stores, idOrSlug) !== null;
        expect(answer, path).toMatchObject({
          status: 404,
          body: { code: known ? 'rental_point_unknown' : 'store_unknown' },
        });
        return;
      }
      expectSame(answer, expected, path);
    },
  };
}

/** Puts `requests` random requests of each kind to the service over `stores`, for a token with `utm`. */
export async function compareAnswers(
  stores: readonly SourceStore[],
  requests: number,
  utm: Utm | null = null,
): Promise<void> {
  const stage = await openOracleStage(stores, utm);
  const settings = { seed: SEED, numRuns: requests };
  await fc.assert(fc.asyncProperty(listRequests(stores), stage.checkList), settings);
  await fc.assert(fc.asyncProperty(getRequests(stores), stage.checkGet), settings);
  await stage.checkList({ params: {}, path: LIST });
}

/** Compares as texts, so that the order of keys counts; a failure shows where they part. */
function expectSame(answer: Answer, expected: object, path: string): void {
  expect(answer.status, path).toBe(200);
  const [got, wanted] = [JSON.stringify(answer.body), JSON.stringify(expected)];
  if (got === wanted) return;
  let parting = 0;
  while (got[parting] === wanted[parting]) parting += 1;
  const around = (text: string) => text.slice(Math.max(0, parting - 200), parting + 100);
  expect(around(got), `${path}, from character ${parting} on`).toBe(around(wanted));
}
