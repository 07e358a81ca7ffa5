/** Two sets of stores, their publication into memory, and a reader of what is live then. */
import { expect } from 'vitest';
import type { CompiledRelease } from '../../scripts/build/release-reader.ts';
import {
  type Publication,
  type PublishOptions,
  publishRelease,
} from '../../scripts/release/publish-release.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import { namesPart, partsForStore, storeCalled } from '../../src/query/find-store.ts';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { renderStore } from '../../src/render/render-stores.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import type { SnapshotSource } from '../../src/storage/reading.ts';
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
  const context = new TestContext();
  const release = await holder.current(context);
  const slugs: string[] = [];
  const query = { fields: null, language: null, rentalPointSlug: null, at: null };
  for (let number = 1; number <= 20; number++) {
    const slug = `store-${number}`;
    await release.load(partsForStore(slug, null), context);
    const candidates = release.table(namesPart(slug)).candidates(slug);
    using records = await release.records(candidates, context);
    const found = storeCalled(slug, records);
    if (!found) continue;
    const body = renderStore(found, {}, query, null, new AnswerBuffer());
    slugs.push(JSON.parse(new TextDecoder().decode(body)).slug);
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
