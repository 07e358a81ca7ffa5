/** A comparison in words and in figures. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { formatCount, plural, visible } from '../cli/output.ts';
import { type ReleaseDiff, type StoreChange, showValues } from './compare-releases.ts';

/** Stores of each kind that are named. */
export const MAX_SHOWN = 10;

/** Values that are shown of a store, and stores that are named in a warning. */
const MAX_NAMED = 5;

/** A changed store as reports show it, with what stood there and what stands there now. */
export type DetailedChange = ReturnType<typeof describeChange>;

export type DiffFigures = ReturnType<typeof diffFigures>;

/** Returns a comparison with how many stores there are of each kind, in place of their lists. */
export function diffFigures({ added, removed, changed, lookedAt, ...figures }: ReleaseDiff) {
  const fields = [...Map.groupBy(lookedAt.flat(), (path) => path)].map(([path, { length }]) => {
    return [path, length] as const;
  });
  return {
    ...figures,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    /** Changed stores that were looked at: all, or a sample. */
    lookedAt: lookedAt.length,
    /** How many of them differ in each field, the most frequent first. */
    changedFields: Object.fromEntries(fields.sort(([, a], [, b]) => b - a)),
  };
}

/** Returns a warning about stores that names the first; none where there are none. @param count of all of them */
export function warnOf(ids: readonly string[], words: string, count = ids.length): string[] {
  if (count === 0) return [];
  return [`warning: ${plural(count, 'store')} ${words}: ${nameFirst(ids, count)}`];
}

function nameFirst(words: readonly string[], count = words.length): string {
  const named = words.slice(0, MAX_NAMED);
  return named.join(', ') + (count > named.length ? ', …' : '');
}

/** Says what would change, in a few lines. */
export function summarizeDiff(figures: DiffFigures): string {
  const { live, release, stores, liveStores, added, removed, changed, lookedAt } = figures;
  if (live === null) {
    return `Nothing is live yet: ${stores === 1 ? '1 store is' : `all ${plural(stores, 'store')} are`} new`;
  }
  if (live === release) return `Live release ${live} has exactly these stores`;
  const fields = Object.entries(figures.changedFields).map(([path, count]) => {
    return `${path} ${formatCount(count)}`;
  });
  const named = nameFirst(fields);
  const where = changed === lookedAt ? named : `of ${lookedAt} looked at: ${named}`;
  const changes = `${formatCount(changed)} changed${changed === 0 ? '' : ` (${where})`}`;
  return `Against live release ${live} (${plural(liveStores, 'store')}): ${formatCount(added)} added, ${formatCount(removed)} removed, ${changes}`;
}

/**
 * Returns the summary, and the first stores of each kind by name.
 * @param detailed the first changed stores, with their values
 */
export function describeDiff(diff: ReleaseDiff, detailed: readonly DetailedChange[]): string {
  // Of a first release every store is new, which the summary says.
  const added = diff.live === null ? [] : diff.added;
  return [
    summarizeDiff(diffFigures(diff)),
    ...listStores('+', added),
    ...listStores('-', diff.removed),
    ...listStores('~', detailed, diff.changed.length),
  ].join('\n');
}

/** Yields the first stores of a kind, changed ones with their values. @param count of all of them */
function* listStores(
  sign: string,
  stores: readonly (StoreName & Partial<DetailedChange>)[],
  count = stores.length,
): Generator<string> {
  const shown = stores.slice(0, MAX_SHOWN);
  for (const [index, { id, slug, values = [] }] of shown.entries()) {
    if (index === 0) yield '';
    yield `${sign}  ${id}  ${visible(slug)}`;
    for (const { path, language, ...value } of values.slice(0, MAX_NAMED)) {
      yield `     ${describeValue(language === null ? path : `${path} (${language})`, value)}`;
    }
    const hidden = values.length - MAX_NAMED;
    if (hidden > 0) yield `     … and ${plural(hidden, 'more value')}`;
  }
  const hidden = count - shown.length;
  if (hidden > 0) yield `  … and ${formatCount(hidden)} more (--json names all)`;
}

/** Returns a change with its values as reports show them. */
export function describeChange({ store, differences }: StoreChange) {
  const values = differences.map(({ before, after, ...where }) => {
    return { ...where, ...showValues(before, after) };
  });
  return { ...store, values };
}

/** Describes a value and what it would become. It is foreign text: nothing in it may reach a terminal as it is. */
export function describeValue(
  where: string,
  { before, after }: ReturnType<typeof showValues>,
): string {
  return visible(`${where}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}
