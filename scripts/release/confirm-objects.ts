/**
 * Confirms the objects of a release right before it goes live: all of them by their lengths in the
 * list of storage, and of those that were uploaded a sample by reading it: every index part, and of
 * the chunks one in fifty, at most 200, the first and the last of each batch among them.
 */
import { objectKey } from '../../src/snapshot/keys.ts';
import { type Manifest, type ObjectRef, objectHash } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { getAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { Clock } from '../storage/pace.ts';
import { ObjectList, type ObjectWatch, tally } from './objects.ts';

/** Milliseconds between two looks at a list that does not show everything yet. */
const POLL_INTERVAL = 10_000;

/** Of the chunks that were uploaded, one in so many is read back, and at most so many. */
const SAMPLE_SHARE = 50;
const MOST_CHUNKS = 200;

/** Values read and checked at once. */
const READ_AT_ONCE = 100;

export interface Confirmation {
  /** When it ended, by the clock of the storage: milliseconds since 1970. */
  readonly at: number;
  /** The same by the clock of this machine. */
  readonly atHere: number;
}

/** What is to be confirmed. */
export interface Claim {
  readonly manifest: Manifest;
  readonly objects: readonly ObjectRef[];
  /** Hashes of what was uploaded, or left there by somebody who never confirmed it. */
  readonly fresh: ReadonlySet<string>;
  /** Hashes in the order in which they travelled together. */
  readonly batches: readonly (readonly string[])[];
  /** The bytes of an object as they were compiled. */
  readonly read: (hash: string) => Promise<Uint8Array>;
}

export interface ConfirmOptions extends ObjectWatch {
  readonly clock: Clock;
}

/** @throws CommandError object_deleted, read_back_failed */
export async function confirmObjects(
  target: SnapshotTarget,
  claim: Claim,
  options: ConfirmOptions,
): Promise<Confirmation> {
  // What is read takes long, and the list is what must be recent.
  await readBack(target, claim, options);
  for (const deadline = options.clock.now() + target.objects.lateness; ; ) {
    options.signal?.throwIfAborted();
    const list = await ObjectList.read(target.objects);
    const missing = claim.objects.filter((object) => !list.has(object));
    if (missing.length === 0) {
      const atHere = options.clock.now();
      return { at: await target.ledger.now(), atHere };
    }
    if (options.clock.now() >= deadline) throw refusal(missing, claim);
    await options.clock.sleep(POLL_INTERVAL, options.signal);
  }
}

async function readBack(
  { objects: store }: SnapshotTarget,
  claim: Claim,
  { progress, signal }: ConfirmOptions,
): Promise<void> {
  const sample = chooseSample(claim);
  let done = 0;
  progress.begin('Reading back', tally(sample).bytes, 'bytes');
  for (let start = 0; start < sample.length; start += READ_AT_ONCE) {
    signal?.throwIfAborted();
    const group = sample.slice(start, start + READ_AT_ONCE);
    const values = await getAll(
      store,
      group.map(({ hash }) => objectKey(hash)),
    );
    for (const { hash, bytes } of group) {
      const isSound = await isWhole(values.get(objectKey(hash)), hash);
      if (!isSound) await writeAgain(store, hash, claim);
      done += bytes;
      progress.update(done);
    }
  }
}

/**
 * Puts an object that reads back wrong once more. It is never deleted: somebody else may rely on it,
 * and only this reading be late.
 */
async function writeAgain(
  store: SnapshotTarget['objects'],
  hash: string,
  { read }: Claim,
): Promise<void> {
  await store.put(objectKey(hash), await read(hash));
  const value = await store.get(objectKey(hash));
  if (!(await isWhole(value, hash))) throw readBackError(`object ${hash}`);
}

async function isWhole(bytes: Uint8Array | null | undefined, hash: string): Promise<boolean> {
  return bytes ? (await objectHash(bytes)) === hash : false;
}

/** The objects that are read back. */
export function chooseSample({ manifest, objects, fresh, batches }: Claim): ObjectRef[] {
  const parts = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
  const uploaded = objects.filter(({ hash }) => fresh.has(hash));
  const chunks = uploaded.filter(({ hash }) => !parts.has(hash));
  const count = Math.min(MOST_CHUNKS, Math.ceil(chunks.length / SAMPLE_SHARE));
  const chosen = new Set(batches.flatMap((batch) => [batch[0], batch.at(-1)]));
  for (let index = 0; index < count; index++) {
    chosen.add(chunks[Math.floor((index * chunks.length) / count)]?.hash);
  }
  return uploaded.filter(({ hash }) => parts.has(hash) || chosen.has(hash));
}

function refusal(missing: readonly ObjectRef[], { fresh }: Claim): CommandError {
  const lost = missing.find(({ hash }) => fresh.has(hash));
  if (lost) return readBackError(`object ${lost.hash}`);
  const message = `${missing.length} objects were deleted meanwhile, such as ${missing[0]?.hash}; the live release stays, publish again`;
  return new CommandError(message, { code: 'object_deleted' });
}

export function readBackError(what: string): CommandError {
  const message = `${what} was written but reads back differently; the live release stays`;
  return new CommandError(message, { code: 'read_back_failed' });
}
