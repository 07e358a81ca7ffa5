/**
 * Writes the objects of a release, and confirms them before it goes live by reading a sample: every index
 * part, and of the chunks one in fifty, at most 200, the first and the last of each batch among them.
 */
import { objectKey } from '../../src/snapshot/keys.ts';
import { type ObjectRef, objectHash, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { getAll, putAll } from '../storage/in-flight.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';
import { type ObjectWatch, tally } from './objects.ts';

/** Of the chunks that were uploaded, one in so many is read back, and at most so many. */
const SAMPLE_SHARE = 50;
const MOST_CHUNKS = 200;

/** Values read and checked at once. */
const READ_AT_ONCE = 100;

/** What is to be written. */
export interface Claim {
  /** With the generation that is written into. */
  readonly manifest: PublishedManifest;
  readonly objects: readonly ObjectRef[];
  /** The bytes of an object as they should be; objects are read when their turn comes. */
  readonly read: (hash: string) => Promise<Uint8Array>;
}

/**
 * Writes objects, and confirms them.
 * @throws CommandError read_back_failed
 */
export async function writeObjects(
  store: KeyValueStore,
  claim: Claim,
  watch: ObjectWatch,
): Promise<void> {
  const { manifest, objects } = claim;
  const { progress, signal } = watch;
  let done = 0;
  progress.begin('Uploading', tally(objects).bytes, 'bytes');
  const uploads = objects.map(({ hash, bytes }) => ({
    key: objectKey(manifest.generation, hash),
    size: bytes,
    read: async () => {
      signal?.throwIfAborted();
      return claim.read(hash);
    },
  }));
  const batches = await putAll(store, uploads, ({ size }) => {
    done += size;
    progress.update(done);
  });
  await readBack(store, claim, batches, watch);
}

async function readBack(
  store: KeyValueStore,
  claim: Claim,
  batches: readonly (readonly string[])[],
  { progress, signal }: ObjectWatch,
): Promise<void> {
  const sample = chooseSample(claim, batches);
  const { generation } = claim.manifest;
  let done = 0;
  progress.begin('Reading back', tally(sample).bytes, 'bytes');
  for (let start = 0; start < sample.length; start += READ_AT_ONCE) {
    signal?.throwIfAborted();
    const group = sample.slice(start, start + READ_AT_ONCE);
    const keys = group.map(({ hash }) => objectKey(generation, hash));
    const values = await getAll(store, keys);
    for (const { hash, bytes } of group) {
      const key = objectKey(generation, hash);
      if (!(await isWhole(values.get(key), hash))) await writeAgain(store, key, hash, claim);
      done += bytes;
      progress.update(done);
    }
  }
}

/** Puts an object that reads back wrong once more. */
async function writeAgain(
  store: KeyValueStore,
  key: string,
  hash: string,
  { read }: Claim,
): Promise<void> {
  await store.put(key, await read(hash));
  if (await isWhole(await store.get(key), hash)) return;
  const message = `object ${hash} was written but reads back differently; the live release stays`;
  throw new CommandError(message, { code: 'read_back_failed' });
}

async function isWhole(bytes: Uint8Array | null | undefined, hash: string): Promise<boolean> {
  return bytes ? (await objectHash(bytes)) === hash : false;
}

/**
 * The objects that are read back.
 * @param batches keys in the order in which they travelled together
 */
export function chooseSample(
  { manifest, objects }: Pick<Claim, 'manifest' | 'objects'>,
  batches: readonly (readonly string[])[],
): ObjectRef[] {
  const parts = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
  const chunks = objects.filter(({ hash }) => !parts.has(hash));
  const count = Math.min(MOST_CHUNKS, Math.ceil(chunks.length / SAMPLE_SHARE));
  const chosen = new Set(batches.flatMap((batch) => [batch[0], batch.at(-1)]));
  for (let index = 0; index < count; index++) {
    const { hash } = chunks[Math.floor((index * chunks.length) / count)] as ObjectRef;
    chosen.add(objectKey(manifest.generation, hash));
  }
  return objects.filter(
    ({ hash }) => parts.has(hash) || chosen.has(objectKey(manifest.generation, hash)),
  );
}
