/** A publication: what it is asked to do, and what came of it. */

import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { Signature } from '../cli/signature-options.ts';
import { type LogEntry, nameOf } from './log-entry.ts';
import { type ObjectTally, type ObjectWatch, tally } from './objects.ts';
import type { PublicationPlan, Seen } from './plan-publication.ts';

/** Keys that are written besides the objects: the release, the pointer, and the time of the run. */
export const OTHER_WRITES = 3;

export interface PublishOptions extends ObjectWatch {
  /** Who publishes, and what they say about it. */
  readonly signature: Signature;
  /** Whether everything is uploaded anew, which heals whatever was lost or damaged. */
  readonly afresh?: boolean;
  /** Whether a new log is begun in the place of what is there, which is not read then. */
  readonly beginLog?: boolean;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** What has been read to decide by; without it, what there is when publishing begins. */
  readonly seen?: Seen;
  /** Told what went wrong without ending the work. */
  readonly remark?: (text: string) => void;
  /** Told of the plan before anything is uploaded. */
  readonly onPlan?: (plan: PublicationPlan) => Promise<void>;
}

export interface Publication {
  readonly release: string;
  /** Number of the log's entry that put it live; null in a rehearsal. */
  readonly number: number | null;
  /** The release that was live before; null when there was none. */
  readonly previous: string | null;
  /** Its name, as partners see it. */
  readonly previousName: string | null;
  /** True when the release was live before. */
  readonly alreadyLive: boolean;
  readonly storeCount: number;
  readonly uploaded: ObjectTally;
  /** Objects that were there already. */
  readonly reused: ObjectTally;
}

/**
 * What a plan comes to once it is carried out.
 * @param number of the log's entry, if there is one
 * @param uploaded what all rounds of the work have uploaded
 */
export function describePublication(
  { release, storeCount }: Manifest,
  head: LogEntry | null,
  { objects, missing }: Pick<PublicationPlan, 'objects' | 'missing'>,
  number: number | null,
  uploaded: readonly ObjectRef[] = missing,
): Publication {
  const sent = new Set(uploaded.map(({ hash }) => hash));
  return {
    release,
    number,
    previous: head?.manifest.release ?? null,
    previousName: head && nameOf(head),
    alreadyLive: head?.manifest.release === release,
    storeCount,
    uploaded: tally(uploaded),
    reused: tally(objects.filter(({ hash }) => !sent.has(hash))),
  };
}

/** The error of a command that lost against another decision. */
export function conflict(head: LogEntry | null, { release }: Manifest): CommandError {
  const live = head && { release: head.manifest.release, number: head.number, by: head.by };
  const state = head ? `release ${nameOf(head)} by ${visible(head.by)}` : 'nothing';
  const message = `another command has decided meanwhile: live is ${state}, release ${release} is not; look at what is live and publish again`;
  return new CommandError(message, { code: 'publish_conflict', details: { live } });
}

/** @throws CommandError publication_held */
export function refuseHeld(head: LogEntry | null): void {
  if (!head?.hold) return;
  const { by, at, note } = head.hold;
  const why = note === null ? '' : ` ("${visible(note)}")`;
  const message = `publishing is held since ${at} by ${visible(by)}${why}: release ${head.manifest.release} stays live; snapshot resume ends that`;
  throw new CommandError(message, { code: 'publication_held', details: { hold: head.hold } });
}
