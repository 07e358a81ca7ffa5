/**
 * An entry of the log: one decision about what is live. The whole log is the history of an
 * environment, and its last entry the truth about it; the pointer that Workers read is a copy of
 * that entry.
 *
 * What the log says is kept, and what is given up: a function of its entries alone, so that every
 * machine that has read the same entries decides the same.
 *
 * A release is here a content in a generation. Times are the times of entries, and *now* is the time of the
 * last one. A release is kept when, since the last purge, the purge's own included, it was live within
 * eight days of now, or is one of the last ten distinct ones.
 *
 * A generation is given up when it is not the newest, holds no release that is kept, and either an entry
 * was made over twelve hours after it began, or a purge after it began. So a writer has twelve
 * hours to name a generation that it has begun. No entry names what the log before it has given up.
 */
import * as z from 'zod';
import { DAY, HOUR } from '../../src/hours/clock.ts';
import { FORMAT_VERSION, releaseName } from '../../src/snapshot/keys.ts';
import { type Pointer, pointerSchema } from '../../src/snapshot/manifest.ts';
import type { Signature } from '../cli/common-options.ts';

/**
 * - `publish`: stores went live that were compiled before
 * - `rollback`: a release that had been live before went live again
 * - `hold`, `resume`: publishing was stopped, or allowed again; the same release stays live
 * - `purge`: every other release was given up; the same stores stay live, in a new generation
 */
const ENTRY_KINDS = ['publish', 'rollback', 'hold', 'resume', 'purge'] as const;

/** The author of what `npm start` publishes. */
export const DEMO_AUTHOR = 'npm start';

export const entrySchema = pointerSchema.extend({
  kind: z.enum(ENTRY_KINDS),
  by: z.string(),
  note: z.string().nullable(),
  /** Random: tells who wrote an entry that was there already. */
  mark: z.string(),
  /** The newest generation: publications write into it. After a rollback the live one may be older. */
  newest: z.string(),
  /** Number of the entry whose release was live before this one was published: a rollback goes there. */
  back: z.int().min(1).nullable(),
  /** The decision, which stands after this entry, that nothing is to be published; null: publishing is allowed. */
  hold: z.object({ at: z.iso.datetime(), by: z.string(), note: z.string().nullable() }).nullable(),
  /** Guards over whose limits it was published, by `--allow` or `--force`. */
  accepted: z.array(z.string()),
});

/** An entry as its writer decides it; the log adds the rest. */
export type Decision = Omit<z.infer<typeof entrySchema>, 'format' | 'mark'>;

/**
 * An entry as it was read. Its time is the one at which R2 created it, which no writer puts in: the
 * clock of a machine may be days off.
 */
export interface LogEntry extends Decision {
  /** Milliseconds since 1970. */
  readonly from: number;
}

/**
 * Returns the entry after `head` as far as it decides nothing else: the same release stays live. What was accepted at
 * its publication that entry alone says.
 */
export function stayLive({ from: _, ...head }: LogEntry, signature: Signature): Decision {
  return { ...head, ...signature, number: head.number + 1, accepted: [] };
}

/**
 * Returns the entry that published what is live, not a later rollback to it; the last entry if that is gone.
 * @param entries the latest first
 */
export function publicationIn(entries: readonly LogEntry[]): LogEntry | undefined {
  const [head] = entries;
  const isIt = ({ kind, manifest }: LogEntry) =>
    kind === 'publish' && manifest.release === head?.manifest.release;
  return entries.find(isIt) ?? head;
}

/** Returns the name by which partners know the release that is live after an entry. */
export function nameOf({ number, manifest }: Pick<Decision, 'number' | 'manifest'>): string {
  return releaseName(number, manifest.release);
}

/** Returns the pointer that is the copy of an entry. */
export function pointerOf(entry: Decision): Pointer {
  const { log, number, manifest, publishedAt, before } = entry;
  return { format: FORMAT_VERSION, log, number, manifest, publishedAt, before };
}

/** Returns the reference to an entry's release for the entry that comes after it. */
export function asBefore({ number, manifest, publishedAt }: LogEntry): Pointer['before'] {
  return { number, manifest, publishedAt };
}

/** Releases that were live within this time are kept, milliseconds, and at least so many. */
const KEPT_TIME = 8 * DAY;
const MIN_KEPT = 10;

/** Milliseconds within which a generation has to be named once it has begun. */
const TIME_TO_NAME = 12 * HOUR;

/** Judges the log. @param entries as `readEntries` returns them; none: nothing was published */
export function judgeLog(entries: readonly LogEntry[]) {
  const [head] = entries;
  const kept = new Map<string, LogEntry>();
  let until = Number.POSITIVE_INFINITY;
  let purgedAt = Number.NEGATIVE_INFINITY;
  const keptFrom = (head?.from ?? 0) - KEPT_TIME;
  for (const entry of entries) {
    const id = idOf(entry);
    if (!kept.has(id) && (until >= keptFrom || kept.size < MIN_KEPT)) kept.set(id, entry);
    until = entry.from;
    if (entry.kind === 'purge') {
      purgedAt = entry.from;
      break;
    }
  }
  const isFull = purgedAt > Number.NEGATIVE_INFINITY || kept.size >= MIN_KEPT;
  const generations = new Set([...kept.values()].map(({ manifest }) => manifest.generation));
  return {
    /** What it was judged by, the latest first. */
    entries,
    /** Whether the entries reach back far enough to be judged, and beyond eight days. */
    isEnough: isFull && (entries.at(-1)?.from ?? keptFrom) < keptFrom,
    /** Each by the entry that put it live last; the one that was live last comes first. */
    kept: [...kept.values()],
    /** Whether the release of an entry is kept. */
    isKept: (entry: Pick<LogEntry, 'manifest'>) => kept.has(idOf(entry)),
    /** Returns whether no entry may name a generation any more, and all of it may be deleted. */
    isGivenUp: (generation: string) => {
      if (!head || generation === head.newest || generations.has(generation)) return false;
      const begun = beginOf(generation);
      return head.from > begun + TIME_TO_NAME || purgedAt > begun;
    },
  };
}

export type LogRule = ReturnType<typeof judgeLog>;

function idOf({ manifest }: Pick<LogEntry, 'manifest'>): string {
  return `${manifest.generation}/${manifest.release}`;
}

/**
 * Returns a name for a generation that begins at `now`, by the clock of storage, which tells whole seconds. It is later
 * than every entry that was read, else a purge of the same second would give it up.
 */
export function nameGeneration(now: number, head: LogEntry | null): string {
  const time = new Date(Math.max(now, head?.from ?? 0) + 1_000).toISOString();
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
    String.fromCharCode(97 + (byte % 26)),
  );
  return `${time.replace(/[-:]|\.\d+/g, '')}-${letters.join('')}`;
}

/** Returns when a generation began, milliseconds since 1970; a name that no generation bears: long ago. */
function beginOf(generation: string): number {
  const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-.*/;
  const time = Date.parse(generation.replace(form, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
