/**
 * An entry of the log: one decision about what is live. The whole log is the history of an
 * environment, and its last entry the truth about it; the pointer that Workers read is a copy of
 * that entry.
 */
import * as z from 'zod';
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
 * Returns the entry after `head` as far as it decides nothing else: the same release stays live. What its publication
 * cost, and what was accepted then, that entry alone says.
 */
export function stayLive({ from: _, ...head }: LogEntry, signature: Signature): Decision {
  return { ...head, ...signature, number: head.number + 1, cost: null, accepted: [] };
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
