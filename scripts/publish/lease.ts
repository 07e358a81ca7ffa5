/**
 * Keeps pruning and publishing apart. Whoever does either first says so under a key of its own,
 * then looks for the other: whatever the order of these four steps, one of the two sees the other
 * and gives way. Publications do not exclude each other.
 *
 *     snapshot/lease/<kind>/<random>   JSON: who, and until when
 *
 * A lease is renewed while the work lasts and ends by itself soon after a process was killed.
 *
 * KV may list a new key a minute late. Who prunes therefore waits until everybody sees its lease and
 * it sees everybody's, and looks again; who publishes need not.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';
import { encodeJson, parseJson } from './published-release.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

export const LEASE_PREFIX = 'snapshot/lease/';

/** Milliseconds after the last renewal for which a lease holds. */
export const LEASE_LIFETIME = 15 * 60_000;
const RENEWAL_INTERVAL = 3 * 60_000;

export type LeaseKind = 'publish' | 'prune';

const RIVAL: Readonly<Record<LeaseKind, LeaseKind>> = { publish: 'prune', prune: 'publish' };
const DOING: Readonly<Record<LeaseKind, string>> = { publish: 'publishing', prune: 'pruning' };

const leaseSchema = z.strictObject({ holder: z.string(), until: z.iso.datetime() });

export interface Lease {
  /** @throws CommandError lease_lost when it could not be renewed in time */
  assertHeld(): void;
}

/**
 * Runs `work` under a lease.
 * @param holder who works, for whoever is refused meanwhile
 * @throws CommandError target_busy while somebody does what must not happen at the same time
 */
export async function withLease<T>(
  target: SnapshotTarget,
  kind: LeaseKind,
  holder: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const key = `${LEASE_PREFIX}${kind}/${randomUUID()}`;
  let until = 0;
  const renew = async () => {
    const end = Date.now() + LEASE_LIFETIME;
    await target.put(key, encodeJson({ holder, until: new Date(end).toISOString() }));
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
    await refuseRival(target, RIVAL[kind]);
    if (kind === 'prune' && target.settle) {
      await target.settle();
      await refuseRival(target, RIVAL[kind]);
    }
    return await work({ assertHeld });
  } finally {
    clearInterval(renewal);
    await renewing;
    // What cannot be deleted now ends by itself; the work is done either way.
    await target.delete(key).catch(() => {});
  }
}

/** Looks for leases of a kind and clears away those that have ended. */
async function refuseRival(target: SnapshotTarget, kind: LeaseKind): Promise<void> {
  for await (const key of target.list(`${LEASE_PREFIX}${kind}/`)) {
    const bytes = await target.get(key);
    // Given back since it was listed, or listed late.
    if (!bytes) continue;
    const lease = parseJson(bytes, leaseSchema);
    if (lease && Date.parse(lease.until) > Date.now()) throw busy(kind, lease);
    await target.delete(key);
  }
}

function busy(kind: LeaseKind, { holder, until }: z.infer<typeof leaseSchema>): CommandError {
  const message = `${holder} is ${DOING[kind]} here; try again later (after ${until} at the latest, if that process was killed)`;
  return new CommandError(message, { code: 'target_busy', details: { holder, until } });
}

function lost(kind: LeaseKind): CommandError {
  const minutes = LEASE_LIFETIME / 60_000;
  return new CommandError(
    `storage could not be told for ${minutes} minutes that this is still ${DOING[kind]}; run it again`,
    { code: 'lease_lost' },
  );
}
