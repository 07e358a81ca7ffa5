/** What was published into memory, as a Worker reads it. */
import { expect } from 'vitest';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import { namesPart, partsForStore, storeCalled } from '../../src/query/find-store.ts';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { renderStore } from '../../src/render/render-stores.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import type { MemoryTarget } from './memory-target.ts';
import { TestContext } from './stores/memory-snapshot.ts';
import { WatchedStorage } from './watched-storage.ts';

/** Slugs of the stores up to number 20 that a Worker over these values answers, each read to its last byte. */
export async function servedSlugs({ values }: Pick<MemoryTarget, 'values'>): Promise<string[]> {
  const holder = new ReleaseHolder(new WatchedStorage(values).source, 0, () => {});
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
