/** Holds a release that is to be published against the live one and the one of a day ago. */
import { FIGURES, type Figures } from '../../src/snapshot/figure-table.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';
import { manifestOf } from '../publish/published-release.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { openPublished } from '../releases/published-objects.ts';
import { ReleaseReader } from '../releases/release-reader.ts';
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
  readonly now: Date;
}

const NOTHING_COUNTED = Object.fromEntries(FIGURES.map((name) => [name, 0])) as Figures;

/** @throws CommandError release_damaged when the live release cannot be read */
export async function guardRelease(
  target: SnapshotTarget,
  { next, live, limits, now }: GuardedChange,
): Promise<GuardReport> {
  const reader = new ReleaseReader(next);
  const figures = await reader.figures();
  const bases = live ? await readBases(target, live, await readComparedStores(reader), now) : [];
  // A folder that an older tool built has no figures: what would change can be told nevertheless.
  const judged = (bounds: Limits) => judge(figures ?? NOTHING_COUNTED, bases, bounds);
  return {
    figures,
    bases: bases.map(({ exempt: _, ...base }) => base),
    refusals: judged(limits),
    accepted: judged(DEFAULT_LIMITS).map(({ code }) => code),
  };
}

async function readBases(
  target: SnapshotTarget,
  live: CompiledRelease,
  next: ComparedStores,
  now: Date,
): Promise<Base[]> {
  const bases = [await readBase('live', live, next)];
  const entries = await readWentLive(target);
  const dayAgo = findDayAgo(entries, now);
  const found = entries.find(({ release }) => release === dayAgo?.release);
  if (!dayAgo || !found || found.release === live.manifest.release) return bases;
  const release = openPublished(target, manifestOf(found.manifest));
  const base = await readBase('day', release, next).catch((error) => {
    // The live release is what has to be whole.
    if (error instanceof CommandError && error.code === 'release_damaged') return null;
    throw error;
  });
  return base ? [...bases, { ...base, exempt: dayAgo.exempt }] : bases;
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
