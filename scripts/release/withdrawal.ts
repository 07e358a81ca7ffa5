/**
 * Releases that somebody went back from. An unattended job that finds the same bad export again
 * must not put it live again; whoever means to says `--force`.
 *
 *     snapshot/v…/withdrawn/<release>   JSON: who went back, and when
 */
import { z } from 'zod';
import { SNAPSHOT_PREFIX } from '../../src/snapshot/keys.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { encodeJson, parseJson } from './published-release.ts';

export const WITHDRAWN_PREFIX = `${SNAPSHOT_PREFIX}withdrawn/`;

const withdrawalSchema = z.strictObject({ at: z.iso.datetime(), by: z.string() });

export type Withdrawal = z.infer<typeof withdrawalSchema>;

/** When and by whom a release was withdrawn; null when it was not. */
export async function readWithdrawal(
  target: SnapshotTarget,
  release: string,
): Promise<Withdrawal | null> {
  return parseJson(await target.get(WITHDRAWN_PREFIX + release), withdrawalSchema);
}

export async function markWithdrawn(
  target: SnapshotTarget,
  release: string,
  withdrawal: Withdrawal,
): Promise<void> {
  await target.put(WITHDRAWN_PREFIX + release, encodeJson(withdrawal));
}

export async function unmarkWithdrawn(target: SnapshotTarget, release: string): Promise<void> {
  await target.delete(WITHDRAWN_PREFIX + release);
}

/** The ids of all withdrawn releases. */
export async function listWithdrawn(target: SnapshotTarget): Promise<Set<string>> {
  const withdrawn = new Set<string>();
  for await (const key of target.list(WITHDRAWN_PREFIX)) {
    withdrawn.add(key.slice(WITHDRAWN_PREFIX.length));
  }
  return withdrawn;
}
