/** The buffer of an answer is given back once the response has its copy: garbage would pile up. */
import { reset } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';

afterEach(() => reset());

it.each(['', '?limit=0', '/store-3'])('it is given back of "%s", and of HEAD', async (path) => {
  await publishStores([buildStore(3)]);
  const token = await issueToken();
  const stage = openStage();
  const transfer = vi.spyOn(ArrayBuffer.prototype, 'transfer');
  for (const method of ['GET', 'HEAD']) {
    await stage.request(`/v2/external/stores${path}`, { token, method });
  }
  const buffers = transfer.mock.contexts as ArrayBuffer[];
  expect(buffers.map(({ detached }) => detached)).toEqual([true, true]);
});
