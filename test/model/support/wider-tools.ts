/** What a test of a wider model uses of the product, loaded with other lists of words. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { AnswerBuffer } from '../../../src/render/answer-buffer.ts';
import { renderList } from '../../../src/render/render-stores.ts';
import { find, publish } from '../../query/support/found-stores.ts';
import { TestContext } from '../../support/stores/memory-snapshot.ts';
import { parseListQuery } from '../../support/worker/query-faults.ts';

export { sourceStoreSchema } from '../../../scripts/compile/source-store.ts';

/** Compiles stores, and answers lists of them as the Worker does. */
export async function serveStores(stores: readonly SourceStore[]) {
  const release = (await publish(stores))();
  return async (text: string) => {
    const matches = await find(release, text);
    using records = await release.records(matches.stores, new TestContext());
    const body = renderList(matches, records, parseListQuery(text), null, new AnswerBuffer());
    return JSON.parse(new TextDecoder().decode(body));
  };
}
