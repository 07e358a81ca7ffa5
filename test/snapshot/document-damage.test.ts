/**
 * Damage of the small documents, which are all sealed alike: one that Workers read and one that tools alone read are
 * flipped at every byte and cut at every length; the reader refuses them, or gets what was written. The table of
 * failures (`load/faults`) shows of each other document that its seal is looked at.
 */

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { parseEntry } from '../../scripts/release/log.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { readSealedDocument } from '../../src/load/sealed-document.ts';
import { FORMAT_VERSION, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { type PublishedManifest, pointerSchema } from '../../src/snapshot/manifest.ts';
import { sealJson, unsealJson } from '../../src/storage/sealed-json.ts';
import { entryTo } from '../support/memory-target.ts';
import { compileValues, MemorySource, TestContext } from '../support/stores/memory-snapshot.ts';
import { DAMAGED_STORES, damagesOf } from './support/every-damage.ts';

let manifest: PublishedManifest;
let values: Map<string, Uint8Array>;

beforeAll(async () => {
  ({ manifest, values } = await compileValues(DAMAGED_STORES, '2026-01-01T00:00:00Z'));
});

/**
 * Reads a document with every damage it may have.
 * @param key stands in the error of each that is refused
 */
async function damageAll(
  document: Uint8Array,
  read: (bytes: Uint8Array<ArrayBuffer>) => unknown,
  key: string,
): Promise<void> {
  const whole = await read(document.slice());
  expect(whole).not.toBeNull();
  for (const { what, bytes } of damagesOf(document)) {
    try {
      const got = await read(bytes);
      // Where it left all as it was it does no harm.
      if (!isDeepStrictEqual(got, whole)) expect.fail(`${what} was not noticed`);
    } catch (error) {
      expectNamed(key, error);
    }
  }
}

/** Fails unless the error says by the name of the key where the damage lies. */
function expectNamed(key: string, error: unknown): void {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) texts.push(each.message);
  if (!texts.some((text) => text.includes(key)))
    throw new Error(`no word of ${key}`, { cause: error });
}

it('a Worker refuses a pointer, and says where it lies', async () => {
  const read = (bytes: Uint8Array) =>
    readSealedDocument(
      new MemorySource(new Map([[POINTER_KEY, bytes]])),
      POINTER_KEY,
      pointerSchema,
      new TestContext(),
    );
  await damageAll(values.get(POINTER_KEY) as Uint8Array, read, POINTER_KEY);
});

it('a tool refuses an entry of the log, and says which', async () => {
  const cost = { writes: 1, bytes: 2 };
  const entry = { ...entryTo(manifest.release, 1), by: 'Vélo', mark: 'm', cost };
  const read = (bytes: Uint8Array) => parseEntry(bytes, 1);
  await damageAll(encodeJson(entry), read, 'entry 1 of the log');
});

it('a document without a sum is refused', () => {
  const { sum, ...bare } = JSON.parse(sealJson({ format: FORMAT_VERSION, of: 'a release' }));
  expect(sum).toMatch(/^[0-9a-f]{8}$/);
  expect(() => unsealJson(JSON.stringify(bare))).toThrow('it has no sum');
});
