/** Holds what a release looks like, and what it would change, against the rows of the table. */
import type { Figures } from '../compile/count-figures.ts';
import type { Example, Found } from './count-change.ts';
import type { Change, FieldFound } from './measure-change.ts';
import {
  type CountRow,
  type FieldRow,
  LOST,
  type Part,
  ROWS,
  type Row,
  type ShareRow,
  type TextRow,
} from './table.ts';

/** Of fewer stores than this, shares say nothing: only what all of them lose does. */
const FEWEST_FOR_SHARES = 20;

/** What is true of fewer stores is no pattern, unless the limit is 0 or a row says otherwise. */
const FEWEST = 2;

/** How many times more may come together within a day, unless a row says otherwise. */
const IN_A_DAY = 2;

/** Examples that are shown of each row. */
const SHOWN = 2;

/** How far rows are allowed to go, in percent; infinity: anything. */
export type Allowed = ReadonlyMap<string, number>;

/** A release that was live before. */
export interface Base {
  readonly against: 'live' | 'day';
  readonly release: string;
  readonly change: Change;
  readonly figures: Figures;
  /** Rows that are not applied against this release: a change over their limit was published since. */
  readonly exempt: ReadonlySet<string>;
}

/** Why a release should not go live. */
export interface Refusal extends Part {
  readonly name: string;
  /** Against what; `first`: nothing that was live before can be compared with. */
  readonly against: Base['against'] | 'first';
  readonly would: string;
  /** `count` in percent of `of`. */
  readonly share: number;
  /** The share before, where a rise was too high. */
  readonly before: number | null;
  /** What would have been allowed: percent, or percentage points more than before. */
  readonly limit: number;
  /** The least percent, or points, that lets the row pass if it is allowed. */
  readonly enough: number;
  readonly examples: readonly Example[];
}

/** What a row finds, to be held against a limit. */
interface Finding extends Pick<Refusal, 'against' | 'would' | 'before' | 'limit'> {
  readonly found: Found;
  /** The stores for which it has to be allowed, where they are more than those that were found. */
  readonly all?: Found;
  /** Whether there are too few stores for shares. */
  readonly isFew: boolean;
  /** Whether it is refused then, if it is true of all of them. */
  readonly guardsFew?: boolean;
  /** As in the table. */
  readonly fewest?: number;
}

/**
 * What is wrong with `next`, one refusal a row: against the base where it is worst.
 * @param bases none: nothing was live before
 */
export function judge(next: Figures, bases: readonly Base[], allowed: Allowed): Refusal[] {
  return ROWS.flatMap((row) => {
    const [worst] = findingsOf(row, next, bases, allowed)
      .filter(isTooMuch)
      .sort((a, b) => excess(b) - excess(a));
    return worst ? [refusalOf(row.name, worst)] : [];
  });
}

function findingsOf(row: Row, next: Figures, bases: readonly Base[], allowed: Allowed): Finding[] {
  const asked = bases.filter(({ exempt }) => !exempt.has(row.name));
  switch (row.looksAt) {
    case 'share':
      return findShares(row, next, asked, bases.length === 0, allowed);
    case 'field':
      return asked.map((base) => findInField(row, base, allowed));
    default:
      return asked.map((base) => findCounted(row, base, allowed));
  }
}

function findCounted(row: CountRow | TextRow, base: Base, allowed: Allowed): Finding {
  const { against, change } = base;
  const none = { count: 0, of: change.stores, examples: [] };
  return {
    ...row,
    against,
    found:
      row.name === 'changed' ? countChanged(base, allowed) : (change.counts.get(row.name) ?? none),
    before: null,
    limit: limitOf(row, against, allowed),
    isFew: change.stores < FEWEST_FOR_SHARES,
  };
}

/** Stores that have changed in a field whose row has a limit, and was not allowed. */
function countChanged({ change, exempt }: Base, allowed: Allowed): Found {
  const unlimited = new Set(ROWS.filter(({ limit }) => limit === null).map(({ name }) => name));
  const isFree = (name: string) => allowed.has(name) || exempt.has(name) || unlimited.has(name);
  const changed = change.lookedAt.flatMap((store) => {
    const counted = store.entries().find(([name]) => !isFree(name));
    return counted ? [counted[1]] : [];
  });
  return scaled(changed, change);
}

