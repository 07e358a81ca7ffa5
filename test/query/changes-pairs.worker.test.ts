/** Random pairs of releases: `changes` says what a comparison of the two exports says. */
import { expect, inject, it } from 'vitest';
import { expectedChanges } from '../support/oracle/changes.ts';
import { randomExports } from '../support/stores/random-edits.ts';
import { type Turn, World } from '../support/worker/world.ts';

const PAIRS = inject('changePairs');

/** All pages of the changes, by `Link`. */
async function walk(world: World, since: Turn, until: Turn, limit: number) {
  const docs: unknown[] = [];
  let path: string | null = `/v2/external/changes?since=${since.name}&limit=${limit}`;
  while (path !== null) {
    const response: Response = await world.request(path);
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
    const world = await World.create();
    const { before, after } = randomExports(pair);
    const [since, until] = [await world.compile(before), await world.compile(after)].map(
      (manifest) => world.turnTo(manifest),
    ) as [Turn, Turn];
    const expected = expectedChanges(before, after).map(({ fields: _, ...change }) => change);
    const found = await walk(world, since, until, [1, 3, 1000][pair % 3] ?? 1);
    expect(found, `pair ${pair}`).toEqual(expected);
    expect(await walk(world, until, until, 10)).toEqual([]);
    for (const { change } of expected) kinds.add(change);
  }
  expect([...kinds].sort()).toEqual(['added', 'changed', 'removed']);
});
