/** What a test of a wider model uses of the product, bundled with other lists of words. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LIST_PARAMETERS } from '../../../src/http/query/list-parameters.ts';
import { ReleaseHolder } from '../../../src/load/release-holder.ts';
import { listStores } from '../../../src/query/directory.ts';
import { renderList } from '../../../src/render/render-stores.ts';
import { MemorySource, TestBackground } from '../../support/stores/memory-snapshot.ts';

export { sourceStoreSchema } from '../../../scripts/compile/source-store.ts';

/** Compiles stores, and answers lists of them as the Worker does. */
export async function serveStores(stores: readonly SourceStore[]) {
  const source = new MemorySource();
  const background = new TestBackground();
  await source.publish(stores, '2026-01-01T00:00:00Z');
  const release = await new ReleaseHolder(source, 0, () => {}).current(background);
  return async (text: string) => {
    const { query } = LIST_PARAMETERS.parse(text);
    const body = await listStores(release, query, background, (page) =>
      renderList(page, query, null),
    );
    return JSON.parse(new TextDecoder().decode(body));
  };
}
