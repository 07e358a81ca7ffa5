/** Answers are written into memory that is used again. */
import { reset } from 'cloudflare:test';
import { afterEach, expect, it } from 'vitest';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';

afterEach(() => reset());

it('an answer that is read late is its own, whatever was answered meanwhile', async () => {
  await publishStores([buildStore(1), buildStore(2)]);
  const token = await issueToken();
  const stage = openStage();
  const ask = (slug: string) => stage.request(`/v2/external/stores/${slug}`, { token });
  const [first, second] = [await ask('store-1'), await ask('store-2')];
  expect(await first.json()).toMatchObject({ slug: 'store-1' });
  expect(await second.json()).toMatchObject({ slug: 'store-2' });
});

it('the memory of usual answers is used again, that of a larger one is not kept', () => {
  const buffer = new AnswerBuffer();
  const memoryOf = (bytes: number) => {
    buffer.clear();
    buffer.addBytes(new Uint8Array(bytes).fill(1));
    expect(buffer.toBytes()).toEqual(new Uint8Array(bytes).fill(1));
    return buffer.toBytes().buffer;
  };
  const usual = memoryOf(1_000_000);
  expect(memoryOf(50)).toBe(usual);
  expect(memoryOf(9_000_000).byteLength).toBeGreaterThan(9_000_000);
  expect(memoryOf(50).byteLength).toBe(usual.byteLength);
});
