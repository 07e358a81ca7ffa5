/**
 * Puts a release live again that is still kept: nothing is uploaded, only the log gets an entry. By
 * default publishing is held from then on, for the next run of a job would find the same bad export.
 */
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { CHECKS_LIFETIME, freshSince, unlessGrownOld } from './fresh-checks.ts';
import {
  findRelease,
  type KeptRelease,
  type KeptReleases,
  readKeptReleases,
} from './kept-releases.ts';
import { append, type Decision, readHead } from './log.ts';
import { asBefore, type LogEntry, type Signature } from './log-entry.ts';
import { ObjectList } from './objects.ts';
import { nothingLiveError, openLog } from './open-log.ts';
import { bringUpPointer, isPointerUnreadable, writePointer } from './pointer-copy.ts';
import { PublishedReleases } from './published-objects.ts';

/** How often the checks are made anew because they have grown old, or somebody else was faster. */
const ROUNDS = 20;

export interface Rollback {
  /** What was live before. */
  readonly from: LogEntry;
  /** The release that is live now. */
  readonly to: KeptRelease;
  /** False when it was live, and held if that was asked for: nothing was written. */
  readonly turned: boolean;
  /** The last entry of the log. */
  readonly entry: LogEntry;
}

export interface RollbackOptions {
  /** Id of the release, or its first digits; null: what was live before the live one was published. */
  readonly release: string | null;
  readonly signature: Signature;
  /** Whether publishing is held from then on. */
  readonly hold: boolean;
  /** Told of the release before anything is written. */
  readonly onChosen?: (from: LogEntry, to: KeptRelease) => Promise<void>;
  /** Nothing is written once it is aborted, unless it was decided by then. */
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970, by this machine. */
  readonly now?: () => number;
}

/**
 * Goes back to another release (or forward again, by its id). Whoever publishes at the same instant
 * loses: the release that was chosen goes live all the same.
 * @throws CommandError when there is no such release, or it is no longer whole
 */
export async function rollBack(
  target: SnapshotTarget,
  { release, signature, hold, onChosen = async () => {}, signal, now = Date.now }: RollbackOptions,
): Promise<Rollback> {
  const first = await openLog(target, { writes: true });
  if (!first) throw await nothingLive(target);
  let head = first;
  let chosen: string | null = release;
  for (let round = 1; round <= ROUNDS; round++) {
    const kept = await readKeptReleases(target, head);
    const to = chosen === null ? chooseEarlier(kept, head) : findRelease(kept, chosen);
    if (round === 1) await onChosen(head, to);
    chosen = to.manifest.release;
    const isLive = chosen === head.manifest.release;
    if (isLive && (head.hold || !hold)) {
      await bringUpPointer(target, head);
      return { from: head, to, turned: false, entry: head };
    }
    await expectWhole(target, to, kept);
    const confirmedAt = now();
    const at = await target.ledger.now();
    const isRecent = at - kept.readAt <= CHECKS_LIFETIME;
    const decision = decide(head, to, new Date(at).toISOString(), signature, hold);
    const guard = freshSince(confirmedAt, now);
    signal?.throwIfAborted();
    const entry = isRecent
      ? await append(target, head, decision, guard).catch(unlessGrownOld)
      : null;
    if (entry) {
      await writePointer(target, entry);
      return { from: head, to, turned: true, entry };
    }
    head = (await readHead(target.ledger, head.number)) ?? head;
  }
  const message = 'somebody else decides again and again; look at what is live and try again';
  throw new CommandError(message, { code: 'publish_conflict' });
}

/**
 * Lifts the hold that stands; null when there is none.
 * @param signal nothing is written once it is aborted, unless it was decided by then
 */
export async function resumePublishing(
  target: SnapshotTarget,
  signature: Signature,
  signal?: AbortSignal,
): Promise<LogEntry | null> {
  let head = await openLog(target, { writes: true });
  while (head?.hold) {
    const at = new Date(await target.ledger.now()).toISOString();
    signal?.throwIfAborted();
    const decision: Decision = {
      ...head,
      ...signature,
      cost: null,
      kind: 'resume',
      at,
      hold: null,
    };
    const entry = await append(target, head, decision);
    if (entry) {
      await writePointer(target, entry);
      return entry;
    }
    head = await readHead(target.ledger, head.number);
    if (head) await bringUpPointer(target, head);
  }
  return null;
}

function decide(
  head: LogEntry,
  { manifest, stay }: KeptRelease,
  at: string,
  signature: Signature,
  hold: boolean,
): Decision {
  const standing = hold ? { at, ...signature } : null;
  const isLive = manifest.release === head.manifest.release;
  if (isLive) return { ...head, ...signature, cost: null, kind: 'hold', at, hold: standing };
  return {
    ...signature,
    kind: 'rollback',
    at,
    manifest,
    publishedAt: at,
    before: asBefore(head),
    back: stay.back,
    hold: standing,
    cost: null,
  };
}

/** What was live before the live release was published, as far as it is kept. */
function chooseEarlier(kept: KeptReleases, head: LogEntry): KeptRelease {
  const stays = new Map(kept.stays.map((stay) => [stay.number, stay]));
  for (let number = head.back; number !== null; ) {
    const stay = stays.get(number);
    const found = kept.releases.find(({ manifest }) => manifest.release === stay?.manifest.release);
    // From there one goes on as one could have then.
    if (stay && found && found.manifest.release !== head.manifest.release)
      return { ...found, stay };
    number = stay?.back ?? null;
  }
  const message = 'no release is kept that was live before; snapshot list shows what there is';
  throw new CommandError(message, { code: 'no_earlier_release' });
}

/** @throws CommandError release_incomplete */
async function expectWhole(
  target: SnapshotTarget,
  { manifest }: KeptRelease,
  { condemned, head }: KeptReleases,
): Promise<void> {
  const objects = await new PublishedReleases(target).listObjects(manifest);
  const list = await ObjectList.read(target.objects);
  const isLive = manifest.release === head?.manifest.release;
  const missing = objects.filter(
    (object) => !list.has(object) || (!isLive && condemned.hasObject(object.hash)),
  );
  if (missing.length === 0) return;
  const message = `release ${manifest.release} is no longer whole: ${missing.length} of its ${objects.length} objects are gone; the live release stays`;
  throw new CommandError(message, {
    code: 'release_incomplete',
    details: { release: manifest.release, missing: missing.map(({ hash }) => hash) },
  });
}

async function nothingLive(target: SnapshotTarget): Promise<CommandError> {
  if (!(await isPointerUnreadable(target))) return nothingLiveError();
  const message =
    'nobody can tell what is live: there is no log, and the pointer cannot be read; publish --force puts stores live anew';
  return new CommandError(message, { code: 'live_unreadable' });
}
