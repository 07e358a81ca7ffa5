/** Puts a release live again that is still kept: nothing is uploaded, only the pointer turns. */
import { objectKey } from '../../src/snapshot/keys.ts';
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { recordLive, recordReturn } from './history.ts';
import { findRelease, type KeptReleases, readKeptReleases } from './kept-releases.ts';
import { listObjectKeys } from './plan-publication.ts';
import { listPublishedObjects } from './published-objects.ts';
import { isPointerUnreadable, manifestOf } from './published-release.ts';
import { turnPointer } from './turn-pointer.ts';
import { isWayBack, releaseBeforeLive } from './way-back.ts';
import { markWithdrawn, unmarkWithdrawn } from './withdrawal.ts';

export interface Rollback {
  /** The release that was live before; null when nobody can tell. */
  readonly from: string | null;
  /** The one that is live now. */
  readonly to: PublishedRelease;
  /** False when it was live already: nothing was written. */
  readonly turned: boolean;
  /** Whether `from` was marked, so that publish refuses it without `--force`. */
  readonly withdrawn: boolean;
}

export interface RollbackOptions {
  /** Id of the release, or its first digits; null: the one that was live before the live one. */
  readonly release: string | null;
  readonly author: string;
  readonly now: Date;
}

/**
 * Goes back to another release (or forward again, by its id). A release that one goes back from is
 * marked withdrawn; one that goes live again no longer is. By its id a release goes live although
 * the pointer is damaged or gone, too.
 * @throws CommandError when there is no such release, or it is no longer whole
 */
export async function rollBack(
  target: SnapshotTarget,
  { release, author, now }: RollbackOptions,
): Promise<Rollback> {
  const kept = await readKeptReleases(target);
  const { pointer } = kept;
  if (release === null && !pointer) throw await nothingLive(target);
  const to = release === null ? chooseEarlier(kept) : findRelease(kept, release);
  const from = pointer?.manifest.release ?? null;
  if (to.release === from) return { from, to, turned: false, withdrawn: false };
  await expectWhole(target, to);
  const publishedAt = now.toISOString();
  const withdrawn = isWayBack(kept, to) ? from : null;
  const next = { manifest: manifestOf(to), publishedAt };
  if (pointer) await recordLive(target, pointer);
  const takeBack = await recordReturn(target, pointer, next);
  // Before the pointer: whoever publishes from now on must know.
  if (withdrawn) await markWithdrawn(target, withdrawn, { at: publishedAt, by: author });
  await turnPointer(target, pointer, next).catch(async (error) => {
    // Nobody went back: somebody else has published meanwhile.
    if (isConflict(error)) {
      await takeBack();
      if (withdrawn) await unmarkWithdrawn(target, withdrawn);
    }
    throw error;
  });
  await unmarkWithdrawn(target, to.release);
  return { from, to, turned: true, withdrawn: withdrawn !== null };
}

function isConflict(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'publish_conflict';
}

async function nothingLive(target: SnapshotTarget): Promise<CommandError> {
  if (!(await isPointerUnreadable(target))) {
    return new CommandError('nothing is live here', { code: 'nothing_live' });
  }
  const message =
    'nobody can tell what is live, the pointer cannot be read; name the release to go to: snapshot list shows which went live last';
  return new CommandError(message, { code: 'live_unreadable' });
}

function chooseEarlier(kept: KeptReleases): PublishedRelease {
  const earlier = releaseBeforeLive(kept);
  if (earlier) return earlier;
  const message = 'no release is kept that was live before; snapshot list shows what there is';
  throw new CommandError(message, { code: 'no_earlier_release' });
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
