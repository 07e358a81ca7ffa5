/** A comparison in words and in figures. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { formatCount, formatTable, plural, visible } from '../cli/output.ts';
import { type ReleaseDiff, type StoreChange, showValues } from './compare-releases.ts';

/** Stores of each kind that are named. */
export const MAX_SHOWN = 10;

/** Values that are shown of a store. */
const MAX_VALUES = 5;

/** Stores that are named in a warning. */
const MAX_NAMED = 5;

/** Fewer changes than this have no pattern. */
const MIN_FOR_PATTERN = 3;

/** A changed store as reports show it, with what stood there and what stands there now. */
export type DetailedChange = ReturnType<typeof describeChange>;

/** Returns a comparison with how many stores there are of each kind, in place of their lists. */
export function diffFigures(diff: ReleaseDiff) {
  const { added, removed, changed, lookedAt, ...figures } = diff;
  const { isWhole, fields, soleField } = patternOf(diff);
  return {
    ...figures,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    /** Stores that changed in each field, the most frequent first; null: not all were looked at. */
    changedFields: isWhole ? Object.fromEntries(fields) : null,
    soleField,
  };
}

/** Counts the changed stores by their fields, and finds the value that alone makes most of the changes, if one does. */
function patternOf({ changed, lookedAt }: ReleaseDiff) {
  const alone = lookedAt.filter(({ length }) => length === 1);
  const [[path, stores] = ['', 0]] = countEach(alone.flat());
  const isPattern = lookedAt.length >= MIN_FOR_PATTERN && stores > lookedAt.length / 2;
  return {
    /** Whether every changed store was looked at. */
    isWhole: changed.length === lookedAt.length,
    fields: countEach(lookedAt.flatMap(fieldsOf)),
    soleField: isPattern ? { path, stores } : null,
  };
}

/** Returns the top-level fields in which a store differs. */
function fieldsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('.')[0] as string))];
}

/** Counts words, the most frequent first. */
function countEach(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Returns a warning about stores that names the first; none where there are none. @param count of all of them */
export function warnOf(ids: readonly string[], words: string, count = ids.length): string[] {
  if (count === 0) return [];
  const named = ids.slice(0, MAX_NAMED);
  const more = count > named.length ? ', …' : '';
  return [`warning: ${plural(count, 'store')} ${words}: ${named.join(', ')}${more}`];
}

/** Says what would change, in a few lines. */
export function summarizeDiff(diff: ReleaseDiff): string {
  const { live, release, stores, added, removed, changed, lookedAt } = diff;
  if (live === null) {
    return `Nothing is live yet: ${stores === 1 ? '1 store is' : `all ${plural(stores, 'store')} are`} new`;
  }
  if (live === release) return `Live release ${live} has exactly these stores`;
  const pattern = patternOf(diff);
  const fields = pattern.fields
    .map(([field, count]) => `${field} ${formatCount(count)}`)
    .join(', ');
  const some = `(of ${lookedAt.length} looked at: ${fields}; snapshot diff looks at all)`;
  const rows = [
    ['  added', formatCount(added.length), ''],
    ['  removed', formatCount(removed.length), ''],
    ['  changed', formatCount(changed.length), pattern.isWhole ? fields : some],
  ];
  const lines = [
    `Against live release ${live} (${plural(diff.liveStores, 'store')}):`,
    formatTable(rows),
  ];
  const sole = pattern.soleField;
  if (sole) {
    const share = `${formatCount(sole.stores)} of ${plural(lookedAt.length, 'changed store')}`;
    lines.push(
      `  ${visible(sole.path)} alone makes most of the changes: in ${share} nothing else differs.`,
      '  Each of them is uploaded, and partners are told of it. Is it meant to change by itself?',
    );
  }
  return lines.join('\n');
}

/**
 * Returns the summary, and the first stores of each kind by name.
 * @param detailed the first changed stores, with their values
 */
export function describeDiff(diff: ReleaseDiff, detailed: readonly DetailedChange[]): string {
  // Of a first release every store is new, which the summary says.
  const added = diff.live === null ? [] : diff.added;
  const lists = [
    listStores('+', added),
    listStores('-', diff.removed),
    listStores('~', detailed, diff.changed.length),
  ];
  return [summarizeDiff(diff), ...lists.filter((list) => list !== '')].join('\n\n');
}

/** Returns the first stores of a kind, changed ones with their fields and values. @param count of all of them */
function listStores(
  sign: string,
  stores: readonly (StoreName & Partial<DetailedChange>)[],
  count = stores.length,
): string {
  const shown = stores.slice(0, MAX_SHOWN);
  const rows = shown.map(({ id, slug, fields = [] }) => {
    return [sign, id, visible(slug), fields.join(', ')];
  });
  const titles = formatTable(rows).split('\n');
  const lines: string[] = [];
  for (const [index, { values = [] }] of shown.entries()) {
    lines.push(titles[index] as string);
    for (const { path, language, ...value } of values.slice(0, MAX_VALUES)) {
      const where = language === null ? path : `${path} (${language})`;
      lines.push(`     ${describeValue(where, value)}`);
    }
    const hidden = values.length - MAX_VALUES;
    if (hidden > 0) lines.push(`     … and ${plural(hidden, 'more value')}`);
  }
  const hidden = count - shown.length;
  if (hidden > 0) lines.push(`  … and ${formatCount(hidden)} more (--json names all)`);
  return lines.join('\n');
}

/** Returns a change with its values as reports show them. */
export function describeChange({ store, paths, differences }: StoreChange) {
  const values = differences.map(({ path, language, before, after }) => {
    return { path, language, ...showValues(before, after) };
  });
  return { ...store, fields: fieldsOf(paths), values };
}

/** Describes a value and what it would become. It is foreign text: nothing in it may reach a terminal as it is. */
export function describeValue(
  where: string,
  { before, after }: ReturnType<typeof showValues>,
): string {
  return visible(`${where}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}
