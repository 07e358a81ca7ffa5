/** Who works on the same storage while a publication is killed: a second publisher, and a prune. */
import { randomBytes } from 'node:crypto';
import { CommandError } from '../../../scripts/cli/command-error.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import {
  condemn,
  readCondemned,
  rewriteDeletionRecord,
} from '../../../scripts/release/condemned.ts';
import { DELETION_DELAY, pruneReleases } from '../../../scripts/release/prune.ts';
import { publishRelease } from '../../../scripts/release/publish-release.ts';
import { openSnapshotFolder } from '../../../scripts/release/snapshot-folder.ts';
import type { SnapshotTarget } from '../../../scripts/storage/key-value-store.ts';
import { objectKey } from '../../../src/snapshot/keys.ts';
import { objectHash } from '../../../src/snapshot/manifest.ts';
import type { Generation } from './generations.ts';

const signal = new AbortController().signal;

/** How a rival's publication ended. */
export type RivalOutcome = 'live' | 'publish_conflict';

/**
 * Publishes a generation, up to its decision at once, and decides when `start` has settled.
 * @throws what is no conflict with somebody else's decision
 */
export async function publishBeside(
  { objects, ledger }: SnapshotTarget,
  { snapshot }: Generation,
  start: Promise<unknown>,
): Promise<RivalOutcome> {
  const create: typeof ledger.create = async (...args) => {
    await start;
    return ledger.create(...args);
  };
  const patient = new Proxy(ledger, {
    get: (_, name) => {
      const member = name === 'create' ? create : Reflect.get(ledger, name);
      return typeof member === 'function' ? member.bind(ledger) : member;
    },
  });
  const signature = { by: 'rival', note: null };
  try {
    const options = { signature, progress: SILENT_PROGRESS };
    await publishRelease(await openSnapshotFolder(snapshot), { objects, ledger: patient }, options);
    return 'live';
  } catch (error) {
    if (error instanceof CommandError && error.code === 'publish_conflict') return error.code;
    throw error;
  }
}

/** Puts objects that nothing needs and that were condemned long enough ago; returns their keys. */
export async function leaveRubbish({ objects, ledger }: SnapshotTarget): Promise<string[]> {
  const values = [randomBytes(100), randomBytes(100)];
  const hashes = await Promise.all(values.map((bytes) => objectHash(bytes)));
  const keys = hashes.map(objectKey);
  for (const [place, key] of keys.entries()) await objects.put(key, values[place] as Uint8Array);
  const key = await condemn(ledger, { head: 0, isPurge: false, releases: [], objects: hashes });
  const { records } = await readCondemned(ledger);
  const record = records.find((each) => each.key === key);
  if (!record) throw new Error(`${key} was written and is not there`);
  const since = record.since - DELETION_DELAY - 60_000;
  await rewriteDeletionRecord(ledger, { ...record, since });
  return keys;
}

/** Prunes as the command does; returns the keys of the objects that it deleted. */
export async function pruneBeside(target: SnapshotTarget): Promise<string[]> {
  const { deleted } = await pruneReleases(target, { keep: 10, progress: SILENT_PROGRESS, signal });
  return deleted.objects.map(objectKey);
}
