/** How much of a release is uploaded after one store in a hundred changed: 8 % of the bytes at most. */
import { expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { totalBytes } from '../../scripts/build/release-reader.ts';
import { ReleaseSeries } from '../support/stores/compiled-stores.ts';

/** More of them give the same figures: 10,000 and 100,000 were tried. */
const STORES = Number(process.env.STABILITY_STORES ?? 3000);
/** Of the changed ones a third each is edited, removed and added. */
const CHANGED = STORES / 100;
const LARGEST_SHARE = 0.08;

it(`of ${STORES} stores, 1 % edited, added and removed upload at most 8 % of the bytes`, async () => {
  const all = [...generateStores(STORES + CHANGED / 3, { seed: 11, languages: null })];
  const series = new ReleaseSeries();
  const live = await series.compile(all.slice(0, STORES));
  // Store numbers all over the export: consecutive ones are as good as any, ids are random.
  const changed = all.flatMap((store, number) => {
    if (number % 300 === 137) return [];
    const profile = { ...store.profile, name: `${store.profile.name} (new)` };
    return number % 300 === 37 ? [{ ...store, profile }] : [store];
  });
  const next = await series.compile(changed);
  const fresh = [...next.objects].filter(([hash]) => !live.objects.has(hash));
  const bytes = fresh.reduce((sum, [, { length }]) => sum + length, 0);
  expect(fresh.length).toBeGreaterThanOrEqual(CHANGED / 2);
  expect(bytes / totalBytes(next.manifest)).toBeLessThanOrEqual(LARGEST_SHARE);
});
