/** Answers are written into memory that is used again. */
import { expect, it } from 'vitest';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { LIST, openService } from '../support/worker/harness.ts';

it('an answer that is read late is its own, whatever was answered meanwhile', async () => {
  const { ask } = await openService([buildStore(1), buildStore(2)]);
  const [first, second] = [await ask(`${LIST}/store-1`), await ask(`${LIST}/store-2`)];
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
