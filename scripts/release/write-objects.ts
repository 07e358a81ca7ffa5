/**
 * Writes the objects of a release, and confirms them before it goes live by reading a sample: every index
 * part, and of the chunks one in fifty, at most 200, and the last.
 */
import { objectKey } from '../../src/snapshot/keys.ts';
import type { ObjectRef, PublishedManifest } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { getAll, putAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { isWhole, type ObjectWatch, tally } from './objects.ts';
import { whileLate } from './published-objects.ts';

/** Of the chunks that were uploaded, one in so many is read back, and at most so many. */
const SAMPLE_SHARE = 50;
const MOST_CHUNKS = 200;

/** Values read and checked at once. */
const READ_AT_ONCE = 100;

/** What is to be uploaded, so that a release lies whole in a generation. */
export interface UploadPlan {
  /** With the generation that is written into. */
  readonly manifest: PublishedManifest;
  /** Objects of the release that are to be uploaded. */
  readonly missing: readonly ObjectRef[];
  /** The bytes of objects as they should be, in their order; asked for when their turn comes. */
  readonly read: (objects: readonly ObjectRef[]) => Promise<readonly Uint8Array[]>;
}

/**
 * Uploads what is missing, and confirms it.
 * @throws CommandError read_back_failed
 */
export async function writeObjects(
  target: SnapshotTarget,
  plan: UploadPlan,
  watch: ObjectWatch,
): Promise<void> {
  const { progress, signal } = watch;
  let done = 0;
  progress.begin('Uploading', tally(plan.missing).bytes, 'bytes');
  const read = async (some: readonly ObjectRef[]) => {
    signal?.throwIfAborted();
    return plan.read(some);
  };
  await putAll(target.objects, placed(plan, plan.missing), read, ({ size }) => {
    done += size;
    progress.update(done);
  });
  await readBack(target, plan, watch);
}

/** Objects with the keys under which they lie. */
function placed({ manifest }: UploadPlan, objects: readonly ObjectRef[]) {
  return objects.map((ref) => {
    return { ...ref, key: objectKey(manifest.generation, ref.hash), size: ref.bytes };
  });
}

async function readBack(
  target: SnapshotTarget,
  plan: UploadPlan,
  { progress, signal }: ObjectWatch,
): Promise<void> {
  const sample = placed(plan, chooseSample(plan));
  let done = 0;
  progress.begin('Reading back', tally(sample).bytes, 'bytes');
  for (let start = 0; start < sample.length; start += READ_AT_ONCE) {
    signal?.throwIfAborted();
    const group = sample.slice(start, start + READ_AT_ONCE);
    const values = await getAll(target.objects, group);
    for (const [place, object] of group.entries()) {
      const { key, hash, size } = object;
      const look = () => target.objects.get(key);
      const found = values[place] ?? (await whileLate(target, look, signal));
      if (!(await isWhole(found, hash))) {
        // Once more, at once where it was not late, but wrong.
        const isThere = async () => (await isWhole(await look(), hash)) || null;
        for (const bytes of await plan.read([object])) await target.objects.put(key, bytes);
        if (!(await whileLate(target, isThere, signal))) {
          const message = `object ${hash} was written but reads back differently; the live release stays`;
          throw new CommandError(message, 'read_back_failed');
        }
      }
      done += size;
      progress.update(done);
    }
  }
}

/** The objects that are read back. */
export function chooseSample({
  manifest,
  missing,
}: Pick<UploadPlan, 'manifest' | 'missing'>): ObjectRef[] {
  const names = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
  const { parts = [], chunks = [] } = Object.groupBy(missing, ({ hash }) =>
    names.has(hash) ? 'parts' : 'chunks',
  );
  const step = Math.max(SAMPLE_SHARE, Math.ceil(chunks.length / MOST_CHUNKS));
  const last = chunks.length - 1;
  return [...parts, ...chunks.filter((_, index) => index % step === 0 || index === last)];
}
