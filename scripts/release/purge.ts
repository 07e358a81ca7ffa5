/**
 * Gives up every release but the live one at once, for a store or an address that has to vanish.
 *
 * What is going to be deleted is condemned first, then the log says that everything else is given up.
 * A publication that looked at the log before that loses, and begins its checks anew; one that begins
 * later finds condemned what is about to go.
 */
import { OBJECT_PREFIX, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import type { Progress } from '../cli/progress.ts';
import type { Guard, SnapshotTarget } from '../storage/key-value-store.ts';
import { condemn, newCondemnedKey, readCondemned, rewriteDeletionRecord } from './condemned.ts';
import {
  deleteUnreferenced,
  nothingDeleted,
  type ReleasesAndObjects,
} from './delete-unreferenced.ts';
import { CHECKS_LIFETIME, freshSince, unlessGrownOld } from './fresh-checks.ts';
import { append } from './log.ts';
import { type LogEntry, nameOf, type Signature } from './log-entry.ts';
import { nothingLiveError } from './open-log.ts';
import { writePointer } from './pointer-copy.ts';
import { type ReferenceOptions, type References, readReferences } from './references.ts';
import { dropNames } from './release-names.ts';

export interface PurgeOptions {
  readonly signature: Signature;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970, by this machine. */
  readonly now?: () => number;
}

export interface PurgePlan {
  /** Id of the release that stays. */
  readonly live: string;
  /** Its name, as partners see it: after a purge, by the number of the purge. */
  readonly name: string;
  /** Ids of kept releases that go. */
  readonly releases: readonly string[];
  /** What is deleted, or has been: these, releases that were no longer kept, and their objects. */
  readonly deleted: ReleasesAndObjects;
}

/** @throws CommandError nothing_live */
export async function planPurge(
  target: SnapshotTarget,
  { progress, now = Date.now }: Pick<PurgeOptions, 'progress' | 'now'>,
): Promise<PurgePlan> {
  const references = await readReferences(target, { ...NOTHING_ELSE, progress, now });
  return makePlan(target, references);
}

/**
 * Purges, and returns what went.
 * @throws CommandError nothing_live
 */
export async function purgeReleases(
  target: SnapshotTarget,
  { signature, progress, signal, now = Date.now }: PurgeOptions,
): Promise<PurgePlan> {
  const read = (options: Pick<ReferenceOptions, 'onlyLive' | 'since'>) =>
    readReferences(target, { ...options, writes: true, progress, now }).catch((error) => {
      throw nothingDeleted(error);
    });
  for (;;) {
    signal.throwIfAborted();
    const references = await read(NOTHING_ELSE);
    const plan = await makePlan(target, references);
    const head = expectHead(references);
    // Other records may name the same; one that covers everything comes on top.
    const record = { head: head.number, isPurge: true, ...plan.deleted };
    const key = newCondemnedKey();
    let entry: LogEntry | null = null;
    try {
      await condemn(target.ledger, record, key);
      entry = await appendPurge(target, head, signature, freshSince(now(), now));
    } finally {
      if (!entry) await takeBack(target, key, references, now);
    }
    if (!entry) continue;
    await writePointer(target, entry);
    await dropNames(target, entry.number, (release) => release === plan.live);
    // Whatever has gone live since, while this machine slept, stays as long as any other release.
    const readAnew = () => read({ since: entry.number });
    const options = { progress, signal, now, readReferences: readAnew };
    const deleted = await deleteUnreferenced(target, plan.deleted, await readAnew(), options);
    await closeRecord(target, key);
    return { ...plan, name: nameOf(entry), deleted };
  }
}

const NOTHING_ELSE = { onlyLive: true, since: Number.POSITIVE_INFINITY } as const;

function expectHead({ kept: { head } }: References): LogEntry {
  if (head) return head;
  throw nothingLiveError();
}

async function appendPurge(
  target: SnapshotTarget,
  head: LogEntry,
  signature: Signature,
  guard: Guard,
): Promise<LogEntry | null> {
  const at = new Date(await target.ledger.now()).toISOString();
  const nothingBefore = { before: null, back: null } as const;
  const decision = {
    ...head,
    ...signature,
    ...nothingBefore,
    cost: null,
    kind: 'purge',
    at,
  } as const;
  return append(target, head, decision, guard).catch(unlessGrownOld);
}

/**
 * Takes away the record of a purge that has no entry, for what it names stays. Should there be an entry
 * after all, of which no answer told, nothing is lost: without a record nobody deletes anything, and
 * the next prune, or purge, records what that entry gives up.
 *
 * A record that may be older than half a day is left: once it is a day old, a prune may be deleting by
 * it. The next prune takes out of it what is kept, also where it could not be taken away now.
 */
async function takeBack(
  { ledger }: SnapshotTarget,
  key: string,
  { readAt }: References,
  now: () => number,
): Promise<void> {
  // This machine may sleep before the request is sent.
  const guard = freshSince(now(), now);
  try {
    if ((await ledger.now()) - readAt <= CHECKS_LIFETIME) await ledger.delete(key, guard);
  } catch {
    // What kept the purge from its entry is what has to be told.
  }
}

async function makePlan({ objects }: SnapshotTarget, references: References): Promise<PurgePlan> {
  const head = expectHead(references);
  const { release: live } = head.manifest;
  const deleted = { releases: [] as string[], objects: [] as string[] };
  for await (const { key } of objects.list(RELEASE_PREFIX)) {
    const id = key.slice(RELEASE_PREFIX.length);
    if (id !== live) deleted.releases.push(id);
  }
  for await (const { key } of objects.list(OBJECT_PREFIX)) {
    const hash = key.slice(OBJECT_PREFIX.length);
    if (!references.objects.has(hash)) deleted.objects.push(hash);
  }
  const ids = references.kept.releases.map(({ manifest }) => manifest.release);
  return {
    live,
    name: nameOf(head),
    releases: ids.filter((id) => id !== live),
    deleted,
  };
}

/** Lists may show for minutes what has been deleted; a later prune takes the record away. */
async function closeRecord({ ledger }: SnapshotTarget, key: string): Promise<void> {
  const { records } = await readCondemned(ledger);
  const record = records.find((each) => each.key === key);
  if (record) await rewriteDeletionRecord(ledger, { ...record, isDeleted: true });
}
