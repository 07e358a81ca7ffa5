/** A comparison in words and in figures. */
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { formatTable, visible } from '../cli/output.ts';
import { formatCount, plural } from '../cli/progress.ts';
import type { ReleaseDiff } from './diff-releases.ts';
import type { ChangedFields, DetailedChange } from './read-changes.ts';

/** Stores of each kind that are named. */
export const MAX_SHOWN = 10;

/** Values that are shown of a store. */
const MAX_VALUES = 5;

/** Fewer changes than this have no pattern. */
const MIN_FOR_PATTERN = 3;

/** A comparison, with what was found in the changed stores whose records were read: all, or a sample. */
export interface ReadDiff extends ReleaseDiff {
  readonly lookedAt: readonly ChangedFields[];
}

/** Returns a comparison with how many stores there are of each kind, in place of their lists. */
export function diffFigures(diff: ReadDiff) {
  const { added, removed, changed, lookedAt, ...figures } = diff;
  return {
    ...figures,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    /** Stores that changed in each field, the most frequent first; null: not all were looked at. */
    changedFields: isWhole(diff) ? Object.fromEntries(countFields(diff)) : null,
    soleField: findSoleField(diff),
  };
}

/** Whether every changed store was looked at. */
function isWhole({ changed, lookedAt }: ReadDiff): boolean {
  return changed.length === lookedAt.length;
}

function countFields({ lookedAt }: ReadDiff): [string, number][] {
  return countEach(lookedAt.flatMap(({ fields }) => fields));
}

/** Finds the field that alone makes most of the changes; null when no field does. */
function findSoleField({ lookedAt }: ReadDiff) {
  const [most] = countEach(lookedAt.flatMap(({ soleField }) => soleField ?? []));
  const { length } = lookedAt;
  if (!most || length < MIN_FOR_PATTERN || most[1] <= length / 2) return null;
  const [path, stores] = most;
  return { path, stores };
}

/** Counts words, the most frequent first. */
function countEach(words: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(words, (word) => word)].map(
    ([word, { length }]): [string, number] => [word, length],
  );
  return counts.sort(([, a], [, b]) => b - a);
}

/** Stores that are named in a warning. */
const MAX_NAMED = 5;

/** A warning about stores that names the first; none where there are none. @param count of all of them */
export function warnOf(ids: readonly string[], words: string, count = ids.length): string[] {
  if (count === 0) return [];
  const named = ids.slice(0, MAX_NAMED);
  const more = count > named.length ? ', …' : '';
  return [`warning: ${plural(count, 'store')} ${words}: ${named.join(', ')}${more}`];
}

/** What would change, in a few lines. */
export function summarizeDiff(diff: ReadDiff): string {
  const { live, release, added, removed, changed, lookedAt } = diff;
  if (live === null) {
    const all = diff.stores === 1 ? '1 store is' : `all ${plural(diff.stores, 'store')} are`;
    return `Nothing is live yet: ${all} new`;
  }
  if (live === release) return `Live release ${live} has exactly these stores`;
  const fields = countFields(diff)
    .map(([field, count]) => `${field} ${formatCount(count)}`)
    .join(', ');
  const some = `(of ${lookedAt.length} looked at: ${fields}; snapshot diff looks at all)`;
  const rows = [
    ['added', formatCount(added.length), ''],
    ['removed', formatCount(removed.length), ''],
    ['changed', formatCount(changed.length), isWhole(diff) ? fields : some],
  ];
  const title = `Against live release ${live} (${plural(diff.liveStores, 'store')}):`;
  return [`${title}\n${indent(formatTable(rows))}`, ...describeSoleField(diff)].join('\n');
}

function describeSoleField(diff: ReadDiff): string[] {
  const soleField = findSoleField(diff);
  if (!soleField) return [];
  const { path, stores } = soleField;
  const share = `${formatCount(stores)} of ${plural(diff.lookedAt.length, 'changed store')}`;
  return [
    `  ${visible(path)} alone makes most of the changes: in ${share} nothing else differs.`,
    '  Each of them is uploaded, and partners are told of it. Is it meant to change by itself?',
  ];
}

/**
 * The summary, and the first stores of each kind by name.
 * @param detailed the first changed stores, with their values
 */
export function describeDiff(diff: ReadDiff, detailed: readonly DetailedChange[]): string {
  // Of a first release every store is new, which the summary says.
  const added = diff.live === null ? [] : diff.added;
  const lists = [
    listStores('+', added),
    listStores('-', diff.removed),
    listStores('~', detailed, diff.changed.length),
  ];
  return [summarizeDiff(diff), ...lists.filter((list) => list !== '')].join('\n\n');
}

/** The first stores of a kind, changed ones with their fields and values. @param count of all of them */
function listStores(
  sign: string,
  stores: readonly (StoreName & Partial<DetailedChange>)[],
  count = stores.length,
): string {
  const shown = stores.slice(0, MAX_SHOWN);
  if (shown.length === 0) return '';
  const rows = shown.map(({ id, slug, fields = [] }) => [
    sign,
    id,
    visible(slug),
    fields.join(', '),
  ]);
  const lines = formatTable(rows).split('\n');
  const listed = shown.flatMap((store, index) => [lines[index] as string, ...listValues(store)]);
  const hidden = count - shown.length;
  const more = hidden > 0 ? [`  … and ${formatCount(hidden)} more (--json names all)`] : [];
  return [...listed, ...more].join('\n');
}

function listValues({ values = [] }: Partial<DetailedChange>): string[] {
  const shown = values.slice(0, MAX_VALUES).map(describeValue);
  const hidden = values.length - shown.length;
  const more = hidden > 0 ? [`… and ${plural(hidden, 'more value')}`] : [];
  return [...shown, ...more].map((line) => `     ${line}`);
}

/** Values are foreign text: nothing in them may reach a terminal as it is. */
function describeValue({
  path,
  language,
  before,
  after,
}: DetailedChange['values'][number]): string {
  const where = language === null ? path : `${path} (${language})`;
  return visible(`${where}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
