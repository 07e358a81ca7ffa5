/** Holds what a release looks like, and what it would change, against the rows of the table. */
import type { Figures } from '../compile/count-figures.ts';
import type { Change, Example, FieldFound, Found } from './measure-change.ts';
import {
  type FieldRow,
  LOST,
  type Part,
  ROWS,
  type Row,
  type ShareRow,
  type VerticaleRow,
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
  /** The least percent, or points, that lets the row pass if it is allowed: the same in each of its refusals. */
  readonly enough: number;
  readonly examples: readonly Example[];
}

/** A refusal before it is known what lets its row pass. */
type FoundRefusal = Omit<Refusal, 'enough'>;

/**
 * Returns what is wrong with `next`. A row has a refusal for each thing that would become of too many stores, such as
 * each verticale that they would lose, against the base where that is worst. Its `enough` lets all of that pass.
 * @param bases none: nothing was live before
 */
export function judge(next: Figures, bases: readonly Base[], allowed: Allowed): Refusal[] {
  return ROWS.flatMap((row) => {
    const find = (limits: Allowed) => findRefusals(row, next, bases, limits);
    const found = find(allowed);
    let enough = 0;
    // A limit that is given holds for all that the row looks at, also where it is below the usual one.
    for (let left = found; left.length > 0; left = find(new Map(allowed).set(row.name, enough))) {
      enough = Math.ceil(Math.max(...left.map(rise)));
    }
    const named = Map.groupBy(found, ({ would }) => would).values();
    return [...named].flatMap((same) => {
      const [worst] = same.sort((a, b) => rise(b) - rise(a));
      return worst ? { ...worst, enough } : [];
    });
  });
}

function findRefusals(row: Row, next: Figures, bases: readonly Base[], allowed: Allowed) {
  const asked = bases.filter(({ exempt }) => !exempt.has(row.name));
  switch (row.looksAt) {
    case 'share':
      return judgeShares(row, next, asked, bases.length === 0, allowed);
    case 'verticale':
      return asked.flatMap((base) => judgeVerticales(row, base, allowed));
    case 'field':
      return asked.flatMap((base) => judgeField(row, base, allowed));
    default:
      return asked.flatMap((base) => judgeCounted(row, base, allowed));
  }
}

function judgeCounted(row: Row, base: Base, allowed: Allowed): FoundRefusal[] {
  const { against, counts, diff } = base;
  const found =
    row.name === 'changed' ? countChanged(base, allowed) : (counts.get(row.name) as Found);
  return refuse(row, against, found, allowed, { stores: diff.liveStores });
}

function judgeVerticales(row: VerticaleRow, base: Base, allowed: Allowed): FoundRefusal[] {
  const { against, lostVerticales, diff } = base;
  return lostVerticales.flatMap(({ verticale, ...found }) => {
    const losing = { ...row, would: row.lose(verticale) };
    return refuse(losing, against, found, allowed, { stores: diff.liveStores });
  });
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

/** Less is allowed of what loses a value. */
function judgeField(row: FieldRow, base: Base, allowed: Allowed): FoundRefusal[] {
  const { against, lookedAt, diff } = base;
  const stores = diff.liveStores;
  const found = lookedAt.flatMap((store) => store.get(row.name) ?? []);
  const all = scaled(found, base);
  const lost = scaled(
    found.filter(({ isLost }) => isLost),
    base,
  );
  const losing = { ...row, would: row.lose, limit: LOST, guardsFew: true };
  const refusals = refuse(losing, against, lost, allowed, { stores });
  // Where all that change lose it, they are named once.
  if (refusals.length > 0 && lost.count === all.count) return refusals;
  return [...refusals, ...refuse(row, against, all, allowed, { stores })];
}

function judgeShares(
  row: ShareRow,
  next: Figures,
  asked: readonly Base[],
  isFirst: boolean,
  allowed: Allowed,
): FoundRefusal[] {
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

function judgeFirst(row: ShareRow, next: Figures, allowed: Allowed): FoundRefusal[] {
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
}

/** Refuses what was found if it is too much. */
function refuse(
  row: Row,
  against: Refusal['against'],
  found: Found,
  allowed: Allowed,
  { stores, before = null }: Circumstances,
): FoundRefusal[] {
  const { name, would, guardsFew = false, fewest = FEWEST } = row;
  const { count, of, examples } = found;
  const limit = limitOf(row, against, allowed);
  const refusal = {
    ...{ name, against, would, count, of, share: percentOf(found), before, limit },
    examples: examples.slice(0, SHOWN),
  };
  const isFew = stores < FEWEST_FOR_SHARES;
  const least = isFew ? fewest : Math.max(FEWEST, fewest);
  const isPattern = count >= (limit === 0 ? 1 : least);
  const isOfAll = of > 0 && count === of;
  // Equal is not more, whatever rounding makes of it.
  const isTooMuch = rise(refusal) - limit > 1e-9 && (!isFew || (guardsFew && isOfAll));
  return isPattern && isTooMuch ? [refusal] : [];
}

/** Percent, or points more than before: what has to be allowed. */
function rise({ share, before }: FoundRefusal): number {
  return share - (before ?? 0);
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
