/** Who works on the same storage while a publication is killed: a second publisher, and a prune. */
import { randomBytes } from 'node:crypto';
import { openSnapshotFolder } from '../../../scripts/build/snapshot-folder.ts';
import { CommandError } from '../../../scripts/cli/command-error.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import { deleteCollectable, findCollectable } from '../../../scripts/release/collect.ts';
import { openLog } from '../../../scripts/release/open-log.ts';
import { publishRelease } from '../../../scripts/release/publish-release.ts';
import type { SnapshotTarget } from '../../../scripts/storage/key-value-store.ts';
import { objectKey } from '../../../src/snapshot/keys.ts';
import { objectHash } from '../../../src/snapshot/manifest.ts';
import type { Generation } from './generations.ts';

/** How a rival's publication ended. */
export type RivalOutcome = 'live' | 'publish_conflict';

/**
 * Publishes a generation, up to its decision at once, and decides when `start` has settled.
 * @throws what is no conflict with somebody else's decision
 */
export async function publishBeside(
  target: SnapshotTarget,
  { snapshot }: Generation,
  start: Promise<unknown>,
): Promise<RivalOutcome> {
  const { ledger } = target;
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
    const release = await openSnapshotFolder(snapshot);
    await publishRelease(release, { ...target, ledger: patient }, options);
    return 'live';
  } catch (error) {
    if (error instanceof CommandError && error.code === 'publish_conflict') return error.code;
    throw error;
  }
}

/** A generation that was begun years ago, and that no entry names. */
const FORGOTTEN = '20200101T000000Z-forgot';

/** Puts objects that nothing needs; returns their keys. */
export async function leaveRubbish({ objects }: SnapshotTarget): Promise<string[]> {
  const values = [randomBytes(100), randomBytes(100)];
  const keys: string[] = [];
  for (const bytes of values) {
    const key = objectKey(FORGOTTEN, await objectHash(bytes));
    await objects.put(key, bytes);
    keys.push(key);
  }
  return keys;
}

/**
 * Collects as if a day and a half had passed, so that every entry counts; returns the keys of the
 * objects that it deleted.
 */
export async function pruneBeside(target: SnapshotTarget): Promise<readonly string[]> {
  const { ledger } = target;
  const now = async () => (await ledger.now()) + 36 * 3600_000;
  const late = new Proxy(ledger, {
    get: (_, name) => {
      const member = name === 'now' ? now : Reflect.get(ledger, name);
      return typeof member === 'function' ? member.bind(ledger) : member;
    },
  });
  const later = { ...target, ledger: late };
  const found = await findCollectable(later, await openLog(later));
  await deleteCollectable(later, found, { progress: SILENT_PROGRESS });
  return found.objects;
}
