/**
 * Plans which objects of a release are to be written, tells what that costs at Cloudflare, writes them, and confirms
 * them before it goes live by reading a sample: every index part, and of the chunks one in fifty, at most 200, and the last.
 */
import { type ObjectRef, objectHash, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import { ignoreDamage, type ReleaseReader, totalBytes } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import { formatBytes, plural } from '../cli/output.ts';
import { getAll, putAll, type SnapshotTarget } from '../storage/key-value-store.ts';
import { type Log, readEntries } from './log.ts';
import { type LogEntry, nameGeneration } from './log-entry.ts';
import { type StoredGenerations, tally, whileLate, withKeys } from './objects.ts';

/** Of the chunks that were uploaded, one in so many is read back, and at most so many. */
const SAMPLE_SHARE = 50;
const MAX_CHUNKS = 200;

/** Keys that are written besides the objects: the release, the pointer, and the time of the run. */
const OTHER_WRITES = 3;

/** A generation that weighs so many times what is live, as the first run of a day finds, takes no more publications. */
const MAX_WEIGHT = 4;

/** What is to be uploaded, so that a release lies whole in a generation. */
interface UploadPlan {
  /** With the generation that is written into. */
  readonly manifest: PublishedManifest;
  /** Objects of the release that are to be uploaded. */
  readonly missing: readonly ObjectRef[];
  /** The bytes of objects as they should be, in their order; asked for when their turn comes. */
  readonly read: (objects: readonly ObjectRef[]) => Promise<readonly Uint8Array[]>;
}

/**
 * Plans an upload into the newest generation, or into a new one.
 * @param afresh whether everything is uploaded anew, which heals whatever was lost or damaged
 * @param generations what lies in storage, where that was listed
 * @throws CommandError when the release's list of chunks is missing or damaged
 */
export async function planUpload(
  release: ReleaseReader,
  target: SnapshotTarget,
  log: Log,
  afresh?: boolean,
  generations?: StoredGenerations | null,
): Promise<UploadPlan> {
  const { head } = log;
  const stored = tally((head && generations?.get(head.newest)) ?? []);
  const goesOn = head && !afresh && stored.bytes <= MAX_WEIGHT * totalBytes(head.manifest);
  const generation = goesOn ? head.newest : nameGeneration(await target.ledger.now(), head);
  const there = goesOn ? await namedBy(target, log, head) : new Set<string>();
  const objects = await release.refs();
  return {
    manifest: { ...release.manifest, generation },
    missing: objects.filter(({ hash }) => !there.has(hash)),
    read: release.objects,
  };
}

/**
 * Returns the hashes of what the newest release of the newest generation names: it was confirmed before it went live, and
 * nothing of a generation is deleted before all of it. After a rollback the live one may lie elsewhere.
 */
async function namedBy(
  target: SnapshotTarget,
  { open }: Log,
  head: LogEntry,
): Promise<ReadonlySet<string>> {
  const isIn = ({ manifest }: LogEntry) => manifest.generation === head.newest;
  const entry = isIn(head) ? head : (await readEntries(target, head)).find(isIn);
  const refs = entry && (await open(entry.manifest).refs().catch(ignoreDamage));
  return new Set(refs?.map(({ hash }) => hash));
}

/**
 * Uploads what is missing, and confirms it.
 * @throws CommandError read_back_failed
 */
export async function writeObjects(target: SnapshotTarget, plan: UploadPlan): Promise<void> {
  const { progress, signal } = target.context;
  let done = 0;
  progress.begin('Uploading', tally(plan.missing).bytes, 'bytes');
  await putAll(target.objects, withKeys(plan.manifest, plan.missing), plan.read, ({ bytes }) => {
    signal.throwIfAborted();
    done += bytes;
    progress.update(done);
  });
  await readBack(target, plan);
}

async function readBack(target: SnapshotTarget, plan: UploadPlan): Promise<void> {
  const { context, objects } = target;
  const sample = withKeys(plan.manifest, chooseSample(plan));
  context.progress.begin('Reading back', sample.length, 'objects');
  const values = await getAll(objects, sample);
  for (const [index, object] of sample.entries()) {
    const { key, hash } = object;
    context.signal.throwIfAborted();
    context.progress.update(index);
    const look = () => objects.get(key);
    const isWhole = async (bytes: Uint8Array | null) =>
      bytes !== null && (await objectHash(bytes)) === hash;
    if (await isWhole(values[index] ?? (await whileLate(target, look)))) continue;
    // Once more, at once where it was not late, but wrong.
    for (const value of await plan.read([object])) await objects.put(key, value);
    if (await whileLate(target, async () => isWhole(await look()))) continue;
    const message = `object ${hash} was written but reads back differently; the live release stays`;
    throw new CommandError(message, 'read_back_failed');
  }
}

/** Chooses the objects that are read back. Index parts are the first of a plan. */
export function chooseSample({
  manifest,
  missing,
}: Pick<UploadPlan, 'manifest' | 'missing'>): ObjectRef[] {
  const names = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
  const parts = missing.filter(({ hash }) => names.has(hash));
  const chunks = missing.slice(parts.length);
  const step = Math.max(SAMPLE_SHARE, Math.ceil(chunks.length / MAX_CHUNKS));
  const last = chunks.length - 1;
  return [...parts, ...chunks.filter((_, index) => index % step === 0 || index === last)];
}

/** Tells what a publication will write at Cloudflare, and returns it; null on this machine, where nothing is counted. */
export function tellCost({ objects: { freeWrites }, context }: SnapshotTarget, plan: UploadPlan) {
  if (freeWrites === undefined) return null;
  const { objects, bytes } = tally(plan.missing);
  const writes = objects + OTHER_WRITES;
  context.remark(`Costs ${plural(writes, 'write')}, ${formatBytes(bytes)}`);
  if (freeWrites !== null && writes > freeWrites) {
    context.remark(`warning: a day of the free plan has only ${plural(freeWrites, 'write')}`);
  }
  return { freeWrites, writes, bytes };
}
