/** A release that cannot be read from is not the end: the one before answers, or a second try. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { sealJson } from '../../src/sealed-json.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Manifest, Pointer } from '../../src/snapshot/manifest.ts';
import { decodePointer, GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';
import { standStill } from '../support/worker/held-storage.ts';

const LIST = '/v2/external/stores';
const PATH = `${LIST}?limit=1&sort=slug__desc&fields=slug`;

let errors: MockInstance<typeof console.error>;
let token: string;
let second: Manifest;

beforeEach(async () => {
  errors = vi.spyOn(console, 'error');
  standStill();
  token = await issueToken();
  await publishStores([buildStore(1)]);
  second = await publishStores([buildStore(1), buildStore(2)]);
});

afterEach(() => reset());

const events = () => errors.mock.calls.map(([line]) => JSON.parse(String(line)).event as string);

/** Takes a part away that the request needs. */
const loseRanks = () =>
  env.SNAPSHOTS.delete(objectKey(GENERATION, second.parts['rank/slug']?.hash ?? ''));

/** Changes the pointer where it is. */
async function changePointer(change: (pointer: Pointer) => Pointer): Promise<void> {
  const pointer = decodePointer(await env.SNAPSHOTS.get(POINTER_KEY, 'arrayBuffer')) as Pointer;
  await env.SNAPSHOTS.put(POINTER_KEY, sealJson(change(pointer)));
}

describe('a fallback that fails as well', () => {
  it('is a 503, not a 500, where it has a form that cannot be read', async () => {
    await loseRanks();
    // An object as it should be by its hash, but no column of ranks.
    await changePointer((pointer) => {
      const { before } = pointer;
      const parts = { ...before?.manifest.parts };
      const { ids, 'rank/slug': _, ...others } = parts;
      const manifest = { ...before?.manifest, parts: { ...others, ids, 'rank/slug': ids } };
      return { ...pointer, before: { ...before, manifest } } as Pointer;
    });
    const response = await openStage().request(PATH, { token });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: 'storage_unreachable',
      detail: 'Part of the store data is damaged.',
    });
    expect(response.headers.get('retry-after')).toBe('5');
  });
});

describe('with nothing to fall back on', () => {
  it('a second failure is a 503', async () => {
    await changePointer((pointer) => ({ ...pointer, before: null }));
    await loseRanks();
    const response = await openStage().request(PATH, { token });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(events()).toEqual(['release_unreadable', 'storage_unreachable']);
  });
});
