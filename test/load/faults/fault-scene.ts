/** Two releases in the real KV and the real bucket, and what each fault makes of their values. */
import { env as bindings } from 'cloudflare:workers';
import {
  hashToken,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
} from '../../../src/auth/token.ts';
import { sealJson, unsealJson } from '../../../src/sealed-json.ts';
import {
  FORMAT_VERSION,
  LAST_RUN_KEY,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
  releaseName,
  SNAPSHOT_PREFIX,
} from '../../../src/snapshot/keys.ts';
import {
  COMPARED_PART,
  type Manifest,
  objectHash,
  type Pointer,
} from '../../../src/snapshot/manifest.ts';
import { compileValues, decodePointer, GENERATION } from '../../support/stores/memory-snapshot.ts';
import { buildStore } from '../../support/stores/store-builder.ts';
import { issueToken, putSnapshotValue } from '../../support/worker/harness.ts';
import type { Fault, Target } from './fault-table.ts';
import { CACHE, type Damage, GUESSES, LIMITER } from './faulty-storage.ts';

/** Part of which a request for a list has need. */
const PART = 'rank/slug';

/** What lies in storage before anything goes wrong. */
export interface Scene {
  readonly pointers: { readonly first: Uint8Array; readonly second: Uint8Array };
  readonly names: { readonly before: string; readonly live: string };
  /** Keys that are read for each target. */
  readonly keys: Readonly<Record<Target, (key: string) => boolean>>;
  /** What was read of the bindings. */
  readonly kept: Map<string, Promise<unknown>>;
  /** The pointer with an index part of another version in its release, and that part. */
  readonly otherFormats: ReadonlyMap<Fault, Uint8Array>;
  readonly token: string;
  /** Tokens that never get data: one that was revoked, one that expired, one that was never issued. */
  readonly bad: readonly string[];
}

const encoder = new TextEncoder();
const encode = (value: object): Uint8Array => encoder.encode(sealJson(value));

/** Publishes two releases to KV and R2, and issues tokens of production. */
export async function setScene(now: number): Promise<Scene> {
  const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  const first = await compileValues([buildStore(1)], at(5));
  const before = decodePointer(first.values.get(POINTER_KEY));
  const second = await compileValues([buildStore(1), buildStore(2)], at(1), before);
  const pointers = { first: pointerIn(first.values), second: pointerIn(second.values) };
  const otherFormats = new Map<Fault, Uint8Array>();
  for (const [fault, version] of [
    ['olderFormat', FORMAT_VERSION - 1],
    ['newerFormat', FORMAT_VERSION + 1],
  ] as const) {
    otherFormats.set(fault, await withOtherPart(second.values, version));
  }
  const run = encode({ ranAt: at(1), release: second.manifest.release });
  const values = new Map([...first.values, ...second.values, [LAST_RUN_KEY, run]]);
  for (const [key, value] of values) {
    await putSnapshotValue(key, value);
    await bindings.SNAPSHOT_BUCKET.put(key, value);
  }
  const token = await issueToken({}, 'production');
  const rotation = rotationKey(await hashToken(token));
  const far = new Date(now + 1e9).toISOString();
  await bindings.TOKENS.put(rotation, sealJson({ version: 1, rotatedAt: at(1), until: far }));
  const bad = [
    await issueToken({ revokedAt: at(1) }, 'production'),
    await issueToken({ expiresAt: at(1) }, 'production'),
    `rsd_sk_live_${'0'.repeat(32)}`,
  ];
  const names = {
    before: releaseName(1, first.manifest.release),
    live: releaseName(2, second.manifest.release),
  };
  const name = releaseKey(names.before);
  const keys = keysOf(first.manifest, second.manifest, [...second.values.keys()], name);
  return { pointers, names, keys, kept: new Map(), otherFormats, token, bad };
}

const pointerIn = (values: ReadonlyMap<string, Uint8Array>) =>
  values.get(POINTER_KEY) as Uint8Array;

