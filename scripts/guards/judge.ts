/** Holds what a release looks like, and what it would change, against the guards' limits. */
import type { Figures } from '../compile/count-figures.ts';
import {
  type Bounds,
  type Change,
  GUARD_CODES,
  GUARDS,
  type Guard,
  type GuardCode,
  type Limits,
  type Part,
} from './guards.ts';

/** Of fewer stores than this, shares say nothing: only what all of them lose does. */
const FEWEST_FOR_SHARES = 20;

/**
 * What is true of one store alone is no pattern, whatever share of a small directory it is; unless
 * the bound is 0, which means none at all.
 */
const FEWEST = 2;

/** A release that was live before. */
export interface Base {
  readonly against: 'live' | 'day';
  readonly release: string;
  readonly change: Change;
  readonly figures: Figures;
  /** Guards that are not applied against this release: a change over their limit was published since. */
  readonly exempt?: ReadonlySet<GuardCode>;
}

/** Why a release should not go live. */
export interface Refusal {
  readonly code: GuardCode;
  /** Against what; `first`: nothing that was live before can be compared with. */
  readonly against: Base['against'] | 'first';
  readonly count: number;
  readonly of: number;
  /** `count` in percent of `of`. */
  readonly share: number;
  /** The share before, where a rise was too high. */
  readonly before: number | null;
  /** What would have been allowed: percent, or percentage points more than before. */
  readonly limit: number;
}

/**
 * What is wrong with `next`, one refusal a guard: against the base where it is worst.
 * @param bases none: nothing was live before
 */
export function judge(next: Figures, bases: readonly Base[], limits: Limits): Refusal[] {
  return GUARD_CODES.flatMap((code) => {
    const asked = bases.filter(({ exempt }) => !exempt?.has(code));
    const refusals = judgeBy(GUARDS[code], limits[code], next, asked, bases.length === 0);
    const [worst] = refusals.sort((a, b) => excess(b) - excess(a));
    return worst ? [{ code, ...worst }] : [];
  });
}

type Verdict = Omit<Refusal, 'code'>;

function judgeBy(
  guard: Guard,
  bounds: Bounds,
  next: Figures,
  bases: readonly Base[],
  isFirst: boolean,
): Verdict[] {
  if (guard.looksAt === 'change') {
    return bases.flatMap((base) => judgeChange(guard, bounds, base));
  }
  const compared = bases.filter(({ figures }) => figures.stores >= FEWEST_FOR_SHARES);
  const isFew = guard.measure(next).of < FEWEST_FOR_SHARES;
  if (isFew && !isFirst) return bases.flatMap((base) => judgeLoss(guard, bounds, next, base));
  if (compared.length === 0 && (isFirst || bases.length > 0))
    return judgeFirst(guard, bounds, next);
  return compared.flatMap((base) => judgeRise(guard, bounds, next, base));
}

function judgeChange(
  guard: Extract<Guard, { looksAt: 'change' }>,
  bounds: Bounds,
  { against, change }: Base,
): Verdict[] {
  const part = guard.measure(change);
  const limit = bounds[against];
  const isLost = guard.guardsFew && isAll(part) && limit < 100;
  const isTooMuch = part.of >= FEWEST_FOR_SHARES && exceeds(part, limit, 0);
  return isLost || isTooMuch ? [verdict(against, part, null, limit)] : [];
}

function judgeRise(
  { measure }: Extract<Guard, { looksAt: 'share' }>,
  bounds: Bounds,
  next: Figures,
  { against, figures }: Base,
): Verdict[] {
  const part = measure(next);
  const before = percentOf(measure(figures));
  const limit = bounds[against];
  return exceeds(part, limit, before) ? [verdict(against, part, before, limit)] : [];
}

/** Of few stores, whether all have lost what not all lacked before. */
function judgeLoss(
  { measure, guardsFew }: Extract<Guard, { looksAt: 'share' }>,
  bounds: Bounds,
  next: Figures,
  { against, figures }: Base,
): Verdict[] {
  const part = measure(next);
  const before = percentOf(measure(figures));
  if (!guardsFew || !isAll(part) || !exceeds(part, bounds[against], before)) return [];
  return [verdict(against, part, before, bounds[against])];
}

function judgeFirst(
  { measure, first, guardsFew }: Extract<Guard, { looksAt: 'share' }>,
  { first: limit }: Bounds,
  next: Figures,
): Verdict[] {
  const part = (first?.measure ?? measure)(next);
  if (limit === null || !exceeds(part, limit, 0)) return [];
  if (part.of < FEWEST_FOR_SHARES && !(guardsFew && isAll(part))) return [];
  return [verdict('first', part, null, limit)];
}

function verdict(
  against: Verdict['against'],
  part: Part,
  before: number | null,
  limit: number,
): Verdict {
  return { against, ...part, share: percentOf(part), before, limit };
}

/** Whether a share is more than `limit` points above `before`; equal is not more, whatever rounding makes of it. */
function exceeds(part: Part, limit: number, before: number): boolean {
  return part.count >= (limit === 0 ? 1 : FEWEST) && percentOf(part) - before > limit + 1e-9;
}

function excess({ share, before, limit }: Verdict): number {
  return share - (before ?? 0) - limit;
}

function isAll({ count, of }: Part): boolean {
  return of > 0 && count === of;
}

function percentOf({ count, of }: Part): number {
  return of === 0 ? 0 : (100 * count) / of;
}
