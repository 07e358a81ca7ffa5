/** Holds what a release looks like, and what it would change, against the rows of the table. */
import type { Figures } from '../compile/count-figures.ts';
import type { Change, Example, FieldFound, Found } from './measure-change.ts';
import { type FieldRow, LOST, type Part, ROWS, type Row, type ShareRow } from './table.ts';

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
export interface Base extends Change {
  readonly against: 'live' | 'day';
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

/**
 * What is wrong with `next`, one refusal a row: against the base where it is worst.
 * @param bases none: nothing was live before
 */
export function judge(next: Figures, bases: readonly Base[], allowed: Allowed): Refusal[] {
  return ROWS.flatMap((row) => {
    const [worst] = findRefusals(row, next, bases, allowed).sort((a, b) => excess(b) - excess(a));
    return worst ?? [];
  });
}

function findRefusals(row: Row, next: Figures, bases: readonly Base[], allowed: Allowed) {
  const asked = bases.filter(({ exempt }) => !exempt.has(row.name));
  switch (row.looksAt) {
    case 'share':
      return judgeShares(row, next, asked, bases.length === 0, allowed);
    case 'field':
      return asked.flatMap((base) => judgeField(row, base, allowed));
    default:
      return asked.flatMap((base) => judgeCounted(row, base, allowed));
  }
}

function judgeCounted(row: Row, base: Base, allowed: Allowed): Refusal[] {
  const { against, counts, diff } = base;
  const found =
    row.name === 'changed' ? countChanged(base, allowed) : (counts.get(row.name) as Found);
  return refuse(row, against, found, allowed, { stores: diff.liveStores });
}

/** Stores that have changed in a field whose row has a limit, and was not allowed. */
function countChanged(base: Base, allowed: Allowed): Found {
  const unlimited = new Set(ROWS.filter(({ limit }) => limit === null).map(({ name }) => name));
  const isFree = (name: string) =>
    allowed.has(name) || base.exempt.has(name) || unlimited.has(name);
  const changed = base.lookedAt.flatMap((store) => {
    const counted = store.entries().find(([name]) => !isFree(name));
    return counted ? [counted[1]] : [];
  });
  return scaled(changed, base);
}

/** What loses a value is looked at first, for less of that is allowed. */
function judgeField(row: FieldRow, base: Base, allowed: Allowed): Refusal[] {
  const { against, lookedAt, diff } = base;
  const stores = diff.liveStores;
  const found = lookedAt.flatMap((store) => store.get(row.name) ?? []);
  const all = scaled(found, base);
  const lost = scaled(
    found.filter(({ isLost }) => isLost),
    base,
  );
  const losing = { ...row, would: row.lose, limit: LOST, guardsFew: true };
  // What is allowed holds for all that changed, of which only some may be lost.
  const refusals = refuse(losing, against, lost, allowed, { stores, all });
  return refusals.length > 0 ? refusals : refuse(row, against, all, allowed, { stores });
}

function judgeShares(
  row: ShareRow,
  next: Figures,
  asked: readonly Base[],
  isFirst: boolean,
  allowed: Allowed,
): Refusal[] {
  const part = row.measure(next);
  const isFew = part.of < FEWEST_FOR_SHARES;
  const compared = asked.filter(({ figures }) => isFew || figures.stores >= FEWEST_FOR_SHARES);
  // What was live is too small to be compared with, or nothing was.
  if (compared.length === 0 && (isFirst || asked.length > 0)) return judgeFirst(row, next, allowed);
  return compared.flatMap((base) => {
    const { against, figures } = base;
    const found = { ...part, examples: examplesOf(row.shownBy, base) };
    const before = percentOf(row.measure(figures));
    return refuse(row, against, found, allowed, { stores: part.of, before });
  });
}

function judgeFirst(row: ShareRow, next: Figures, allowed: Allowed): Refusal[] {
  if (!row.first) return [];
  const actual = { ...row, ...row.first };
  const part = actual.measure(next);
  const found = { ...part, examples: [] };
  return refuse(actual, 'first', found, allowed, { stores: part.of });
}

/** What shows a row that looks at figures: stores that have changed so, or else some that were added. */
function examplesOf(name: string, { counts, lookedAt }: Change): readonly Example[] {
  const changed = lookedAt.flatMap((store) => store.get(name) ?? []);
  const lostFirst = changed.toSorted((a, b) => Number(b.isLost) - Number(a.isLost));
  const counted = counts.get(name)?.examples ?? [];
  const added = counts.get('added')?.examples ?? [];
  return [...counted, ...lostFirst.map(({ example }) => example), ...added];
}

interface Circumstances {
  /** Of how many it is said: of few, shares say nothing. */
  readonly stores: number;
  /** The share before, where a rise is judged. */
  readonly before?: number | null;
  /** The stores for which it has to be allowed, where they are more than those that were found. */
  readonly all?: Found;
}

/** Refuses what was found if it is too much. */
function refuse(
  row: Row,
  against: Refusal['against'],
  found: Found,
  allowed: Allowed,
  { stores, before = null, all = found }: Circumstances,
): Refusal[] {
  const { name, would, guardsFew = false, fewest = FEWEST } = row;
  const { count, of, examples } = found;
  const limit = limitOf(row, against, allowed);
  const enough = Math.ceil(percentOf(all) - (before ?? 0));
  const refusal: Refusal = {
    ...{ name, against, would, count, of, share: percentOf(found), before, limit, enough },
    examples: examples.slice(0, SHOWN),
  };
  const isFew = stores < FEWEST_FOR_SHARES;
  const least = isFew ? fewest : Math.max(FEWEST, fewest);
  const isPattern = count >= (limit === 0 ? 1 : least);
  const isOfAll = of > 0 && count === of;
  // Equal is not more, whatever rounding makes of it.
  const isTooMuch = excess(refusal) > 1e-9 && (!isFew || (guardsFew && isOfAll));
  return isPattern && isTooMuch ? [refusal] : [];
}

function excess({ share, before, limit }: Refusal): number {
  return share - (before ?? 0) - limit;
}

function limitOf(
  { name, limit, day, looksAt }: Row,
  against: Refusal['against'],
  allowed: Allowed,
): number {
  const usual = limit ?? Number.POSITIVE_INFINITY;
  const given = allowed.get(name);
  if (against !== 'day') return given ?? usual;
  return Math.max(given ?? 0, day ?? (looksAt === 'share' ? usual : IN_A_DAY * usual));
}

/** What was found in the stores that were looked at, and in how many of all that have changed it would be. */
function scaled(found: readonly FieldFound[], { diff, lookedAt }: Change): Found {
  const count = Math.round((found.length * diff.changed.length) / Math.max(1, lookedAt.length));
  return { count, of: diff.liveStores, examples: found.map(({ example }) => example) };
}

function percentOf({ count, of }: Part): number {
  return of === 0 ? 0 : (100 * count) / of;
}
