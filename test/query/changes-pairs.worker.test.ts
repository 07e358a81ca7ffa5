/** Random pairs of releases: `changes` says what a comparison of the two exports says. */
import { expect, inject, it } from 'vitest';
import { sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { expectedChanges } from '../support/oracle/changes.ts';
import { publish, type Turn } from '../support/stores/memory-snapshot.ts';
import { randomExports } from '../support/stores/random-edits.ts';
import { storage } from '../support/worker/bound-storage.ts';
import { CHANGES, issueToken, openStage } from '../support/worker/harness.ts';

const PAIRS = inject('changePairs');

type Ask = (path: string) => Promise<Response>;

/** All pages of the changes, by `Link`. */
async function walk(ask: Ask, since: Turn, until: Turn, limit: number) {
  const docs: unknown[] = [];
  let path: string | null = `${CHANGES}?since=${since.name}&limit=${limit}`;
  while (path !== null) {
    const response: Response = await ask(path);
    const body = (await response.json()) as { total: number; docs: unknown[] };
    expect(response.status, path).toBe(200);
    expect(response.headers.get('x-snapshot-release')).toBe(until.name);
    expect(body).toMatchObject({ release: until.name, since: since.name });
    expect(body.docs.length).toBeLessThanOrEqual(limit);
    docs.push(...body.docs);
    const next: string | null = response.headers.get('link');
    path = next && (/^<(.+)>; rel="next"$/.exec(next)?.[1] ?? null);
    if (path === null) expect(body.total).toBe(docs.length);
  }
  return docs;
}

it(`changes between two releases are those between their exports: ${PAIRS} random pairs`, {
  timeout: 180_000 + 2_000 * PAIRS,
}, async () => {
  const kinds = new Set<string>();
  for (let pair = 0; pair < PAIRS; pair++) {
    storage.reset();
    const { before, after } = randomExports(pair);
    const publishAll = (stores: typeof before) =>
      publish(
        storage.values,
        stores.map((store) => sourceStoreSchema.parse(store)),
      );
    const [since, until] = [await publishAll(before), await publishAll(after)];
    const [stage, token] = [openStage(), await issueToken()];
    const ask: Ask = (path) => stage.request(path, { token });
    const expected = expectedChanges(before, after).map(({ fields: _, ...change }) => change);
    const found = await walk(ask, since, until, [1, 3, 1000][pair % 3] ?? 1);
    expect(found, `pair ${pair}`).toEqual(expected);
    expect(await walk(ask, until, until, 10)).toEqual([]);
    for (const { change } of expected) kinds.add(change);
  }
  expect([...kinds].sort()).toEqual(['added', 'changed', 'removed']);
});
