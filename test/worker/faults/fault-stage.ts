/**
 * Two releases in the real KV and the real bucket, and isolates that read them through an edge which
 * fails. Time passes as the test lets it.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { type MockInstance, vi } from 'vitest';
import {
  hashToken,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
} from '../../../src/auth/token.ts';
import { sealJson, unsealJson } from '../../../src/sealed-json.ts';
import {
  LAST_RUN_KEY,
  nameKey,
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  releaseName,
  SNAPSHOT_PREFIX,
} from '../../../src/snapshot/keys.ts';
import { type Manifest, objectHash, type Pointer } from '../../../src/snapshot/manifest.ts';
import worker from '../../../src/worker.ts';
import { compileValues, decodePointer } from '../../shared/memory-snapshot.ts';
import { buildStore } from '../../shared/store-builder.ts';
import { issueToken, ORIGIN, openStage, putSnapshotValue } from '../harness.ts';
import type { Answer, Fault, REQUESTS, Seen, Target } from './fault-table.ts';
import { CACHE, type Damage, FaultyStorage, LIMITER, pass, run } from './faulty-storage.ts';

export type StoreName = 'kv' | 'r2';

/** Seconds between two requests while a fault lasts, and when it is over. */
const INTERVAL = 5;
const HEALING_INTERVAL = 10;

/** Seconds in which everything heals. */
const LONGEST_HEALING = 200;

/** Part of which a request for a list has need. */
const PART = 'rank/slug';

const PATHS: Readonly<Record<keyof typeof REQUESTS, string>> = {
  list: '/v2/external/stores?limit=1&sort=slug__desc&fields=slug',
  changes: '/v2/external/changes?since=',
  health: '/healthz',
  ranWithin: '/healthz?ran-within=1000000000',
};

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
  /** Tokens that never get data: one that was revoked, one that expired, one that nobody issued. */
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
    ['olderFormat', 2],
    ['newerFormat', 4],
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
  const name = nameKey(names.before);
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
    values.get(objectKey(pointer.manifest.parts[PART]?.hash ?? '')) as Uint8Array
  ).slice();
  new DataView(part.buffer).setUint16(4, version, true);
  const hash = await objectHash(part);
  values.set(objectKey(hash), part);
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
    Object.entries(parts).map(([name, { hash }]) => [name, objectKey(hash)] as const);
  const all = new Set([...partKeys(first), ...partKeys(second)].map(([, key]) => key));
  const compared = [...partKeys(first), ...partKeys(second)]
    .filter(([name]) => name.startsWith('changes/'))
    .map(([, key]) => key);
  const part = objectKey(second.parts[PART]?.hash ?? '');
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
  };
}

/** How a fault changes what a read brings; null: it does not. */
function damageOf(scene: Scene, target: Target, fault: Fault): Damage | null {
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
  const key = ['comparison', 'format', 'version'].find((name) => name in document) as string;
  return encode({ ...document, [key]: Number(document[key]) + step, of: 'another version' });
}

function namingNothing(bytes: Uint8Array): Uint8Array {
  const pointer = decodePointer(bytes) as Pointer;
  const parts = { ...pointer.manifest.parts, [PART]: { hash: '0'.repeat(32), bytes: 40 } };
  return encode({ ...pointer, manifest: { ...pointer.manifest, parts } });
}

/** An isolate of production, and those who ask it. */
export class FaultyIsolate {
  readonly storage: FaultyStorage;
  private readonly scene: Scene;
  private readonly env: Env;

  /** @param bindings that take the place of failing ones */
  constructor(scene: Scene, store: StoreName, bindings: Partial<Env> = {}) {
    this.scene = scene;
    this.storage = new FaultyStorage(scene.kept);
    const variables = { ENVIRONMENT: 'production', SNAPSHOT_STORE: store } as Partial<Env>;
    this.env = openStage({ ...this.storage.env, ...variables, ...bindings }).env;
  }

