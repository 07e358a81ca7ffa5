/** Two releases in KV and in R2, and what each fault makes of their values. */
import { generateToken } from '../../../scripts/token/new-token.ts';
import {
  hashToken,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
} from '../../../src/auth/token.ts';
import type { TokenRecord } from '../../../src/auth/token-record.ts';
import {
  LAST_RUN_KEY,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
  SNAPSHOT_PREFIX,
} from '../../../src/snapshot/keys.ts';
import { COMPARED_NAME, type Pointer } from '../../../src/snapshot/manifest.ts';
import { sealJson, unsealJson } from '../../../src/storage/sealed-json.ts';
import {
  compileValues,
  decodePointer,
  GENERATION,
  valueInKv,
} from '../../support/stores/memory-snapshot.ts';
import { buildStore } from '../../support/stores/store-builder.ts';
import { tokenEntry } from '../../support/worker/harness.ts';
import type { Fault, Target } from './fault-table.ts';
import type { Damage, StoredValues } from './faulty-storage.ts';

/** Part of which a request for a list has need. */
const PART = 'rank/slug';

/** What lies in storage before anything goes wrong. */
export interface Scene extends StoredValues {
  readonly pointers: { readonly first: Uint8Array; readonly second: Uint8Array };
  readonly names: { readonly before: string; readonly live: string };
  /** Keys that are read for each target. */
  readonly keys: Readonly<Record<Target, (key: string) => boolean>>;
  readonly token: string;
  /** Tokens that never get data: one that was revoked, one that expired, one that was never issued. */
  readonly bad: readonly string[];
}

const encoder = new TextEncoder();
const encode = (value: object): Uint8Array => encoder.encode(sealJson(value));

/** When tests begin. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Two releases, and tokens of production. */
export async function setScene(): Promise<Scene> {
  const at = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
  const first = await compileValues([buildStore(1)], at(5));
  const turned = decodePointer(pointerIn(first));
  const second = await compileValues([buildStore(1), buildStore(2)], at(1), turned);
  const pointers = { first: pointerIn(first), second: pointerIn(second) };
  const run = encode({ ranAt: at(1), release: second.manifest.release });
  const r2 = new Map([...first.values, ...second.values, [LAST_RUN_KEY, run]]);
  const kv = new Map(
    Array.from(r2, ([key, value]) => {
      const stored = valueInKv(key, value);
      return [key, typeof stored === 'string' ? encoder.encode(stored) : stored];
    }),
  );
  const issue = async (changes: Partial<TokenRecord> = {}) => {
    const token = generateToken('production');
    const [key, text] = await tokenEntry(token, changes);
    kv.set(key, encoder.encode(text));
    return token;
  };
  const token = await issue();
  const far = new Date(NOW + 1e9).toISOString();
  const rotation = encode({ version: 1, rotatedAt: at(1), until: far });
  kv.set(rotationKey(await hashToken(token)), rotation);
  const bad = [
    await issue({ revokedAt: at(1) }),
    await issue({ expiresAt: at(1) }),
    generateToken('production'),
  ];
  const names = { before: first.name, live: second.name };
  return { kv, r2, pointers, names, keys: keysOf(first, second), token, bad };
}

type Published = Awaited<ReturnType<typeof compileValues>>;

const pointerIn = ({ values }: Published) => values.get(POINTER_KEY) as Uint8Array;

function keysOf(first: Published, second: Published): Scene['keys'] {
  const partKey = ({ manifest }: Published, part: string) =>
    objectKey(GENERATION, manifest.parts[part]?.hash ?? '');
  const parts = Object.keys(second.manifest.parts).map((part) => partKey(second, part));
  const objects = [...second.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
  const isOneOf =
    (...keys: readonly string[]) =>
    (key: string) =>
      keys.includes(key);
  const isSnapshot = (key: string) => key.startsWith(SNAPSHOT_PREFIX);
  const isToken = (key: string) => key.startsWith(TOKEN_KEY_PREFIX);
  const isRotation = (key: string) => isToken(key) && key.endsWith(ROTATION_KEY_SUFFIX);
  return {
    pointer: isOneOf(POINTER_KEY),
    part: isOneOf(partKey(second, PART)),
    documents: isOneOf(...objects.filter((key) => !parts.includes(key))),
    snapshots: isSnapshot,
    record: (key) => isToken(key) && !isRotation(key),
    rotation: isRotation,
    everything: (key) => isToken(key) || isSnapshot(key),
    name: isOneOf(releaseKey(first.name)),
    compared: isOneOf(...[first, second].map((release) => partKey(release, COMPARED_NAME))),
    run: isOneOf(LAST_RUN_KEY),
    cache: isOneOf('cache'),
    limiter: isOneOf('limiter'),
    guesses: isOneOf('guesses'),
  };
}

/** How a fault changes what a read brings; null: it does not. */
export function damageOf(scene: Scene, fault: Fault): Damage | null {
  switch (fault) {
    case 'missing':
      return () => null;
    case 'cut':
      return (_, bytes) => bytes.slice(0, Math.floor((bytes.length * 3) / 4));
    case 'flipped':
    case 'damagedOnce':
      return (_, bytes) => flipped(bytes);
    case 'olderFormat':
      return (_, bytes) => reversioned(bytes, -1);
    case 'newerFormat':
      return (_, bytes) => reversioned(bytes, 1);
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
function reversioned(bytes: Uint8Array, step: number): Uint8Array {
  const document = unsealJson(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const key = ['format', 'version'].find((name) => name in document) as string;
  return encode({ ...document, [key]: Number(document[key]) + step, of: 'another version' });
}

function namingNothing(bytes: Uint8Array): Uint8Array {
  const pointer = decodePointer(bytes) as Pointer;
  const parts = { ...pointer.manifest.parts, [PART]: { hash: '0'.repeat(32), bytes: 40 } };
  return encode({ ...pointer, manifest: { ...pointer.manifest, parts } });
}
