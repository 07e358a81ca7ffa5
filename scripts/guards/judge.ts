/** Holds what a release looks like, and what it would change, against the rows of the table. */
import type { Figures } from '../compile/count-figures.ts';
import type { Example } from './count-change.ts';
import type { Change } from './measure-change.ts';
import { type FieldRow, LOST, type Part, ROWS, type Row, type ShareRow } from './table.ts';

/** Of fewer stores than this, shares say nothing: only what all of them lose does. */
const FEWEST_FOR_SHARES = 20;

/** What is true of fewer stores is no pattern, unless the limit is 0. Two addresses may be shown again. */
const FEWEST = 2;
const FEWEST_SHOWN = 3;

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

type Verdict = Omit<Refusal, 'name'>;

/**
 * What is wrong with `next`, one refusal a row: against the base where it is worst.
 * @param bases none: nothing was live before
 */
export function judge(next: Figures, bases: readonly Base[], allowed: Allowed): Refusal[] {
  return ROWS.flatMap((row) => {
    const { name } = row;
    const asked = bases.filter(({ exempt }) => !exempt.has(name));
    const verdicts =
      row.looksAt === 'share'
        ? judgeShare(row, next, asked, bases.length === 0, allowed)
        : asked.flatMap((base) => judgeBase(row, base, allowed));
    const [worst] = verdicts.sort((a, b) => excess(b) - excess(a));
    return worst ? [{ name, ...worst }] : [];
  });
}

function judgeBase(row: Exclude<Row, ShareRow>, base: Base, allowed: Allowed): Verdict[] {
  if (row.looksAt === 'field') return judgeField(row, base, allowed);
  const { against, change, exempt } = base;
  const found =
    row.name === 'changed'
      ? countChanged(change, (name) => allowed.has(name) || exempt.has(name))
      : (change.counts.get(row.name) ?? { count: 0, of: change.stores, examples: [] });
  const limit = limitOf(row, against, allowed);
  const isLost = row.looksAt === 'count' && row.guardsFew && isAll(found) && limit < 100;
  const least = row.name === 'shown' ? FEWEST_SHOWN : FEWEST;
  const isTooMuch = change.stores >= FEWEST_FOR_SHARES && exceeds(found, limit, 0, least);
  return isLost || isTooMuch
    ? [verdict(against, found, row.would, null, limit, found.examples)]
    : [];
}

/** Stores that have changed in a field whose row was not allowed. */
function countChanged(change: Change, isAllowed: (name: string) => boolean) {
  const free = new Set(ROWS.filter(({ limit }) => limit === null).map(({ name }) => name));
  const examples = change.lookedAt.flatMap((store) => {
    const counted = [...store].find(([name]) => !isAllowed(name) && !free.has(name));
    return counted ? [counted[1].example] : [];
  });
  return { count: scaled(examples.length, change), of: change.stores, examples };
}

function judgeField(row: FieldRow, { against, change }: Base, allowed: Allowed): Verdict[] {
  const found = change.lookedAt.flatMap((store) => store.get(row.name) ?? []);
  const lost = found.filter(({ isLost }) => isLost);
  const partOf = ({ length }: readonly unknown[]) => ({
    count: scaled(length, change),
    of: change.stores,
  });
  const tell = (those: typeof found, would: string, most: number) => {
    const examples = those.map(({ example }) => example);
    // What is allowed holds for all that changed, of which only some may be lost.
    return [verdict(against, partOf(those), would, null, most, examples, partOf(found))];
  };
  const limit = limitOf(row, against, allowed);
  const usualLost = against === 'day' ? IN_A_DAY * LOST : LOST;
  const limitLost = Math.max(allowed.get(row.name) ?? 0, usualLost);
  const isFew = change.stores < FEWEST_FOR_SHARES;
  const isTooLost = isFew
    ? isAll(partOf(lost)) && change.stores >= FEWEST && limitLost < 100
    : exceeds(partOf(lost), limitLost, 0);
  if (isTooLost) return tell(lost, row.lose, limitLost);
  return isFew || !exceeds(partOf(found), limit, 0) ? [] : tell(found, row.would, limit);
}

function judgeShare(
  row: ShareRow,
  next: Figures,
  bases: readonly Base[],
  isFirst: boolean,
  allowed: Allowed,
): Verdict[] {
  const compared = bases.filter(({ figures }) => figures.stores >= FEWEST_FOR_SHARES);
  const isFew = row.measure(next).of < FEWEST_FOR_SHARES;
  if (!isFirst && isFew) return bases.flatMap((base) => judgeRise(row, next, base, allowed, true));
  if (compared.length === 0 && (isFirst || bases.length > 0)) return judgeFirst(row, next, allowed);
  return compared.flatMap((base) => judgeRise(row, next, base, allowed, false));
}

/** Of few stores, only what all have come to is refused. */
function judgeRise(
  row: ShareRow,
  next: Figures,
  { against, figures, change }: Base,
  allowed: Allowed,
  isFew: boolean,
): Verdict[] {
  const part = row.measure(next);
  const before = percentOf(row.measure(figures));
  const limit = limitOf(row, against, allowed);
  if (!exceeds(part, limit, before) || (isFew && !(row.guardsFew && isAll(part)))) return [];
  return [verdict(against, part, row.would, before, limit, examplesOf(row.shownBy, change))];
}

/** What shows a row that looks at figures: stores that have changed so, or else some that were added. */
function examplesOf(name: string, { counts, lookedAt }: Change): readonly Example[] {
  const changed = lookedAt.flatMap((store) => store.get(name) ?? []);
  const lostFirst = changed.toSorted((a, b) => Number(b.isLost) - Number(a.isLost));
  const counted = counts.get(name)?.examples ?? [];
  const added = counts.get('added')?.examples ?? [];
  return [...counted, ...lostFirst.map(({ example }) => example), ...added];
}

function judgeFirst(row: ShareRow, next: Figures, allowed: Allowed): Verdict[] {
  const { first } = row;
  if (!first) return [];
  const part = (first.measure ?? row.measure)(next);
  const limit = allowed.get(row.name) ?? first.limit;
  if (!exceeds(part, limit, 0)) return [];
  if (part.of < FEWEST_FOR_SHARES && !(row.guardsFew && isAll(part))) return [];
  return [verdict('first', part, first.would ?? row.would, null, limit, [])];
}

function verdict(
  against: Verdict['against'],
  { count, of }: Part,
  would: string,
  before: number | null,
  limit: number,
  examples: readonly Example[],
  all: Part = { count, of },
): Verdict {
  const share = percentOf({ count, of });
  const enough = Math.ceil(percentOf(all) - (before ?? 0));
  const shown = examples.slice(0, SHOWN);
  return { against, would, count, of, share, before, limit, enough, examples: shown };
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

/** Of a sample, how many stores it stands for. */
function scaled(count: number, { changedCount, lookedAt }: Change): number {
  return lookedAt.length === 0 ? 0 : Math.round((count * changedCount) / lookedAt.length);
}

/** Whether a share is more than `limit` points above `before`; equal is not more, whatever rounding makes of it. */
function exceeds(part: Part, limit: number, before: number, fewest = FEWEST): boolean {
  return part.count >= (limit === 0 ? 1 : fewest) && percentOf(part) - before > limit + 1e-9;
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
