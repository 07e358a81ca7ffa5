/** Holds a release that is to be published against the live one and the one of a day ago. */

import { COMPARED_PART, FIGURES_PART, IDS_PART, PLACES_PART } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Figures } from '../compile/count-figures.ts';
import { DEFAULT_LIMITS, type GuardCode, type Limits } from './guards.ts';
import { type Base, judge, type Refusal } from './judge.ts';
import { measureChange, type PlacedStores, readPlacedStores } from './measure-change.ts';

export interface GuardReport {
  readonly figures: Figures;
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
  /** What was live a day ago; null when there is nothing else to compare with. */
  readonly dayAgo: ReleaseOfDayAgo | null;
}

/** What was live a day ago, and which guards are not to be held against it. */
export interface ReleaseOfDayAgo {
  readonly release: CompiledRelease;
  readonly exempt: ReadonlySet<GuardCode>;
}

/** The index parts that a release is compared by. */
export const COMPARED_PARTS = [IDS_PART, COMPARED_PART, PLACES_PART, FIGURES_PART] as const;

/** @throws CommandError release_damaged when the live release cannot be read */
export async function guardRelease({
  next,
  live,
  limits,
  dayAgo,
}: GuardedChange): Promise<GuardReport> {
  const reader = new ReleaseReader(next);
  const figures = await reader.figures();
  const bases = live ? await readBases(live, dayAgo, await readPlacedStores(reader)) : [];
  const judged = (bounds: Limits) => judge(figures, bases, bounds);
  return {
    figures,
    bases: bases.map(({ exempt: _, ...base }) => base),
    refusals: judged(limits),
    accepted: judged(DEFAULT_LIMITS).map(({ code }) => code),
  };
}

async function readBases(
  live: CompiledRelease,
  dayAgo: ReleaseOfDayAgo | null,
  next: PlacedStores,
): Promise<Base[]> {
  const bases = [await readBase('live', live, next)];
  if (!dayAgo || dayAgo.release.manifest.release === live.manifest.release) return bases;
  const base = await readBase('day', dayAgo.release, next).catch((error) => {
    // The live release is what has to be whole.
    if (error instanceof CommandError && error.code === 'release_damaged') return null;
    throw error;
  });
  return base ? [...bases, { ...base, exempt: dayAgo.exempt }] : bases;
}

async function readBase(
  against: Base['against'],
  compiled: CompiledRelease,
  next: PlacedStores,
): Promise<Base> {
  const reader = new ReleaseReader(compiled);
  const change = measureChange(await readPlacedStores(reader), next);
  const figures = await reader.figures();
  return { against, release: compiled.manifest.release, change, figures };
}
