/**
 * The log as every command begins with it. Where releases were published before there was one, it
 * begins with what tools of that time noted:
 *
 *     snapshot/v…/history/<release>   JSON of old: since when a release was live last
 */
import { z } from 'zod';
import { logKey, RELEASE_PREFIX, SNAPSHOT_PREFIX } from '../../src/snapshot/keys.ts';
import type { Pointer, PublishedRelease } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readHead } from './log.ts';
import type { LogEntry } from './log-entry.ts';
import { mendPointer, readPointer } from './pointer-copy.ts';
import { encodeJson, manifestOf, parseJson, readRelease } from './published-release.ts';

const HISTORY_PREFIX = `${SNAPSHOT_PREFIX}history/`;

/** Areas in which tools kept their records before there was a log. */
export const FORMER_AREAS = ['history/', 'withdrawn/', 'lease/'] as const;

const staySchema = z.looseObject({ since: z.iso.datetime() });

/** All who take the same pointer over write the same entry. */
const MARK = 'takeover';

/**
 * The last entry, or null where nothing was ever published. Whoever is about to write mends the
 * pointer first, and takes over what was published before there was a log.
 * @throws CommandError log_unreadable
 */
export async function openLog(
  target: SnapshotTarget,
  { writes }: { readonly writes: boolean },
): Promise<LogEntry | null> {
  const pointer = await readPointer(target);
  const head = await readHead(target.ledger, pointer?.number);
  if (!head) return pointer && takeOver(target, pointer, writes);
  if (writes) await mendPointer(target, head, pointer);
  return head;
}

/** What is live, for whoever only looks. */
export function readLive(target: SnapshotTarget): Promise<LogEntry | null> {
  return openLog(target, { writes: false });
}

/** For whoever needs a live release where there is none. */
export function nothingLiveError(): CommandError {
  return new CommandError('nothing is live here', { code: 'nothing_live' });
}

/**
 * Begins the log where releases were published before there was one: a single entry names the live
 * release and, by what tools of that time noted, those that were live before it. It is written only
 * if the caller writes.
 */
async function takeOver(
  target: SnapshotTarget,
  pointer: Pointer,
  writes: boolean,
): Promise<LogEntry> {
  const earlier = await findEarlier(target, pointer);
  const entry: LogEntry = {
    ...pointer,
    kind: 'takeover',
    at: pointer.publishedAt,
    by: (await readRelease(target, pointer.manifest.release))?.author ?? 'unknown',
    note: 'published before there was a log',
    mark: MARK,
    back: earlier[0]?.number ?? null,
    hold: null,
    cost: null,
    earlier,
  };
  if (!writes) return entry;
  await target.ledger.create(logKey(entry.number), encodeJson(entry));
  return (await readHead(target.ledger, entry.number)) ?? entry;
}

/** What was live before `pointer`, the latest first, with numbers that count down from its own. */
async function findEarlier(
  target: SnapshotTarget,
  { number, manifest, before }: Pointer,
): Promise<NonNullable<LogEntry['earlier']>> {
  const found: { release: PublishedRelease; since: string }[] = [];
  for await (const { key } of target.objects.list(RELEASE_PREFIX)) {
    const id = key.slice(RELEASE_PREFIX.length);
    const release = await readRelease(target, id);
    const stay = parseJson(await target.objects.get(HISTORY_PREFIX + id), staySchema);
    const since = stay?.since ?? (id === before?.manifest.release ? before.publishedAt : null);
    if (release && since !== null && id !== manifest.release) found.push({ release, since });
  }
  // Times are ISO 8601 in UTC, with milliseconds: their order is that of their texts.
  const latest = found.sort((a, b) => (a.since < b.since ? 1 : -1)).slice(0, number - 1);
  return latest.map(({ release, since }, index) => ({
    number: number - 1 - index,
    manifest: manifestOf(release),
    publishedAt: since,
    by: release.author,
  }));
}
