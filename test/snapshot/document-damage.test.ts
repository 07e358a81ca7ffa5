/**
 * Damage of the small documents, which are all sealed alike: one that Workers read and one that tools alone read are
 * flipped at every byte and cut at every length; the reader refuses them, or gets what was written. The table of
 * failures (`load/faults`) shows of each other document that its seal is looked at.
 */

import { inspect, isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { parseEntry } from '../../scripts/release/log.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { readSealedDocument } from '../../src/load/sealed-document.ts';
import { FORMAT_VERSION, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { pointerSchema } from '../../src/snapshot/manifest.ts';
import { sealJson, unsealJson } from '../../src/storage/sealed-json.ts';
import { entryTo } from '../support/memory-target.ts';
import { compileValues, MemorySource, TestContext } from '../support/stores/memory-snapshot.ts';
import { DAMAGED_STORES, damagesOf } from './support/every-damage.ts';

/**
 * Reads a document with every damage it may have: it is refused, with its name in the error or a cause of that,
 * or harmless.
 */
async function damageAll(
  document: Uint8Array,
  read: (bytes: Uint8Array<ArrayBuffer>) => unknown,
  name: string,
): Promise<void> {
  const whole = await read(document.slice());
  expect(whole).not.toBeNull();
  for (const { what, bytes } of damagesOf(document)) {
    const got = await Promise.resolve(bytes).then(read).catch(inspect);
    if (!isDeepStrictEqual(got, whole)) expect(got, what).toContain(name);
  }
}

it('a Worker refuses a pointer, and says where it lies', async () => {
  const read = (bytes: Uint8Array) =>
    readSealedDocument(
      new MemorySource(new Map([[POINTER_KEY, bytes]])),
      POINTER_KEY,
      pointerSchema,
      new TestContext(),
    );
  const { values } = await compileValues(DAMAGED_STORES);
  await damageAll(values.get(POINTER_KEY) as Uint8Array, read, POINTER_KEY);
});

it('a tool refuses an entry of the log, and says which', async () => {
  const cost = { writes: 1, bytes: 2 };
  const entry = { ...entryTo('a'.repeat(16), 1), by: 'Vélo', mark: 'm', cost };
  const read = (bytes: Uint8Array) => parseEntry(bytes, 1);
  await damageAll(encodeJson(entry), read, 'entry 1 of the log');
});

it('a document without a sum is refused', () => {
  const { sum, ...bare } = JSON.parse(sealJson({ format: FORMAT_VERSION, of: 'a release' }));
  expect(sum).toMatch(/^[0-9a-f]{8}$/);
  expect(() => unsealJson(JSON.stringify(bare))).toThrow('it has no sum');
});
