/**
 * When releases were live, and after which others. The record of a release keeps the time of its
 * first publication, which says nothing of that: a release may be published again, be rolled back
 * to, or never have gone live.
 *
 *     snapshot/v…/history/<release>   JSON: since when it was live last, and what going back leads to
 *
 * A publication puts a release after the one that was live. Going back to a release leaves it where
 * it was, so that the next step goes further back, never forward to what was passed over.
 *
 * It is written when the pointer has turned: a release that lost against another publisher has none.
 * What a publisher that was killed just then left out, the next one to turn the pointer makes good.
 */
import { z } from 'zod';
import { SNAPSHOT_PREFIX } from '../../src/snapshot/keys.ts';
import type { LiveRelease } from '../../src/snapshot/manifest.ts';
import { encodeJson, parseJson } from './published-release.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

export const HISTORY_PREFIX = `${SNAPSHOT_PREFIX}history/`;

const staySchema = z.strictObject({
  /** ISO 8601 in UTC: such times order as texts do. */
  since: z.iso.datetime(),
  /** The release it was put after; null: none was live. Absent: whichever went live last before. */
  after: z.string().nullable().optional(),
  /** Guards (`guards/guards.ts`) over whose limits it went live, because somebody wanted it so. */
  accepted: z.union([z.literal('all'), z.array(z.string())]).optional(),
});

/** The last time that a release went live. */
export type Stay = z.infer<typeof staySchema>;

export const historyKey = (release: string): string => HISTORY_PREFIX + release;

/** When a release went live last; null when it never did. */
export async function readStay(target: SnapshotTarget, release: string): Promise<Stay | null> {
  return parseJson(await target.get(historyKey(release)), staySchema);
}

/** The stay that `live` began, of which `recorded` may know nothing. */
export function stayOf({ publishedAt }: LiveRelease, recorded: Stay | null): Stay {
  return recorded?.since === publishedAt ? recorded : { since: publishedAt };
}

/** Records that `live` is live, unless that is known. */
export async function recordLive(target: SnapshotTarget, live: LiveRelease): Promise<void> {
  const { release } = live.manifest;
  const recorded = await readStay(target, release);
  const stay = stayOf(live, recorded);
  if (stay !== recorded) await writeStay(target, release, stay);
}

/** Records that `next` has been published and is live now, after `live` (null: nothing was). */
export async function recordPublication(
  target: SnapshotTarget,
  live: LiveRelease | null,
  { manifest: { release }, publishedAt }: LiveRelease,
  accepted: readonly string[] = [],
): Promise<void> {
  const replaced = live?.manifest.release ?? null;
  // What is published over itself, to heal it, stays where it is.
  const recorded = replaced === release ? await readStay(target, release) : null;
  const after = recorded ? recorded.after : replaced;
  await writeStay(target, release, {
    since: publishedAt,
    after,
    ...(accepted.length > 0 ? { accepted: [...accepted] } : {}),
  });
}

/**
 * Records that one is about to go back to a release with `next`; before the pointer turns, for
 * nothing else says that this is no publication.
 * @returns takes it back, should the pointer not turn
 */
export async function recordReturn(
  target: SnapshotTarget,
  live: LiveRelease | null,
  { manifest: { release }, publishedAt }: LiveRelease,
): Promise<() => Promise<void>> {
  const before = await readStay(target, release);
  const after = before ? before.after : (live?.manifest.release ?? null);
  await writeStay(target, release, { since: publishedAt, after, accepted: 'all' });
  return () => (before ? writeStay(target, release, before) : target.delete(historyKey(release)));
}

async function writeStay(target: SnapshotTarget, release: string, stay: Stay): Promise<void> {
  await target.put(historyKey(release), encodeJson(stay));
}
