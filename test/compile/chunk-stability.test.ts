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
const isEdited = (number: number) => number % 300 === 37;
const isRemoved = (number: number) => number % 300 === 137;

function* before(): Generator<SourceStore> {
  for (let number = 0; number < STORES; number++) yield generate(number);
}

/** Edits, removals and additions in equal parts. */
function* mixed(): Generator<SourceStore> {
  for (let number = 0; number < STORES; number++) {
    if (isRemoved(number)) continue;
    const store = generate(number);
    const profile = { ...store.profile, name: `${store.profile.name} (new)` };
    yield isEdited(number) ? { ...store, profile } : store;
  }
  for (let number = STORES; number < STORES + CHANGED / 3; number++) yield generate(number);
}

let live: Sizes;

beforeAll(async () => {
  live = await compile(before());
});

describe(`of ${STORES} stores, 1 %`, () => {
  it('edited, added and removed in equal parts upload at most 8 % of the bytes', async () => {
    const next = await compile(mixed());
    const fresh = [...next.objects].filter(([hash]) => !live.objects.has(hash));
    const bytes = fresh.reduce((sum, [, size]) => sum + size, 0);
    const share = bytes / next.total;
    expect(fresh.length).toBeGreaterThanOrEqual(CHANGED / 2);
    expect(share).toBeLessThanOrEqual(LARGEST_SHARE);
  });

  it('in another order upload nothing', async () => {
    const next = await compile([...before()].reverse());
    expect(next.objects).toEqual(live.objects);
  });
});
