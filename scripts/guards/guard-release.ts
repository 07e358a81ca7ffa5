/** Holds a release that is to be published against the live one and the one of a day ago. */
import { FIGURES, type Figures } from '../../src/snapshot/figure-table.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { openPublished } from '../release/published-objects.ts';
import { ReleaseReader } from '../release/release-reader.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { findDayAgo } from './day-ago.ts';
import { DEFAULT_LIMITS, type GuardCode, type Limits } from './guards.ts';
import { type Base, judge, type Refusal } from './judge.ts';
import { type ComparedStores, measureChange, readComparedStores } from './measure-change.ts';
import { readWentLive } from './went-live.ts';

export interface GuardReport {
  readonly figures: Figures | null;
  /** What it was compared with, and what would change against each. */
  readonly bases: readonly Pick<Base, 'against' | 'release' | 'change' | 'figures'>[];
  readonly refusals: readonly Refusal[];
  /** Guards whose default limits it passes: to be recorded if it goes live nevertheless. */
  readonly accepted: readonly GuardCode[];
}

/** What a release is held against. */
export interface GuardedChange {
  readonly next: CompiledRelease;
  /** What is live; null when nothing is that counts. */
  readonly live: CompiledRelease | null;
  readonly limits: Limits;
  /** The log's last entry. */
  readonly head: LogEntry | null;
  readonly now: Date;
}

const NOTHING_COUNTED = Object.fromEntries(FIGURES.map((name) => [name, 0])) as Figures;

/** @throws CommandError release_damaged when the live release cannot be read */
export async function guardRelease(
  target: SnapshotTarget,
  { next, live, limits, head, now }: GuardedChange,
): Promise<GuardReport> {
  const reader = new ReleaseReader(next);
  const figures = await reader.figures();
  const bases = live
    ? await readBases(live, await readComparedStores(reader), () => readDayAgo(target, head, now))
    : [];
  // A folder that an older tool built has no figures: what would change can be told nevertheless.
  const judged = (bounds: Limits) => judge(figures ?? NOTHING_COUNTED, bases, bounds);
  return {
    figures,
    bases: bases.map(({ exempt: _, ...base }) => base),
    refusals: judged(limits),
    accepted: judged(DEFAULT_LIMITS).map(({ code }) => code),
  };
}

/** What was live a day ago, and which guards are not to be held against it. */
interface ReleaseOfDayAgo {
  readonly release: CompiledRelease;
  readonly exempt: ReadonlySet<GuardCode>;
}

async function readBases(
  live: CompiledRelease,
  next: ComparedStores,
  findOther: () => Promise<ReleaseOfDayAgo | null>,
): Promise<Base[]> {
  const bases = [await readBase('live', live, next)];
  const other = await findOther();
  if (!other || other.release.manifest.release === live.manifest.release) return bases;
  const base = await readBase('day', other.release, next).catch((error) => {
    // The live release is what has to be whole.
    if (error instanceof CommandError && error.code === 'release_damaged') return null;
    throw error;
  });
  return base ? [...bases, { ...base, exempt: other.exempt }] : bases;
}

async function readDayAgo(
  target: SnapshotTarget,
  head: LogEntry | null,
  now: Date,
): Promise<ReleaseOfDayAgo | null> {
  const entries = await readWentLive(target, head, now);
  const dayAgo = findDayAgo(entries, now);
  const found = entries.find(({ release }) => release === dayAgo?.release);
  if (!dayAgo || !found) return null;
  return { release: openPublished(target, found.manifest), exempt: dayAgo.exempt };
}

async function readBase(
  against: Base['against'],
  compiled: CompiledRelease,
  next: ComparedStores,
): Promise<Base> {
  const reader = new ReleaseReader(compiled);
  const change = measureChange(await readComparedStores(reader), next);
  const figures = await reader.figures();
  return { against, release: compiled.manifest.release, change, figures };
}