/** Puts a part of another version beside the others; the pointer to a release that has it. */
async function withOtherPart(
  values: Map<string, Uint8Array>,
  version: number,
): Promise<Uint8Array> {
  const pointer = decodePointer(pointerIn(values)) as Pointer;
  const part = (
    values.get(objectKey(GENERATION, pointer.manifest.parts[PART]?.hash ?? '')) as Uint8Array
  ).slice();
  new DataView(part.buffer).setUint16(4, version, true);
  const hash = await objectHash(part);
  values.set(objectKey(GENERATION, hash), part);
  const parts = { ...pointer.manifest.parts, [PART]: { hash, bytes: part.length } };
  return encode({ ...pointer, manifest: { ...pointer.manifest, parts } });
}

function keysOf(
  first: Manifest,
  second: Manifest,
  keys: readonly string[],
  nameKey: string,
): Scene['keys'] {
  const partKeys = ({ parts }: Manifest) =>
    Object.entries(parts).map(([name, { hash }]) => [name, objectKey(GENERATION, hash)] as const);
  const all = new Set([...partKeys(first), ...partKeys(second)].map(([, key]) => key));
  const compared = [...partKeys(first), ...partKeys(second)]
    .filter(([name]) => name === COMPARED_PART)
    .map(([, key]) => key);
  const part = objectKey(GENERATION, second.parts[PART]?.hash ?? '');
  const documents = keys.filter((key) => key.startsWith(OBJECT_PREFIX) && !all.has(key));
  const isToken = (key: string) => key.startsWith(TOKEN_KEY_PREFIX);
  const isRotation = (key: string) => isToken(key) && key.endsWith(ROTATION_KEY_SUFFIX);
  return {
    pointer: (key) => key === POINTER_KEY,
    part: (key) => key === part,
    documents: (key) => documents.includes(key),
    snapshots: (key) => key.startsWith(SNAPSHOT_PREFIX),
    record: (key) => isToken(key) && !isRotation(key),
    rotation: isRotation,
    everything: (key) => isToken(key) || key.startsWith(SNAPSHOT_PREFIX),
    name: (key) => key === nameKey,
    compared: (key) => compared.includes(key),
    run: (key) => key === LAST_RUN_KEY,
    cache: (key) => key === CACHE,
    limiter: (key) => key === LIMITER,
    guesses: (key) => key === GUESSES,
  };
}

/** How a fault changes what a read brings; null: it does not. */
export function damageOf(scene: Scene, target: Target, fault: Fault): Damage | null {
  switch (fault) {
    case 'missing':
      return () => null;
    case 'cut':
      return (_, bytes) => bytes.slice(0, Math.floor((bytes.length * 3) / 4));
    case 'flipped':
    case 'damagedOnce':
      return (_, bytes) => flipped(bytes);
    case 'olderFormat':
    case 'newerFormat':
      return target === 'part' ? null : (_, bytes) => reversioned(bytes, fault);
    case 'namesNothing':
      return () => namingNothing(scene.pointers.second);
    case 'olderRelease':
      return () => scene.pointers.first;
    case 'backAndForth': {
      let turn = 0;
      return () => (turn++ % 2 === 0 ? scene.pointers.first : scene.pointers.second);
    }
    default:
      return null;
  }
}

/** With one bit changed in the middle. */
function flipped(bytes: Uint8Array): Uint8Array {
  const middle = bytes.length >> 1;
  return bytes.map((byte, index) => (index === middle ? byte ^ 1 : byte));
}

/** A document as another version of the format would have it. */
function reversioned(bytes: Uint8Array, fault: 'olderFormat' | 'newerFormat'): Uint8Array {
  const step = fault === 'newerFormat' ? 1 : -1;
  const document = unsealJson(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const key = ['format', 'version'].find((name) => name in document) as string;
  return encode({ ...document, [key]: Number(document[key]) + step, of: 'another version' });
}

function namingNothing(bytes: Uint8Array): Uint8Array {
  const pointer = decodePointer(bytes) as Pointer;
  const parts = { ...pointer.manifest.parts, [PART]: { hash: '0'.repeat(32), bytes: 40 } };
  return encode({ ...pointer, manifest: { ...pointer.manifest, parts } });
}
