/** Random pairs of releases: `changes` says what a comparison of the two exports says. */
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { Random } from '../../fixtures/generator/random.ts';
import { type SourceStore, sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { describeStore } from '../support/oracle/store-answer.ts';
import { editStores } from '../support/stores/random-edits.ts';
import { randomStore } from '../support/stores/random-stores.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { Place, type Turn, World } from '../support/worker/places.ts';

const SEED = 20261122;
const PAIRS = inject('changePairs');
const POOL = 200;

/** Awkward stores and plain ones. */
const pool = [
  ...fc.sample(randomStore, { seed: SEED, numRuns: POOL }),
  ...Array.from({ length: POOL }, (_, number) => buildStore(number)),
].map((store) => sourceStoreSchema.parse(JSON.parse(JSON.stringify(store))));

/** Everything that partners can be told of a store, in every language and at every location. */
function answersOf(store: SourceStore): unknown[] {
  const points = store.geo.displayAddress ? store.geo.rentalPoints.length : 0;
  return [undefined, ...LANGUAGES].flatMap((lang) =>
    Array.from({ length: 1 + points }, (_, locationIndex) =>
      describeStore(store, { lang, locationIndex, distance: undefined, utm: undefined }),
    ),
  );
}

/** What changed, told by the exports alone. */
function compareExports(before: readonly SourceStore[], after: readonly SourceStore[]) {
  const old = new Map(before.map((store) => [store.id.toLowerCase(), store]));
  const next = new Map(after.map((store) => [store.id.toLowerCase(), store]));
  const changes: { id: string; slug: string; change: string }[] = [];
  for (const { id, slug } of before) {
    if (!next.has(id.toLowerCase())) changes.push({ id, slug, change: 'removed' });
  }
  for (const store of after) {
    const { id, slug } = store;
    const earlier = old.get(id.toLowerCase());
    if (!earlier) changes.push({ id, slug, change: 'added' });
    else if (isSeen(earlier, store)) changes.push({ id, slug, change: 'changed' });
  }
  return changes.sort((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1));
}

/** Whether some answer differs. */
function isSeen(earlier: SourceStore, later: SourceStore): boolean {
  if (earlier === later) return false;
  const [was, is] = [answersOf(earlier), answersOf(later)].map((all) =>
    JSON.stringify(sorted(all)),
  );
  return was !== is;
}

/** The same value with the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withFreeNames(stores: readonly SourceStore[]): SourceStore[] {
  return editStores([], { edited: 0, removed: 0, added: stores, passedOn: 0 }, new Random(SEED, 0));
}

/** All pages of the changes, by `Link`. */
async function walk(place: Place, since: Turn, until: Turn, limit: number) {
  const docs: unknown[] = [];
  let path: string | null = `/v2/external/changes?since=${since.name}&limit=${limit}`;
  while (path !== null) {
    const response: Response = await place.request(path);
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

describe('changes between two releases', () => {
  it(`are those between their exports: ${PAIRS} random pairs`, {
    timeout: 180_000 + 2_000 * PAIRS,
  }, async () => {
    const kinds = new Set<string>();
    for (let pair = 0; pair < PAIRS; pair++) {
      const random = new Random(SEED, pair);
      const world = await World.create();
      const place = new Place(world);
      const before = withFreeNames(random.sample(pool, random.integer(0, 24)));
      const plan = {
        edited: random.integer(0, Math.ceil(before.length / 2)),
        removed: random.integer(0, Math.min(before.length, 4)),
        added: random.sample(pool, random.integer(0, 4)),
        passedOn: random.integer(0, 2),
        recased: random.integer(0, Math.min(before.length, 2)),
      };
      const after = editStores(before, plan, random);
      const [since, until] = [await world.compile(before), await world.compile(after)].map(
        (manifest) => world.turnTo(manifest),
      ) as [Turn, Turn];
      place.see(until);
      const expected = compareExports(before, after);
      const found = await walk(place, since, until, random.pick([1, 3, 1000]));
      expect(found, `pair ${pair}`).toEqual(expected);
      expect(await walk(place, until, until, 10)).toEqual([]);
      for (const { change } of expected) kinds.add(change);
    }
    expect([...kinds].sort()).toEqual(['added', 'changed', 'removed']);
  });
});
