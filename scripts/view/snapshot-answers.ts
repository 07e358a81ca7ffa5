/**
 * Answers for a list of stores and for one store from a compiled snapshot as the Worker does, but for
 * tokens and tags.
 */

import { pageLink } from '../../src/http/next-link.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import type { Reply } from '../../src/http/reply.ts';
import { LoadedRelease } from '../../src/load/loaded-release.ts';
import { type ReadContext, StorageCost } from '../../src/load/read-context.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { getStore, listStores } from '../../src/query/directory.ts';
import { Scratch } from '../../src/query/scratch.ts';
import { renderList, renderStore } from '../../src/render/render-stores.ts';
import type { SnapshotSource } from '../../src/storage/snapshot-source.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';

/** Objects that one read may take. */
const MOST_KEYS = 100;

export type SnapshotAnswers = ReturnType<typeof answersFrom>;

export function answersFrom(compiled: CompiledRelease) {
  const memory = new SnapshotMemory(sourceOf(compiled));
  // A folder knows no generations.
  const manifest = { ...compiled.manifest, generation: '' };
  const publishedAt = new Date(0).toISOString();
  const release = new LoadedRelease({ manifest, publishedAt, number: 0 }, memory);
  memory.hold([release]);
  const scratch = new Scratch();
  const reply = (body: Uint8Array<ArrayBuffer>, link: { readonly link?: string } = {}): Reply => {
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-snapshot-release': release.id,
      ...link,
    };
    return { status: 200, body, headers };
  };
  return {
    /** @param text the query, after `?` @throws ProblemError */
    async list(text: string): Promise<Reply> {
      const { query } = readQuery(LIST_QUERY, text);
      return listStores(release, query, quietContext(), scratch, (page) =>
        reply(renderList(page, query, null), pageLink(LIST_PATH, text, page.next, query)),
      );
    },

    /** @param text the query, after `?` @throws ProblemError */
    async get(idOrSlug: string, text: string): Promise<Reply> {
      const { query } = readQuery(STORE_QUERY, text);
      return getStore(release, idOrSlug, query, quietContext(), (store) =>
        reply(renderStore(store, query, null)),
      );
    },
  };
}

/** A compiled release behind the door that the Worker reads through. */
function sourceOf(compiled: CompiledRelease): SnapshotSource {
  return {
    mostKeys: MOST_KEYS,
    readDocument: async () => null,
    readObjects: async (objects) => {
      const refs = objects.map(({ key, bytes }) => {
        return { hash: key.slice(key.lastIndexOf('/') + 1), bytes };
      });
      const values = await compiled.readObjects(refs);
      return values.map((bytes) => bytes && (bytes.slice().buffer as ArrayBuffer));
    },
  };
}

function quietContext(): ReadContext {
  const defer = (work: Promise<unknown>) => void work.catch(() => {});
  return { host: 'snapshot.invalid', defer, storage: new StorageCost(), giveUpAt: Infinity };
}
