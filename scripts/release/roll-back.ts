/**
 * Puts a release live again that is still kept: nothing is uploaded, only the log gets an entry.
 * Publishing is held from then on, for the next run of a job would find the same bad export.
 */

import { CommandError } from '../cli/command-error.ts';
import type { Signature } from '../cli/signature-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { findRelease, type KeptReleases, readKeptReleases } from './kept-releases.ts';
import { append, type Decision, nextHead } from './log.ts';
import { asBefore, type LogEntry, type Stay } from './log-entry.ts';
import { bringUpPointer, nothingLiveError, openLog } from './open-log.ts';
import { writePointer } from './pointer-copy.ts';
import { findMissing } from './published-objects.ts';

export interface Rollback {
  /** What was live before. */
  readonly from: LogEntry;
  /** The stay of the release that is live now in which it was live last. */
  readonly to: Stay;
  /** False when it was live and held: nothing was written. */
  readonly turned: boolean;
  /** The last entry of the log. */
  readonly entry: LogEntry;
}

export interface RollbackOptions {
  /** Id of the release, or its first digits; null: what was live before the live one was published. */
  readonly release: string | null;
  readonly signature: Signature;
  /** Told of the release before anything is written. */
  readonly onChosen?: (from: LogEntry, to: Stay) => Promise<void>;
  /** Told what went wrong without ending the work. */
  readonly remark?: (text: string) => void;
  /** Nothing is written once it is aborted, unless it was decided by then. */
  readonly signal?: AbortSignal;
}

/**
 * Goes back to another release (or forward again, by its id). A publication at the same instant
 * loses: the release that was chosen goes live all the same.
 * @throws CommandError when there is no such release, or it is no longer whole
 */
export async function rollBack(
  target: SnapshotTarget,
  { release, signature, onChosen = async () => {}, remark, signal }: RollbackOptions,
): Promise<Rollback> {
  const opened = await openLog(target, remark);
  if (!opened) throw nothingLiveError();
  let head = opened;
  let wanted = release;
  // Another decision came first: look at it, then try again.
  for (;;) {
    const kept = await readKeptReleases(target, head);
    const to = wanted === null ? chooseEarlier(kept, head) : findRelease(kept, wanted);
    if (head === opened) await onChosen(head, to);
    wanted = to.manifest.release;
    const isLive = wanted === head.manifest.release;
    if (isLive && head.hold) {
      // The command that put it live may have died before it wrote the pointer.
      await bringUpPointer(target, head, remark);
      return { from: head, to, turned: false, entry: head };
    }
    if (!isLive) await expectWhole(target, to);
    const at = new Date(await target.ledger.now()).toISOString();
    signal?.throwIfAborted();
    const entry = await append(target, decide(head, to, at, signature), head.number + 1);
    if (entry) {
      if (isLive) await bringUpPointer(target, entry, remark);
      else await writePointer(target, entry);
      return { from: head, to, turned: true, entry };
    }
    head = (await nextHead(target, head)) ?? head;
  }
}

/** Lifts the hold that stands; null when there is none. */
export async function resumePublishing(
  target: SnapshotTarget,
  { signature, remark, signal }: Pick<RollbackOptions, 'signature' | 'remark' | 'signal'>,
): Promise<LogEntry | null> {
  let head = await openLog(target, remark);
  while (head?.hold) {
    signal?.throwIfAborted();
    const decision: Decision = { ...head, ...signature, cost: null, kind: 'resume', hold: null };
    const entry = await append(target, decision, head.number + 1);
    if (entry) {
      await bringUpPointer(target, entry, remark);
      return entry;
    }
    head = await nextHead(target, head);
    if (head) await bringUpPointer(target, head, remark);
  }
  return null;
}

/** @param at by the clock of the storage */
function decide(head: Stay, to: Stay, at: string, signature: Signature): Decision {
  const hold = { at, ...signature };
  const isLive = to.manifest.release === head.manifest.release;
  if (isLive) return { ...head, ...signature, cost: null, kind: 'hold', hold };
  return {
    ...signature,
    log: head.log,
    kind: 'rollback',
    manifest: to.manifest,
    newest: head.newest,
    publishedAt: at,
    before: asBefore(head),
    back: to.back,
    hold,
    cost: null,
  };
}

/** What was live before the live release was published, as far as it is kept. */
function chooseEarlier({ kept, stays }: KeptReleases, head: Stay): Stay {
  const numbered = new Map(stays.map((stay) => [stay.number, stay]));
  for (let number = head.back; number !== null; ) {
    const stay = numbered.get(number);
    const found = kept.find(({ manifest }) => manifest.release === stay?.manifest.release);
    // From there one goes on as one could have then.
    if (stay && found && found.manifest.release !== head.manifest.release) {
      return { ...found, back: stay.back };
    }
    number = stay?.back ?? null;
  }
  const message = 'no release is kept that was live before; snapshot list shows what there is';
  throw new CommandError(message, { code: 'no_earlier_release' });
}

/** @throws CommandError release_incomplete */
async function expectWhole(target: SnapshotTarget, { manifest }: Stay): Promise<void> {
  const missing = await findMissing(target, manifest);
  if (missing.length === 0) return;
  const message = `release ${manifest.release} is no longer whole: ${missing.length} of its objects are gone; the live release stays`;
  throw new CommandError(message, {
    code: 'release_incomplete',
    details: { release: manifest.release, missing },
  });
}
