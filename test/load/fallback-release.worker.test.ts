/** A release that cannot be read from, nor the one before it: a 503, not a 500. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { sealJson } from '../../src/sealed-json.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { decodePointer, GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';
import { standStill } from '../support/worker/held-storage.ts';

const PATH = '/v2/external/stores?limit=1&sort=slug__desc&fields=slug';
const RANKS = 'rank/slug';

afterEach(() => reset());

it('a fallback of a form that cannot be read is a 503', async () => {
  standStill();
  await publishStores([buildStore(1)]);
  const second = await publishStores([buildStore(1), buildStore(2)]);
  await env.SNAPSHOTS.delete(objectKey(GENERATION, second.parts[RANKS]?.hash ?? ''));
  // In the release before, an object as it should be by its hash, but no column of ranks.
  const pointer = decodePointer(await env.SNAPSHOTS.get(POINTER_KEY, 'arrayBuffer')) as Pointer;
  const parts = pointer.before?.manifest.parts as Record<string, unknown>;
  parts[RANKS] = parts.ids;
  await env.SNAPSHOTS.put(POINTER_KEY, sealJson(pointer));
  const response = await openStage().request(PATH, { token: await issueToken() });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: 'storage_unreachable',
    detail: 'Part of the store data is damaged.',
  });
  expect(response.headers.get('retry-after')).toBe('5');
});