/** What loses a value is looked at first, for less of that is allowed. */
function findInField(row: FieldRow, { against, change }: Base, allowed: Allowed): Finding {
  const found = change.lookedAt.flatMap((store) => store.get(row.name) ?? []);
  const isFew = change.stores < FEWEST_FOR_SHARES;
  const all = scaled(found, change);
  const usual = against === 'day' ? IN_A_DAY * LOST : LOST;
  const lost: Finding = {
    against,
    would: row.lose,
    found: scaled(
      found.filter(({ isLost }) => isLost),
      change,
    ),
    // What is allowed holds for all that changed, of which only some may be lost.
    all,
    before: null,
    limit: Math.max(allowed.get(row.name) ?? 0, usual),
    isFew,
    guardsFew: true,
  };
  if (isTooMuch(lost)) return lost;
  const limit = limitOf(row, against, allowed);
  return { against, would: row.would, found: all, before: null, limit, isFew };
}

function findShares(
  row: ShareRow,
  next: Figures,
  asked: readonly Base[],
  isFirst: boolean,
  allowed: Allowed,
): Finding[] {
  const part = row.measure(next);
  const isFew = part.of < FEWEST_FOR_SHARES;
  const compared =
    isFew && !isFirst ? asked : asked.filter(({ figures }) => figures.stores >= FEWEST_FOR_SHARES);
  // What was live is too small to be compared with, or nothing was.
  if (compared.length === 0 && (isFirst || asked.length > 0)) return findFirst(row, next, allowed);
  return compared.map(({ against, figures, change }) => ({
    ...row,
    against,
    found: { ...part, examples: examplesOf(row.shownBy, change) },
    before: percentOf(row.measure(figures)),
    limit: limitOf(row, against, allowed),
    isFew,
  }));
}

function findFirst(row: ShareRow, next: Figures, allowed: Allowed): Finding[] {
  const { first, name, guardsFew = false } = row;
  if (!first) return [];
  const part = (first.measure ?? row.measure)(next);
  return [
    {
      against: 'first',
      would: first.would ?? row.would,
      found: { ...part, examples: [] },
      before: null,
      limit: allowed.get(name) ?? first.limit,
      isFew: part.of < FEWEST_FOR_SHARES,
      guardsFew,
    },
  ];
}

/** What shows a row that looks at figures: stores that have changed so, or else some that were added. */
function examplesOf(name: string, { counts, lookedAt }: Change): readonly Example[] {
  const changed = lookedAt.flatMap((store) => store.get(name) ?? []);
  const lostFirst = changed.toSorted((a, b) => Number(b.isLost) - Number(a.isLost));
  const counted = counts.get(name)?.examples ?? [];
  const added = counts.get('added')?.examples ?? [];
  return [...counted, ...lostFirst.map(({ example }) => example), ...added];
}

function isTooMuch(finding: Finding): boolean {
  const { found, limit, isFew, guardsFew = false, fewest = FEWEST } = finding;
  const least = isFew ? fewest : Math.max(FEWEST, fewest);
  const isPattern = found.count >= (limit === 0 ? 1 : least);
  const isOfAll = found.of > 0 && found.count === found.of;
  // Equal is not more, whatever rounding makes of it.
  return isPattern && excess(finding) > 1e-9 && (!isFew || (guardsFew && isOfAll));
}

function excess({ found, before, limit }: Finding): number {
  return percentOf(found) - (before ?? 0) - limit;
}

function refusalOf(name: string, { found, all = found, ...finding }: Finding): Refusal {
  const { against, would, before, limit } = finding;
  const { count, of, examples } = found;
  const enough = Math.ceil(percentOf(all) - (before ?? 0));
  const shown = examples.slice(0, SHOWN);
  return {
    ...{ name, against, would, count, of, share: percentOf(found), before, limit, enough },
    examples: shown,
  };
}

function limitOf(
  { name, limit, day, looksAt }: Row,
  against: Base['against'],
  allowed: Allowed,
): number {
  const usual = limit ?? Number.POSITIVE_INFINITY;
  const given = allowed.get(name);
  if (against === 'live') return given ?? usual;
  return Math.max(given ?? 0, day ?? (looksAt === 'share' ? usual : IN_A_DAY * usual));
}

/** What was found in the stores that were looked at, and in how many of all that have changed it would be. */
function scaled(found: readonly FieldFound[], { stores, changedCount, lookedAt }: Change): Found {
  const count = Math.round((found.length * changedCount) / Math.max(1, lookedAt.length));
  return { count, of: stores, examples: found.map(({ example }) => example) };
}

function percentOf({ count, of }: Part): number {
  return of === 0 ? 0 : (100 * count) / of;
}
