/** Puts a release live again that is still kept: nothing is uploaded, only the pointer turns. */
import { objectKey } from '../../src/snapshot/keys.ts';
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { listObjectKeys } from '../publish/plan-publication.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { turnPointer } from '../publish/turn-pointer.ts';
import { markWithdrawn, unmarkWithdrawn } from '../publish/withdrawal.ts';
import {
  findRelease,
  type KeptReleases,
  readKeptReleases,
  releaseBeforeLive,
} from './kept-releases.ts';
import { listPublishedObjects } from './published-objects.ts';

export interface Rollback {
  /** The release that was live before. */
  readonly from: string;
  /** The one that is live now. */
  readonly to: PublishedRelease;
  /** False when it was live already: nothing was written. */
  readonly turned: boolean;
  /** Whether `from` was marked, so that publish refuses it without `--force`. */
  readonly withdrawn: boolean;
}

export interface RollbackOptions {
  /** Id of the release, or its first digits; null: the one published before the live one. */
  readonly release: string | null;
  readonly author: string;
  readonly now: Date;
}

/**
 * Goes back to another release (or forward again, by its id). A release that one goes back from is
 * marked withdrawn; one that goes live again no longer is.
 * @throws CommandError when there is no such release, or it is no longer whole
 */
export async function rollBack(
  target: SnapshotTarget,
  { release, author, now }: RollbackOptions,
): Promise<Rollback> {
  const kept = await readKeptReleases(target);
  const { pointer } = kept;
  if (!pointer) throw new CommandError('nothing is live here', { code: 'nothing_live' });
  const to = release === null ? chooseEarlier(kept) : findRelease(kept, release);
  const from = pointer.release;
  if (to.release === from) return { from, to, turned: false, withdrawn: false };
  await expectWhole(target, to);
  const at = now.toISOString();
  const withdrawn = release === null || isEarlier(kept, to);
  // Before the pointer: whoever publishes from now on must know.
  if (withdrawn) await markWithdrawn(target, from, { at, by: author });
  const next = { format: to.format, release: to.release, publishedAt: at };
  await turnPointer(target, pointer, next).catch(async (error) => {
    // Nobody went back from it: somebody else has published meanwhile.
    if (withdrawn && isConflict(error)) await unmarkWithdrawn(target, from);
    throw error;
  });
  await unmarkWithdrawn(target, to.release);
  return { from, to, turned: true, withdrawn };
}

function isConflict(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'publish_conflict';
}

function chooseEarlier(kept: KeptReleases): PublishedRelease {
  const earlier = releaseBeforeLive(kept);
  if (earlier) return earlier;
  const message = 'no release is kept from before the live one; snapshot list shows what there is';
  throw new CommandError(message, { code: 'no_earlier_release' });
}

/** Whether `to` was published before the live release. */
function isEarlier({ pointer, releases }: KeptReleases, to: PublishedRelease): boolean {
  const live = releases.find(({ release }) => release === pointer?.release);
  return live !== undefined && to.publishedAt <= live.publishedAt;
}

async function expectWhole(target: SnapshotTarget, manifest: PublishedRelease): Promise<void> {
  const objects = await listPublishedObjects(target, manifest);
  const there = await listObjectKeys(target);
  const missing = objects.filter(({ hash }) => !there.has(objectKey(hash)));
  if (missing.length === 0) return;
  const message = `release ${manifest.release} is no longer whole: ${missing.length} of its ${objects.length} objects are gone; the live release stays`;
  throw new CommandError(message, {
    code: 'release_incomplete',
    details: { release: manifest.release, missing: missing.map(({ hash }) => hash) },
  });
}
