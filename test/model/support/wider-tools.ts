/** What a test of a wider model uses of the product, loaded with other lists of words. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LIST_QUERY } from '../../../src/http/query/list-query.ts';
import { readQuery } from '../../../src/http/query/read-query.ts';
import { ReleaseHolder } from '../../../src/load/release-holder.ts';
import { findStores, partsForList } from '../../../src/query/find-stores.ts';
import { Scratch } from '../../../src/query/scratch.ts';
import { AnswerBuffer } from '../../../src/render/answer-buffer.ts';
import { renderList } from '../../../src/render/render-stores.ts';
import { MemorySource, TestContext } from '../../support/stores/memory-snapshot.ts';

export { sourceStoreSchema } from '../../../scripts/compile/source-store.ts';

/** Compiles stores, and answers lists of them as the Worker does. */
export async function serveStores(stores: readonly SourceStore[]) {
  const source = new MemorySource();
  const context = new TestContext();
  await source.publish(stores);
  const release = await new ReleaseHolder(source, 0, () => {}).current(context);
  return async (text: string) => {
    const { query } = readQuery(LIST_QUERY, text);
    await release.load(partsForList(query), context);
    const matches = findStores(release, query, new Scratch());
    using records = await release.records(matches.stores, context);
    const body = renderList(matches, records, query, null, new AnswerBuffer());
    return JSON.parse(new TextDecoder().decode(body));
  };
}
