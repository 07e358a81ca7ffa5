/** What a publication will cost, said before it begins. */

import { objectKey } from '../../src/snapshot/keys.ts';
import type { SnapshotTarget, UploadSize } from '../storage/key-value-store.ts';
import { readHistory, type Stay } from './history.ts';
import { KEPT_TIME } from './kept-releases.ts';
import type { LogEntry } from './log-entry.ts';
import { totalBytes } from './measure-release.ts';
import { type ObjectTally, tally } from './objects.ts';
import { type PublicationPlan, uploadsOf } from './plan-publication.ts';

const DAY = 24 * 3600_000;

/** Keys that are written besides the objects: the manifest, the name and the pointer. */
export const OTHER_WRITES = 3;

export interface CostEstimate {
  readonly uploads: ObjectTally;
  readonly writes: number;
  /** Requests to Cloudflare; null on this machine. */
  readonly requests: number | null;
  /** At the pace that the API allows; null on this machine. */
  readonly seconds: number | null;
  /** Writes of the last 24 hours, as the log has them, this publication included. */
  readonly writesInDay: number;
  /** Writes of a day of the free plan; null where there is no such limit. */
  readonly freeWrites: number | null;
  /** Bytes of all that was uploaded within eight days, this publication and what was there included. */
  readonly storedBytes: number;
}

/** @param plan null: nothing is to be uploaded */
export async function estimateCost(
  target: SnapshotTarget,
  head: LogEntry | null,
  plan: PublicationPlan,
): Promise<CostEstimate> {
  const objects = uploadsOf(plan);
  const uploads = tally(objects);
  const sizes: UploadSize[] = objects.map(({ hash, bytes }) => ({
    key: objectKey(hash),
    size: bytes,
  }));
  const now = await target.ledger.now();
  const stays = await readHistory(target.ledger, head, (soFar) => {
    return (soFar.at(-1)?.from ?? now) < now - KEPT_TIME;
  });
  const recent = (time: number) => stays.filter(({ from }) => from >= now - time);
  const writes = uploads.objects + OTHER_WRITES;
  const price = target.objects.price?.(sizes, plan.objects.length) ?? null;
  return {
    uploads,
    writes,
    requests: price?.requests ?? null,
    seconds: price?.seconds ?? null,
    writesInDay: writes + sum(recent(DAY), ({ cost }) => cost?.writes ?? 0),
    freeWrites: price?.freeWrites ?? null,
    storedBytes: uploads.bytes + storedBefore(stays, recent(KEPT_TIME)),
  };
}

/** What was live eight days ago, and all that was uploaded since. */
function storedBefore(stays: readonly Stay[], recent: readonly Stay[]): number {
  const first = stays[recent.length];
  const start = first ? totalBytes(first.manifest) : 0;
  return start + sum(recent, ({ cost }) => cost?.bytes ?? 0);
}

function sum(stays: readonly Stay[], of: (stay: Stay) => number): number {
  return stays.reduce((total, stay) => total + of(stay), 0);
}
