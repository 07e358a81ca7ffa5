/** How much of a release is uploaded after one store in a hundred changed: 8 % of the bytes at most. */
import { beforeAll, describe, expect, it } from 'vitest';
import { generateStore } from '../../fixtures/generator/store.ts';
import { totalBytes } from '../../scripts/build/measure-release.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { ReleaseSeries } from '../support/stores/compiled-stores.ts';

/** More of them give the same figures: 10,000 and 100,000 were tried. */
const STORES = Number(process.env.STABILITY_STORES ?? 3000);
const CHANGED = Math.round(STORES / 100);
const LARGEST_SHARE = 0.08;

/** Sizes of the objects of a release, by hash. */
interface Sizes {
  readonly objects: ReadonlyMap<string, number>;
  readonly total: number;
}

const series = new ReleaseSeries();

async function compile(stores: Iterable<SourceStore>): Promise<Sizes> {
  const { manifest, objects } = await series.compile([...stores]);
  const sizes = [...objects].map(([hash, bytes]) => [hash, bytes.length] as const);
  return { objects: new Map(sizes), total: totalBytes(manifest) };
}

/** By their number. */
const generated: SourceStore[] = [];

/** Made once: that takes longer than to compile it. */
function generate(number: number): SourceStore {
  generated[number] ??= generateStore(number, { seed: 11, languages: null });
  return generated[number];
}

/** Store numbers all over the export: consecutive ones are as good as any, ids are random. */
const isChosen = (number: number) => number % 100 === 37;
/** A third of the chosen ones each. */
const isEdited = (number: number) => number % 300 === 37;
const isRemoved = (number: number) => number % 300 === 137;

function* before(): Generator<SourceStore> {
  for (let number = 0; number < STORES; number++) yield generate(number);
}

function edit(store: SourceStore): SourceStore {
  return { ...store, profile: { ...store.profile, name: `${store.profile.name} (new)` } };
}

function* edited(): Generator<SourceStore> {
  for (let number = 0; number < STORES; number++) {
    yield isChosen(number) ? edit(generate(number)) : generate(number);
  }
}

/** Edits, removals and additions in equal parts. */
function* mixed(): Generator<SourceStore> {
  for (let number = 0; number < STORES; number++) {
    if (isRemoved(number)) continue;
    yield isEdited(number) ? edit(generate(number)) : generate(number);
  }
  for (let number = STORES; number < STORES + CHANGED / 3; number++) yield generate(number);
}

function* inserted(): Generator<SourceStore> {
  yield* before();
  for (let number = STORES; number < STORES + CHANGED; number++) yield generate(number);
}

function* removed(): Generator<SourceStore> {
  for (let number = 0; number < STORES; number++) if (!isChosen(number)) yield generate(number);
}

let live: Sizes;

beforeAll(async () => {
  live = await compile(before());
});

describe(`of ${STORES} stores, 1 %`, () => {
  it.each([
    { what: 'edited, added and removed in equal parts', stores: mixed },
    { what: 'edited, name and all,', stores: edited },
    { what: 'inserted', stores: inserted },
    { what: 'removed', stores: removed },
  ])('$what upload at most 8 % of the bytes', async ({ what, stores }) => {
    const next = await compile(stores());
    const fresh = [...next.objects].filter(([hash]) => !live.objects.has(hash));
    const bytes = fresh.reduce((sum, [, size]) => sum + size, 0);
    const share = bytes / next.total;
    console.log(
      `1 % of ${STORES} stores ${what} upload ${(100 * share).toFixed(2)} % of the bytes`,
    );
    expect(fresh.length).toBeGreaterThanOrEqual(CHANGED / 2);
    expect(share).toBeLessThanOrEqual(LARGEST_SHARE);
  });

  it('in another order upload nothing', async () => {
    const next = await compile([...before()].reverse());
    expect(next.objects).toEqual(live.objects);
  });
});