  begin(target: Target, fault: Fault): void {
    const { storage, scene } = this;
    const other = scene.otherFormats.get(fault);
    if (target === 'part' && other) storage.replace(POINTER_KEY, other);
    const hits = target === 'part' && other ? scene.keys.pointer : scene.keys[target];
    storage.begin(fault, hits, damageOf(scene, target, fault));
  }

  end(): void {
    this.storage.end();
    this.storage.replace(POINTER_KEY, this.scene.pointers.second);
  }

  /** What comes of a request, and how many seconds it takes. */
  async ask(
    request: keyof typeof REQUESTS,
    token = this.scene.token,
  ): Promise<{ answer: string; waited: number; response: Response }> {
    const path = PATHS[request] + (request === 'changes' ? this.scene.names.before : '');
    const begun = Date.now();
    const asked = new Request(ORIGIN + path, { headers: { 'x-access-token': token } });
    const answer = worker.fetch(asked, this.env, createExecutionContext()) as Promise<Response>;
    const response = await run(answer, this.storage);
    const waited = (Date.now() - begun) / 1_000;
    return { answer: await this.nameOf(response), waited, response };
  }

  private async nameOf(response: Response): Promise<string> {
    const text = await response.text();
    if (response.status !== 200) return (JSON.parse(text) as { code: string }).code;
    const { names } = this.scene;
    const release = response.headers.get('x-snapshot-release');
    return release === names.live ? 'live' : release === names.before ? 'before' : `${release}`;
  }

  async pass(seconds: number): Promise<void> {
    await pass(1_000 * seconds, this.storage);
  }

  /** Has it answer the request, and waits until it is due to look at what the fault will hit. */
  async warmUp(target: Target, fault: Fault, request: keyof typeof REQUESTS): Promise<void> {
    const { storage, scene } = this;
    const isToken = ['record', 'rotation', 'everything'].includes(target);
    const isLate = fault === 'olderRelease' || fault === 'backAndForth';
    const isOld =
      !isLate && ['pointer', 'part', 'documents', 'snapshots', 'cache'].includes(target);
    storage.replace(POINTER_KEY, isOld ? scene.pointers.first : scene.pointers.second);
    await this.ask(request);
    await this.pass(isToken ? 61 : 31);
    storage.replace(POINTER_KEY, scene.pointers.second);
  }

  /** What is seen while the fault lasts, and how long it takes to heal afterwards. */
  async watch(
    target: Target,
    fault: Fault,
    request: keyof typeof REQUESTS,
    log: MockInstance<typeof console.error>,
  ): Promise<Seen & { readonly hits: number }> {
    this.begin(target, fault);
    const answers: string[] = [];
    let waits = 0;
    for (let turn = 0; turn < 3; turn++) {
      if (turn > 0) await this.pass(INTERVAL);
      const { answer, waited } = await this.ask(request);
      answers.push(answer);
      waits = Math.max(waits, Math.round(2 * waited) / 2);
    }
    const { hits } = this.storage;
    const logs = eventsOf(log);
    const isHealed = answers.at(-1) === 'live';
    this.end();
    const heals = isHealed ? null : await this.heal(request);
    await this.close();
    while (answers.length > 1 && answers.at(-1) === answers.at(-2)) answers.pop();
    return { answers: answers as [Answer, ...Answer[]], waits, logs, heals, hits };
  }

  private async heal(request: keyof typeof REQUESTS): Promise<number> {
    for (let seconds = 0; seconds < LONGEST_HEALING; seconds += HEALING_INTERVAL) {
      if ((await this.ask(request)).answer === 'live') return seconds;
      await this.pass(HEALING_INTERVAL);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Ends what still hangs behind answers. */
  async close(): Promise<void> {
    this.storage.end();
    this.storage.letGo();
    await this.storage.quiet();
    vi.clearAllTimers();
  }
}

/** Events in the log, each once, in the order of the alphabet. */
export function eventsOf(log: MockInstance<typeof console.error>): string[] {
  const events = log.mock.calls.map(
    ([line]) => (JSON.parse(String(line)) as { event: string }).event,
  );
  return [...new Set(events)].toSorted();
}
