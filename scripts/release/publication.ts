/** A publication: what it is asked to do, and what came of it. */
import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { Clock } from '../storage/pace.ts';
import { type LogEntry, nameOf, type Signature } from './log-entry.ts';
import { type ObjectList, type ObjectTally, type ObjectWatch, tally } from './objects.ts';
import { type PublicationPlan, uploadsOf } from './plan-publication.ts';
import type { PublishedReleases } from './published-objects.ts';

export interface PublishOptions extends ObjectWatch {
  /** Who publishes, and what they say about it. */
  readonly signature: Signature;
  /**
   * The last entry of the log that was looked at before deciding to publish; null when there was
   * none. Without it, the one that is the last when publishing begins.
   */
  readonly expected?: LogEntry | null;
  /** Whether a hold that stands is lifted with this publication. */
  readonly resume?: boolean;
  readonly clock?: Clock;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** Told of the plan before anything is uploaded. */
  readonly onPlan?: (plan: PublicationPlan) => Promise<void>;
  /** Told before a wait for whoever may be deleting; milliseconds. */
  readonly onWait?: (milliseconds: number) => void;
  /** A list of the objects that was read a moment ago; saves reading it again. */
  readonly list?: ObjectList;
  /** What has been read of published releases; saves reading it again. */
  readonly published?: PublishedReleases;
}

export interface Publication {
  readonly release: string;
  /** Number of the log's entry that put it live; null in a rehearsal. */
  readonly number: number | null;
  /** The release that was live before; null when there was none. */
  readonly previous: string | null;
  /** Its name, as partners see it. */
  readonly previousName: string | null;
  /** True when the release was live before: at most, what it lacked was uploaded. */
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
  plan: PublicationPlan,
  number: number | null,
  uploaded: readonly ObjectRef[] = uploadsOf(plan),
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
    reused: tally(plan.objects.filter(({ hash }) => !sent.has(hash))),
  };
}

/** What whoever lost against another decision is told. */
export function conflict(head: LogEntry | null, { release }: Manifest): CommandError {
  const live = head && { release: head.manifest.release, number: head.number, by: head.by };
  const state = head ? `release ${nameOf(head)} by ${visible(head.by)}` : 'nothing';
  const message = `somebody else has decided meanwhile: live is ${state}, release ${release} is not; look at what is live and publish again`;
  return new CommandError(message, { code: 'publish_conflict', details: { live } });
}
