/** Publishing over the API: refused at any request, a reader has one release whole, never a mix. */
import { beforeAll, expect, it } from 'vitest';
import { OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { openStandIn, openTarget } from '../support/cloudflare/stage.ts';
import { refuse } from '../support/cloudflare/stand-in-answer.ts';
import { servedSlugs } from '../support/publish-stage.ts';
import {
  type CompiledStores,
  compileStores,
  publishRelease,
  storesFrom,
} from '../support/stores/compiled-stores.ts';
import { decodePointer } from '../support/stores/memory-snapshot.ts';

const standIn = await openStandIn();
let before: CompiledStores;
let after: CompiledStores;

beforeAll(async () => {
  before = await compileStores(storesFrom(1, 3));
  after = await compileStores(storesFrom(2, 5));
});

/** What lies in a place, by key. */
const STORED = {
  // Objects lie in KV as base64.
  kv: () =>
    new Map(
      [...standIn.snapshots.values].map(([key, value]) => [
        key,
        key.startsWith(OBJECT_PREFIX) ? Buffer.from(String(value), 'base64') : value,
      ]),
    ),
  r2: () => standIn.bucket.objects,
};

/** The release that a Worker serves, after a look at every store of it. */
async function servedRelease(stored: ReadonlyMap<string, Buffer>): Promise<string | undefined> {
  const values = new Map(
    Array.from(stored, ([key, bytes]) => [key, new Uint8Array(bytes)] as const),
  );
  await servedSlugs({ values });
  return decodePointer(values.get(POINTER_KEY))?.manifest.release;
}

const REFUSAL = refuse(403, 10_000, 'Authentication error');

it.each(['kv', 'r2'] as const)(
  'publishing to %s over the API leaves one release whole, whichever request is refused, and can be repeated',
  async (store) => {
    const open = () => openTarget(standIn, store);
    await publishRelease(before, open());
    const restore = standIn.remember();
    standIn.requests.length = 0;
    await publishRelease(after, open());
    const requestCount = standIn.requests.length;
    expect(requestCount).toBeGreaterThan(5);
    const served = new Set<string | undefined>();
    for (let refused = 0; refused < requestCount; refused++) {
      restore();
      standIn.failNext(...Array(refused).fill(null), REFUSAL);
      await expect(publishRelease(after, open())).rejects.toMatchObject({
        // Once the log has the release, what is left is to tell readers.
        code: expect.stringMatching(/^(api_refused|pointer_behind)$/),
      });
      served.add(await servedRelease(STORED[store]()));
      await publishRelease(after, open());
      expect(await servedRelease(STORED[store]())).toBe(after.manifest.release);
    }
    // The last of these requests come after the pointer was turned.
    expect(served).toEqual(new Set([before.manifest.release, after.manifest.release]));
  },
);
