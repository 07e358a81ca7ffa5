/**
 * Damage of the small documents: what Workers read (pointer, releases by name, the last run, tokens)
 * and the log, which tools alone read. Each is flipped at every byte and cut at every length; the reader
 * refuses it, or gets what was written.
 */

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { parseEntry } from '../../scripts/release/log.ts';
import { readPointer } from '../../scripts/release/open-log.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { rotationSchema, tokenRecordSchema } from '../../src/auth/token-record.ts';
import { readSealedDocument } from '../../src/load/sealed-document.ts';
import { readSealed, SealError, sealJson, unsealJson } from '../../src/sealed-json.ts';
import {
  FORMAT_VERSION,
  LAST_RUN_KEY,
  POINTER_KEY,
  releaseKey,
  releaseName,
} from '../../src/snapshot/keys.ts';
import {
  lastRunSchema,
  liveReleaseSchema,
  type PublishedManifest,
  pointerSchema,
} from '../../src/snapshot/manifest.ts';
import { entryTo, MemoryTarget } from '../support/memory-target.ts';
import { compileValues, MemorySource, TestContext } from '../support/stores/memory-snapshot.ts';
import { DAMAGED_STORES } from './support/damaged-stores.ts';
import { damagesOf } from './support/every-damage.ts';

const AT = '2026-01-01T00:00:00Z';

let manifest: PublishedManifest;
let values: Map<string, Uint8Array>;

beforeAll(async () => {
  ({ manifest, values } = await compileValues(DAMAGED_STORES, AT));
});

/**
 * Reads a document with every damage it may have.
 * @param read comes to null, or fails, where the document is refused
 */
async function damageAll(
  document: Uint8Array,
  read: (bytes: Uint8Array<ArrayBuffer>) => unknown,
  expectRefusal: (error: unknown) => void = () => {},
): Promise<void> {
  const whole = await read(document.slice());
  expect(whole).not.toBeNull();
  for (const { what, bytes } of damagesOf(document)) {
    let got: unknown = null;
    try {
      got = await read(bytes);
    } catch (error) {
      expectRefusal(error);
    }
    // Where it left all as it was it does no harm.
    if (got === null || isDeepStrictEqual(got, whole)) continue;
    throw new Error(`${what} was not noticed: ${JSON.stringify(got)}`);
  }
}

/** Says by the name of the key where the damage lies. */
const naming = (key: string) => (error: unknown) => {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) texts.push(each.message);
  if (!texts.some((text) => text.includes(key)))
    throw new Error(`no word of ${key}`, { cause: error });
};

/** Reads a document of which storage has these bytes, as a Worker does. */
const readAs =
  <Document>(key: string, schema: z.ZodType<Document>) =>
  (bytes: Uint8Array) =>
    readSealedDocument(new MemorySource(new Map([[key, bytes]])), key, schema, new TestContext());

describe('a Worker refuses, and says where it lies,', () => {
  it('the pointer', async () => {
    await damageAll(
      values.get(POINTER_KEY) as Uint8Array,
      readAs(POINTER_KEY, pointerSchema),
      naming(POINTER_KEY),
    );
  });

  it('a kept release', async () => {
    const key = releaseKey(releaseName(1, manifest.release));
    await damageAll(values.get(key) as Uint8Array, readAs(key, liveReleaseSchema), naming(key));
  });

  it('when publishing last ran', async () => {
    await damageAll(
      encodeJson({ ranAt: AT, release: manifest.release }),
      readAs(LAST_RUN_KEY, lastRunSchema),
      naming(LAST_RUN_KEY),
    );
  });
});

describe('a token is refused for', () => {
  const unsealAs = (schema: z.ZodType) => (bytes: Uint8Array) =>
    readSealed(new TextDecoder().decode(bytes), schema);
  const expectTyped = (error: unknown) => expect(error).toBeInstanceOf(SealError);

  it('its record', async () => {
    const record = {
      version: 1,
      partner: 'Vélo & Co',
      scopes: ['stores:read:GET', '*:read:*'],
      createdAt: AT,
      expiresAt: '2026-12-31T00:00:00Z',
      revokedAt: null,
      utm: { utm_source: 'velo' },
      note: 'for tests',
    };
    await damageAll(encodeJson(record), unsealAs(tokenRecordSchema), expectTyped);
    const revoked = encodeJson({ ...record, revokedAt: AT });
    await damageAll(revoked, unsealAs(tokenRecordSchema), expectTyped);
  });

  it('its rotation', async () => {
    const rotation = encodeJson({ version: 1, rotatedAt: AT, until: '2026-01-02T00:00:00Z' });
    await damageAll(rotation, unsealAs(rotationSchema), expectTyped);
  });
});

describe('a tool refuses', () => {
  it('the pointer', async () => {
    const target = new MemoryTarget();
    await damageAll(values.get(POINTER_KEY) as Uint8Array, async (bytes) => {
      target.values.set(POINTER_KEY, bytes);
      const found = await readPointer(target);
      return found === 'unreadable' ? null : found;
    });
  });

  it('an entry of the log', async () => {
    const cost = { writes: 1, bytes: 2 };
    const entry = { ...entryTo(manifest.release, 1), by: 'Vélo', mark: 'm', cost };
    const read = (bytes: Uint8Array) => parseEntry(bytes, 1);
    await damageAll(encodeJson(entry), read, naming('entry 1 of the log'));
  });
});

describe('a document without a sum', () => {
  it('is refused', () => {
    const { sum, ...bare } = JSON.parse(sealJson({ format: FORMAT_VERSION, of: 'a release' }));
    expect(sum).toMatch(/^[0-9a-f]{8}$/);
    expect(() => unsealJson(JSON.stringify(bare))).toThrow('it has no sum');
  });
});
