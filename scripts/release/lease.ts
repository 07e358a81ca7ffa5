/**
 * Keeps pruning and publishing apart. Whoever does either first says so under a key of its own,
 * then looks for the other: whatever the order of these four steps, one of the two sees the other
 * and gives way. Publications do not exclude each other.
 *
 *     snapshot/v…/lease/<kind>/<random>   JSON: who, which process, and until when
 *
 * A lease is renewed while the work lasts. When its process is killed it is taken over by the next
 * one on the same machine; elsewhere it ends by itself, or whoever knows better breaks it.
 *
 * KV may list a new key a minute late. Who prunes therefore waits until everybody sees its lease and
 * it sees everybody's, and looks again; who publishes need not.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { FORMAT_VERSION, snapshotPrefix } from '../../src/snapshot/keys.ts';
import { CommandError } from '../cli/command-error.ts';
import { isGone, ownMark } from '../cli/process-mark.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { encodeJson, parseJson } from './published-release.ts';

export const LEASE_PREFIX = leasePrefix(FORMAT_VERSION);

/** What the keys of a format version's leases begin with. */
export function leasePrefix(version: number): string {
  return `${snapshotPrefix(version)}lease/`;
}

/** Milliseconds after the last renewal for which a lease holds. */
export const LEASE_LIFETIME = 15 * 60_000;
const RENEWAL_INTERVAL = 3 * 60_000;

/** Digits of a lease's id that people type. */
const LEASE_ID_DIGITS = 8;

export type LeaseKind = 'publish' | 'prune';

const RIVAL: Readonly<Record<LeaseKind, LeaseKind>> = { publish: 'prune', prune: 'publish' };
const DOING: Readonly<Record<LeaseKind, string>> = { publish: 'publishing', prune: 'pruning' };

const leaseSchema = z.strictObject({
  holder: z.string(),
  until: z.iso.datetime(),
  process: z.strictObject({ machine: z.string(), pid: z.int().min(1) }),
});

export interface Lease {
  /** @throws CommandError lease_lost when it could not be renewed in time */
  assertHeld(): void;
}

export interface LeaseOptions {
  readonly kind: LeaseKind;
  /** Who works, for whoever is refused meanwhile. */
  readonly holder: string;
  /** First digits of the id of a rival's lease that is not to count: its process is gone. */
  readonly breaking?: string | undefined;
  /** The format version whose snapshots it is about; by default that of this tool. */
  readonly version?: number;
}

/**
 * Runs `work` under a lease.
 * @throws CommandError target_busy while somebody does what must not happen at the same time
 */
export async function withLease<T>(
  target: SnapshotTarget,
  { kind, holder, breaking, version = FORMAT_VERSION }: LeaseOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const prefix = leasePrefix(version);
  const key = `${prefix}${kind}/${randomUUID()}`;
  const rivals = `${prefix}${RIVAL[kind]}/`;
  let until = 0;
  const renew = async () => {
    const end = Date.now() + LEASE_LIFETIME;
    const lease = { holder, until: new Date(end).toISOString(), process: ownMark() };
    await target.put(key, encodeJson(lease));
    until = end;
  };
  const assertHeld = () => {
    if (Date.now() >= until) throw lost(kind);
  };
  await renew();
  let renewing = Promise.resolve();
  const renewUnlessLost = async () => {
    // What was lost stays lost, even if the machine only slept: somebody may have begun meanwhile.
    if (Date.now() < until) await renew();
  };
  const renewal = setInterval(() => {
    // A renewal that fails is followed by another; `assertHeld` knows when it was too late.
    renewing = renewing.then(renewUnlessLost).catch(() => {});
  }, RENEWAL_INTERVAL);
  try {
    await refuseRival(target, rivals, RIVAL[kind], breaking);
    if (kind === 'prune' && target.settle) {
      await target.settle();
      await refuseRival(target, rivals, RIVAL[kind], breaking);
    }
    return await work({ assertHeld });
  } finally {
    clearInterval(renewal);
    await renewing;
    // What cannot be deleted now ends by itself; the work is done either way.
    await target.delete(key).catch(() => {});
  }
}

/** Looks for leases of a kind and clears away those that have ended, or are to be broken. */
async function refuseRival(
  target: SnapshotTarget,
  prefix: string,
  kind: LeaseKind,
  breaking: string | undefined,
): Promise<void> {
  for await (const key of target.list(prefix)) {
    const bytes = await target.get(key);
    // Given back since it was listed, or listed late.
    if (!bytes) continue;
    const id = key.slice(prefix.length);
    const lease = parseJson(bytes, leaseSchema);
    const isBroken = breaking !== undefined && id.startsWith(breaking);
    if (lease && !isBroken && !hasEnded(lease)) throw busy(kind, id, lease);
    await target.delete(key);
  }
}

function hasEnded({ until, process }: z.infer<typeof leaseSchema>): boolean {
  return Date.parse(until) <= Date.now() || isGone(process);
}

function busy(
  kind: LeaseKind,
  id: string,
  { holder, until, process }: z.infer<typeof leaseSchema>,
): CommandError {
  const lease = id.slice(0, LEASE_ID_DIGITS);
  const message = `${holder} is ${DOING[kind]} here (process ${process.pid}); try again later`;
  return new CommandError(message, {
    code: 'target_busy',
    details: { holder, until, lease, pid: process.pid },
    explanation: `If that process was killed, its lease ends at ${until};\nif you are sure that it was, --break-lease ${lease} does not wait for that.`,
  });
}

function lost(kind: LeaseKind): CommandError {
  const minutes = LEASE_LIFETIME / 60_000;
  return new CommandError(
    `storage could not be told for ${minutes} minutes that this is still ${DOING[kind]}; run it again`,
    { code: 'lease_lost' },
  );
}
