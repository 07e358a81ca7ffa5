/** What an operator does, or a job: the commands on releases, signed and without progress. */
import { purgeReleases } from '../../../scripts/commands/purge.ts';
import {
  type Collectable,
  deleteCollectable,
  findCollectable,
} from '../../../scripts/release/collect.ts';
import { openLog } from '../../../scripts/release/open-log.ts';
import { chooseRollback, resumePublishing, rollBack } from '../../../scripts/release/roll-back.ts';
import type { SnapshotTarget } from '../../../scripts/storage/key-value-store.ts';

const signature = { by: 'ops', note: null };

/** @param release its id, or the beginning of it; null: what was live before */
export const goBack = async (target: SnapshotTarget, release: string | null = null) =>
  rollBack(target, await chooseRollback(target, release), signature);

export const resume = (target: SnapshotTarget) => resumePublishing(target, signature);

export const purge = (target: SnapshotTarget) => purgeReleases(target, signature);

/** Deletes what may go, and returns what that was. */
export async function collect(target: SnapshotTarget): Promise<Collectable> {
  const found = await findCollectable(target, (await openLog(target)).head);
  await deleteCollectable(target, found);
  return found;
}
