/**
 * Damage of the small documents: what Workers read (pointer, names, the last run, tokens) and what
 * tools alone read (manifests, the log, intents, what is condemned). Each is flipped at every byte
 * and cut at every length; the reader refuses it, or gets what was written.
 */

import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { Condemned, condemn, readCondemned } from '../../scripts/release/condemned.ts';
import { declareIntent, readIntents } from '../../scripts/release/intents.ts';
import { readEntry } from '../../scripts/release/log.ts';
import { readPointer as readPointerCopy } from '../../scripts/release/pointer-copy.ts';
import { encodeJson, readRelease } from '../../scripts/release/published-release.ts';
import { parseRotation, parseTokenRecord, TokenRecordError } from '../../src/auth/token-record.ts';
import { readDocument } from '../../src/load/documents.ts';
import { sealJson, unsealJson } from '../../src/sealed-json.ts';
import {
  CONDEMNED_PREFIX,
  FORMAT_VERSION,
  INTENT_PREFIX,
  LAST_RUN_KEY,
  logKey,
  nameKey,
  POINTER_KEY,
  releaseKey,
  releaseName,
} from '../../src/snapshot/keys.ts';
import {
  lastRunSchema,
  liveReleaseSchema,
  type Manifest,
  type Pointer,
  pointerSchema,
} from '../../src/snapshot/manifest.ts';
import { compileValues, MemorySource, TestBackground } from '../shared/memory-snapshot.ts';
import { DAMAGED_STORES } from './damaged-stores.ts';
import { damagesOf } from './every-damage.ts';
import { MemoryTarget } from './memory-target.ts';

const AT = '2026-01-01T00:00:00Z';
const counts = { injected: 0, found: 0, harmless: 0 };

let manifest: Manifest;
let values: Map<string, Uint8Array>;

beforeAll(async () => {
  ({ manifest, values } = await compileValues(DAMAGED_STORES, AT));
});

afterAll(() => {
  const { injected, found, harmless } = counts;
  console.info(
    `${injected} damages of documents, ${found} found before use, ${harmless} left all as it was`,
  );
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
    counts.injected++;
    let got: unknown = null;
    try {
      got = await read(bytes);
    } catch (error) {
      expectRefusal(error);
    }
    if (got === null) counts.found++;
    else if (isDeepStrictEqual(got, whole)) counts.harmless++;
    else throw new Error(`${what} was not noticed: ${JSON.stringify(got)}`);
  }
}

/** Says by the name of the key where the damage lies. */
const naming = (key: string) => (error: unknown) => {
  const texts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) texts.push(each.message);
  if (!texts.some((text) => text.includes(key)))
    throw new Error(`no word of ${key}`, { cause: error });
};

/** What a source has under one key. */
function sourceOf(key: string, bytes: Uint8Array): MemorySource {
  const source = new MemorySource();
  source.values.set(key, bytes);
  return source;
}

/** Reads a document of which storage has these bytes, as a Worker does. */
const readAs =
  <Document>(key: string, schema: z.ZodType<Document>) =>
  (bytes: Uint8Array) =>
    readDocument(sourceOf(key, bytes), key, schema, new TestBackground());

describe('a Worker refuses, and says where it lies,', () => {
  it('the pointer', async () => {
    await damageAll(
      values.get(POINTER_KEY) as Uint8Array,
      readAs(POINTER_KEY, pointerSchema),
      naming(POINTER_KEY),
    );
  });

  it('the name of a kept release', async () => {
    const key = nameKey(releaseName(1, manifest.release));
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
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const expectTyped = (error: unknown) => expect(error).toBeInstanceOf(TokenRecordError);

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
    await damageAll(encodeJson(record), (bytes) => parseTokenRecord(decode(bytes)), expectTyped);
    const revoked = encodeJson({ ...record, revokedAt: AT });
    await damageAll(revoked, (bytes) => parseTokenRecord(decode(bytes)), expectTyped);
  });

  it('its rotation', async () => {
    const rotation = encodeJson({ version: 1, rotatedAt: AT, until: '2026-01-02T00:00:00Z' });
    await damageAll(rotation, (bytes) => parseRotation(decode(bytes)), expectTyped);
  });
});

describe('a tool refuses', () => {
  /** Reads what a target has, with one value of the ledger in the place of another. */
  const inLedger =
    (target: MemoryTarget, key: string, read: () => unknown) => (bytes: Uint8Array) => {
      target.ledgerValues.set(key, { bytes, storedAt: target.time });
      return read();
    };

  it('the pointer and the manifest of a release', async () => {
    const target = new MemoryTarget();
    const read = (key: string, reader: () => unknown) => (bytes: Uint8Array) => {
      target.values.set(key, bytes);
      return reader();
    };
    const pointer = values.get(POINTER_KEY) as Uint8Array;
    await damageAll(
      pointer,
      read(POINTER_KEY, () => readPointerCopy(target)),
    );
    const key = releaseKey(manifest.release);
    const release = values.get(key) as Uint8Array;
    await damageAll(
      release,
      read(key, () => readRelease(target, manifest.release)),
    );
  });

  it('an entry of the log', async () => {
    const pointer = unsealJson(new TextDecoder().decode(values.get(POINTER_KEY))) as Pointer;
    const entry = {
      ...pointer,
      kind: 'publish',
      at: AT,
      by: 'Vélo',
      note: null,
      mark: 'm',
      back: null,
      hold: null,
      cost: { writes: 1, bytes: 2 },
    };
    const target = new MemoryTarget();
    const read = inLedger(target, logKey(1), () => readEntry(target.ledger, 1));
    await damageAll(encodeJson(entry), read, naming('entry 1 of the log'));
  });

  it('an intent, and what is condemned', async () => {
    const target = new MemoryTarget();
    const objects = Object.values(manifest.parts).map(({ hash }) => hash);
    const { key } = await declareIntent(target.ledger, {
      by: 'me',
      release: manifest.release,
      head: 0,
      objects,
    });
    const intent = target.ledgerValues.get(key)?.bytes as Uint8Array;
    await damageAll(
      intent,
      inLedger(target, key, () => readIntents(target.ledger, target.time)),
      naming(INTENT_PREFIX),
    );
    const condemned = await condemn(target.ledger, {
      head: 1,
      isPurge: false,
      releases: [manifest.release],
      objects,
    });
    const record = target.ledgerValues.get(condemned)?.bytes as Uint8Array;
    await damageAll(
      record,
      inLedger(target, condemned, () => readCondemned(target.ledger)),
      naming(CONDEMNED_PREFIX),
    );
    expect(await readCondemned(target.ledger).catch(() => null)).not.toBeInstanceOf(Condemned);
  });
});

describe('a document without a sum', () => {
  it('is refused', () => {
    const { sum, ...bare } = JSON.parse(sealJson({ format: FORMAT_VERSION, of: 'a release' }));
    expect(sum).toMatch(/^[0-9a-f]{8}$/);
    expect(() => unsealJson(JSON.stringify(bare))).toThrow('it has no sum');
  });
});
