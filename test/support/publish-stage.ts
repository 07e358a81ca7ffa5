/** Two sets of stores, their publication into memory, and a reader of what is live then. */
import { expect } from 'vitest';
import type { CompiledRelease } from '../../scripts/build/compiled-release.ts';
import {
  type Publication,
  type PublishOptions,
  publishRelease,
} from '../../scripts/release/publish-release.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import { ProblemError } from '../../src/problem.ts';
import { getStore } from '../../src/query/directory.ts';
import { renderStore } from '../../src/render/render-stores.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import type { SnapshotSource } from '../../src/storage/snapshot-source.ts';
import { MemoryTarget } from './memory-target.ts';
import { compileStores, publishOptions } from './stores/compiled-stores.ts';
import { TestContext } from './stores/memory-snapshot.ts';
import { buildStore } from './stores/store-builder.ts';

export const FIRST_TIME = new Date('2026-01-02T03:04:05.000Z');
export const SECOND_TIME = new Date('2026-01-03T03:04:05.000Z');

export const OLD_STORES = [1, 2, 3].map((number) => buildStore(number));
export const NEW_STORES = [2, 3, 4].map((number) => buildStore(number));

export function publish(
  compiled: CompiledRelease,
  target: MemoryTarget,
  now = FIRST_TIME,
  more: Partial<PublishOptions> = {},
): Promise<Publication> {
  target.time = now.getTime();
  return publishRelease(compiled, target, publishOptions(more));
}

/** Slugs of the stores up to number 20 that a Worker over this source answers, each read to its last byte. */
export async function servedSlugs(source: SnapshotSource): Promise<string[]> {
  const holder = new ReleaseHolder(source, 0, () => {});
  const background = new TestContext();
  const release = await holder.current(background);
  const slugs: string[] = [];
  const query = { fields: null, language: null, rentalPointSlug: null };
  for (let number = 1; number <= 20; number++) {
    try {
      const body = await getStore(release, `store-${number}`, query, background, (store) =>
        renderStore(store, query, null),
      );
      slugs.push(JSON.parse(new TextDecoder().decode(body)).slug);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'store_unknown') throw error;
    }
  }
  expect(slugs).toHaveLength(release.storeCount);
  return slugs;
}

/** The key of an object in the generation of the live release. */
export function liveKey({ pointer }: MemoryTarget, hash: string): string {
  return objectKey(pointer?.manifest.generation ?? '', hash);
}

/** A target in which the old stores are live. */
export async function publishedOld(): Promise<MemoryTarget> {
  const target = new MemoryTarget();
  await publish(await compileStores(OLD_STORES), target);
  target.writes.length = 0;
  return target;
}
