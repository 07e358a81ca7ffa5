/** Two releases in storage, and what each fault makes of their values. */
import { generateToken } from '../../../scripts/token/new-token.ts';
import {
  hashToken,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
} from '../../../src/auth/token.ts';
import {
  LAST_RUN_KEY,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseKey,
  SNAPSHOT_PREFIX,
} from '../../../src/snapshot/keys.ts';
import { COMPARED_NAME, type Pointer } from '../../../src/snapshot/manifest.ts';
import { unsealJson } from '../../../src/storage/sealed-json.ts';
import {
  decodePointer,
  encodeDocument,
  GENERATION,
  publish,
  type Turn,
} from '../../support/stores/memory-snapshot.ts';
import { buildStore } from '../../support/stores/store-builder.ts';
import type { Trouble } from '../../support/watched-storage.ts';
import { storage } from '../../support/worker/bound-storage.ts';
import { issueToken } from '../../support/worker/harness.ts';
import type { Fault, Target } from './fault-table.ts';

/** Part of which a request for a list has need. */
const PART = 'rank/slug';

/** What lies in storage before anything goes wrong. */
export interface Scene {
  readonly values: ReadonlyMap<string, Uint8Array>;
  readonly pointers: { readonly first: Uint8Array; readonly second: Uint8Array };
  readonly names: { readonly before: string; readonly live: string };
  /** Keys that are read for each target. */
  readonly keys: Readonly<Record<Target, (key: string) => boolean>>;
  readonly token: string;
  /** Tokens that never get data: one that was revoked, one that expired, one that was never issued. */
  readonly bad: readonly string[];
}

/** When tests begin. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** Two releases, and tokens of production. */
export async function setScene(): Promise<Scene> {
  const { values } = storage;
  const pointer = () => values.get(POINTER_KEY) as Uint8Array;
  const before = await publish(values, [buildStore(1)]);
  const first = pointer();
  const old = new Set(values.keys());
  const live = await publish(values, [buildStore(1), buildStore(2)]);
  const fresh = [...values.keys()].filter((key) => !old.has(key));
  const past = new Date(NOW - 3_600_000).toISOString();
  storage.write(LAST_RUN_KEY, { ranAt: past, release: live.pointer.manifest.release });
  const token = await issueToken({}, 'production');
  const until = new Date(NOW + 1e9).toISOString();
  storage.write(rotationKey(await hashToken(token)), { version: 1, rotatedAt: past, until });
  const bad = [
    await issueToken({ revokedAt: past }, 'production'),
    await issueToken({ expiresAt: past }, 'production'),
    generateToken('production'),
  ];
  return {
    values,
    pointers: { first, second: pointer() },
    names: { before: before.name, live: live.name },
    keys: keysOf(before, live, fresh),
    token,
    bad,
  };
}

/** @param fresh keys that the live release has and the one before has not */
function keysOf(before: Turn, live: Turn, fresh: readonly string[]): Scene['keys'] {
  const partKey = ({ pointer: { manifest } }: Turn, part: string) =>
    objectKey(GENERATION, manifest.parts[part]?.hash ?? '');
  const parts = Object.keys(live.pointer.manifest.parts).map((part) => partKey(live, part));
  const objects = fresh.filter((key) => key.startsWith(OBJECT_PREFIX));
  const isOneOf =
    (...keys: readonly string[]) =>
    (key: string) =>
      keys.includes(key);
  const isSnapshot = (key: string) => key.startsWith(SNAPSHOT_PREFIX);
  const isToken = (key: string) => key.startsWith(TOKEN_KEY_PREFIX);
  const isRotation = (key: string) => isToken(key) && key.endsWith(ROTATION_KEY_SUFFIX);
  return {
    pointer: isOneOf(POINTER_KEY),
    part: isOneOf(partKey(live, PART)),
    documents: isOneOf(...objects.filter((key) => !parts.includes(key))),
    snapshots: isSnapshot,
    record: (key) => isToken(key) && !isRotation(key),
    rotation: isRotation,
    everything: (key) => isToken(key) || isSnapshot(key),
    name: isOneOf(releaseKey(before.name)),
    compared: isOneOf(...[before, live].map((release) => partKey(release, COMPARED_NAME))),
    run: isOneOf(LAST_RUN_KEY),
    cache: isOneOf('cache'),
    limiter: isOneOf('limiter'),
    guesses: isOneOf('guesses'),
  };
}

/** What a fault makes of a read. */
export function troubleOf({ pointers }: Scene, fault: Fault): Trouble {
  switch (fault) {
    case 'slow':
      return { delay: 1_500 };
    case 'verySlow':
      return { delay: 3_000 };
    case 'fails':
    case 'failsOnce':
      return { fails: true, isOnce: fault === 'failsOnce' };
    case 'hangs':
    case 'hangsOnce':
      return { hangs: true, isOnce: fault === 'hangsOnce' };
    case 'missing':
      return { damage: () => null };
    case 'cut':
      return { damage: (bytes) => bytes.slice(0, Math.floor((bytes.length * 3) / 4)) };
    case 'flipped':
    case 'damagedOnce':
      return { damage: flipped, isOnce: fault === 'damagedOnce' };
    case 'olderFormat':
      return { damage: (bytes) => reversioned(bytes, -1) };
    case 'newerFormat':
      return { damage: (bytes) => reversioned(bytes, 1) };
    case 'namesNothing':
      return { damage: () => namingNothing(pointers.second) };
    case 'olderRelease':
      return { damage: () => pointers.first };
    case 'backAndForth': {
      let turn = 0;
      return { damage: () => (turn++ % 2 === 0 ? pointers.first : pointers.second) };
    }
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
  return encodeDocument({
    ...document,
    [key]: Number(document[key]) + step,
    of: 'another version',
  });
}

function namingNothing(bytes: Uint8Array): Uint8Array {
  const pointer = decodePointer(bytes) as Pointer;
  const parts = { ...pointer.manifest.parts, [PART]: { hash: '0'.repeat(32), bytes: 40 } };
  return encodeDocument({ ...pointer, manifest: { ...pointer.manifest, parts } });
}
