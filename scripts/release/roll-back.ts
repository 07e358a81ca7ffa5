/**
 * Puts a release live again that is still kept: nothing is uploaded, only the log gets an entry.
 * Publishing is held from then on, for the next run of a job would find the same bad export.
 */

import { CommandError } from '../cli/command-error.ts';
import type { Signature } from '../cli/common-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { append, nextHead, readEntries } from './log.ts';
import {
  asBefore,
  type Decision,
  judgeLog,
  type LogEntry,
  type LogRule,
  stayLive,
} from './log-entry.ts';
import { findMissing } from './objects.ts';
import { bringUpPointer, nothingLiveError, openLog, writePointer } from './open-log.ts';

export type Rollback = Awaited<ReturnType<typeof rollBack>>;

/** What is live, what opens releases, and the entry to whose release it is gone back. */
export type Choice = Awaited<ReturnType<typeof chooseRollback>>;

/**
 * Chooses the release.
 * @param release as `findRelease` takes it; null: what was live before the live one was published
 * @throws CommandError when nothing is live, or there is no such release
 */
export async function chooseRollback(target: SnapshotTarget, release: string | null) {
  const { head, open } = await openLog(target);
  if (!head) throw nothingLiveError();
  const rule = judgeLog(await readEntries(target, head));
  return {
    head,
    open,
    to: release === null ? findEarlier(rule, head) : findRelease(rule, release),
  };
}

/**
 * Goes back to another release (or forward again, by its id). A publication at the same instant
 * loses: the release that was chosen goes live all the same.
 * @throws CommandError when there is no such release, or it is no longer whole
 */
export async function rollBack(target: SnapshotTarget, choice: Choice, signature: Signature) {
  let { head, to } = choice;
  for (;;) {
    const isLive = to.manifest.release === head.manifest.release;
    if (isLive && head.hold) {
      // The command that put it live may have died before it wrote the pointer.
      await bringUpPointer(target, head);
      return { from: head, to, turned: false, entry: head };
    }
    if (!isLive) await expectWhole(target, to);
    const at = new Date(await target.ledger.now()).toISOString();
    target.context.signal.throwIfAborted();
    const entry = nextEntry(head, to, at, signature);
    if (await append(target, entry)) {
      if (isLive) await bringUpPointer(target, entry);
      else await writePointer(target, entry);
      return {
        /** What was live before. */
        from: head,
        /** The entry that put the release that is live now live the last time before. */
        to,
        /** False when it was live and held: nothing was written. */
        turned: true,
        /** The last entry of the log. */
        entry,
      };
    }
    // Another decision came first: look at it, then try again.
    head = await nextHead(target, head);
    to = findRelease(judgeLog(await readEntries(target, head)), to.manifest.release);
  }
}

/** Lifts the hold that stands; null when there is none. */
export async function resumePublishing(
  target: SnapshotTarget,
  signature: Signature,
): Promise<Decision | null> {
  let { head } = await openLog(target);
  while (head?.hold) {
    target.context.signal.throwIfAborted();
    const entry: Decision = { ...stayLive(head, signature), kind: 'resume', hold: null };
    if (await append(target, entry)) {
      await bringUpPointer(target, entry);
      return entry;
    }
    head = await nextHead(target, head);
    await bringUpPointer(target, head);
  }
  return null;
}

/** Makes the next entry. @param at by the clock of the storage */
function nextEntry(head: LogEntry, to: LogEntry, at: string, signature: Signature): Decision {
  const { manifest, back } = to;
  const stay = { ...stayLive(head, signature), hold: { at, ...signature } };
  if (manifest.release === head.manifest.release) return { ...stay, kind: 'hold' };
  const before = asBefore(head);
  return { ...stay, kind: 'rollback', manifest, publishedAt: at, before, back };
}

/** Checks a release. @throws CommandError release_incomplete */
async function expectWhole(target: SnapshotTarget, { manifest }: LogEntry): Promise<void> {
  const missing = await findMissing(target, manifest);
  if (missing.length === 0) return;
  const message = `release ${manifest.release} is no longer whole: ${missing.length} of its objects are gone, such as ${missing[0]}; the live release stays`;
  throw new CommandError(message, 'release_incomplete');
}

/** The first digits of an id that name a release; fewer are the number of a name. */
const MIN_ID_DIGITS = 4;

/**
 * Finds the only release that `wanted` names, in a form that `parseReleaseId` has read, and returns the entry that
 * put it live last. Of a release that lies in two generations that is the later one. A number names the release
 * that went live under it, and digits alone may be a number or begin an id.
 * @throws CommandError release_unknown, release_ambiguous
 */
export function findRelease({ kept, entries }: LogRule, wanted: string): LogEntry {
  const [start = '', number] = wanted.split('-').reverse();
  const named = entries.find((entry) => String(entry.number) === (number ?? start));
  const found = kept.filter(({ manifest: { release } }) => {
    const isNumbered = release === named?.manifest.release;
    const isBegun = start.length >= MIN_ID_DIGITS && release.startsWith(start);
    return number === undefined ? isNumbered || isBegun : isNumbered && isBegun;
  });
  const [first] = found;
  if (!first) {
    const message = `no release ${wanted} is kept here; snapshot list shows those that are`;
    throw new CommandError(message, 'release_unknown');
  }
  const ids = [...new Set(found.map(({ manifest }) => manifest.release))];
  if (ids.length > 1) {
    const message = `${wanted} is ambiguous: ${ids.join(', ')}`;
    throw new CommandError(message, 'release_ambiguous');
  }
  return first;
}

/** Returns what was live before the live release was published, as far as it is kept. @throws CommandError */
function findEarlier({ kept, entries }: LogRule, head: LogEntry): LogEntry {
  const numbered = new Map(entries.map((entry) => [entry.number, entry]));
  for (let number = head.back; number !== null; ) {
    const entry = numbered.get(number);
    const found = kept.find(({ manifest }) => manifest.release === entry?.manifest.release);
    // From there one goes on as one could have then.
    if (entry && found && found.manifest.release !== head.manifest.release) {
      return { ...found, back: entry.back };
    }
    number = entry?.back ?? null;
  }
  const message =
    'there is no release before it to go back to; snapshot list shows those that are kept';
  throw new CommandError(message, 'no_earlier_release');
}
