/**
 * An entry of the log: one decision about what is live. The whole log is the history of an
 * environment, and its last entry the truth about it; the pointer that Workers read is a copy of
 * that entry.
 *
 * No entry says when it was made: the time that counts is the one at which R2 created it, for the
 * clock of a machine may be days off.
 */
import { z } from 'zod';
import { releaseName } from '../../src/snapshot/keys.ts';
import { type Pointer, pointerSchema } from '../../src/snapshot/manifest.ts';

/**
 * - `publish`: stores went live that were compiled before
 * - `rollback`: a release that had been live before went live again
 * - `hold`, `resume`: publishing was stopped, or allowed again; the same release stays live
 * - `purge`: every other release was given up; the same stores stay live, in a new generation
 */
const ENTRY_KINDS = ['publish', 'rollback', 'hold', 'resume', 'purge'] as const;

/** A decision that nothing is to be published. */
const holdSchema = z.object({ at: z.iso.datetime(), by: z.string(), note: z.string().nullable() });

/** What a publication wrote. */
const costSchema = z.object({ writes: z.int().min(0), bytes: z.int().min(0) });

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
  /** The hold that stands after this entry; null: publishing is allowed. */
  hold: holdSchema.nullable(),
  cost: costSchema.nullable(),
  /** Guards over whose limits it was published, by `--allow` or `--force`. */
  accepted: z.array(z.string()).optional(),
});

export type LogEntry = z.infer<typeof entrySchema>;

/** An entry with the time at which R2 created it, milliseconds since 1970. */
export type Stay = LogEntry & { readonly from: number };

/** What partners call the release that is live after an entry. */
export function nameOf({ number, manifest }: Pick<LogEntry, 'number' | 'manifest'>): string {
  return releaseName(number, manifest.release);
}

/** The pointer that is the copy of an entry. */
export function pointerOf(entry: LogEntry): Pointer {
  const { format, log, number, manifest, publishedAt, before } = entry;
  return { format, log, number, manifest, publishedAt, before };
}

/** What an entry calls its release where another is live after it. */
export function asBefore({ number, manifest, publishedAt }: LogEntry): Pointer['before'] {
  return { number, manifest, publishedAt };
}
