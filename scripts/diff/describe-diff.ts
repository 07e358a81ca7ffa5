/** A comparison in words and in figures. */
import type { StoreField } from '../../src/model/store.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { visible } from '../cli/output.ts';
import { formatCount, plural } from '../cli/progress.ts';
import { formatTable } from '../cli/table.ts';
import type { ChangedStore, DetailedChange, ReleaseDiff, showDifference } from './diff-releases.ts';

/** How many stores of a kind are named. */
export const SHOWN_EACH_KIND = 10;

/** How many values of a store are shown. */
const SHOWN_VALUES = 5;

/**
 * A comparison without its lists, but with how many stores changed in each field, the most frequent
 * first; null when the records of too many were left out.
 */
export function diffFigures(diff: ReleaseDiff) {
  const { added, removed, changed, lookedAt, ...figures } = diff;
  return {
    ...figures,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    changedFields: isWhole(diff) ? Object.fromEntries(countFields(lookedAt)) : null,
  };
}

/** Whether every changed store was looked at. */
function isWhole({ changed, lookedAt }: ReleaseDiff): boolean {
  return changed.length === lookedAt.length;
}

/** Stores that are named in a warning. */
const NAMED = 5;

/** A warning about stores that names the first; none where there are none. @param count of all of them */
export function warnOf(ids: readonly string[], words: string, count = ids.length): string[] {
  if (count === 0) return [];
  const named = ids.slice(0, NAMED);
  const more = count > named.length ? ', …' : '';
  return [`warning: ${plural(count, 'store')} ${words}: ${named.join(', ')}${more}`];
}

/** What would change, in a few lines. */
export function summarizeDiff(diff: ReleaseDiff): string {
  const { live, release, added, removed, changed, lookedAt } = diff;
  if (live === null) {
    const all = diff.stores === 1 ? '1 store is' : `all ${plural(diff.stores, 'store')} are`;
    return `Nothing is live yet: ${all} new`;
  }
  if (live === release) return `Live release ${live} has exactly these stores`;
  const fields = countFields(lookedAt)
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

function describeSoleField({ soleField, lookedAt }: ReleaseDiff): string[] {
  if (!soleField) return [];
  const { path, stores } = soleField;
  const share = `${formatCount(stores)} of ${plural(lookedAt.length, 'changed store')}`;
  return [
    `  ${visible(path)} alone makes most of the changes: in ${share} nothing else differs.`,
    '  Each of them is uploaded, and partners are told of it. Is it meant to change by itself?',
  ];
}

/**
 * The summary, and the first stores of each kind by name.
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

/** The first stores of a kind, changed ones with their fields and values. @param count of all of them */
function listStores(
  sign: string,
  stores: readonly (StoreName & Partial<DetailedChange>)[],
  count = stores.length,
): string {
  const shown = stores.slice(0, SHOWN_EACH_KIND);
  if (shown.length === 0) return '';
  const rows = shown.map(({ id, slug, fields = [] }) => [
    sign,
    id,
    visible(slug),
    fields.join(', '),
  ]);
  const lines = formatTable(rows).split('\n');
  const listed = shown.flatMap((store, place) => [lines[place] as string, ...listValues(store)]);
  const hidden = count - shown.length;
  const more = hidden > 0 ? [`  … and ${formatCount(hidden)} more (--json names all)`] : [];
  return [...listed, ...more].join('\n');
}

function listValues({ values = [] }: Partial<DetailedChange>): string[] {
  const shown = values.slice(0, SHOWN_VALUES).map(describeValue);
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
}: ReturnType<typeof showDifference>): string {
  const where = language === null ? path : `${path} (${language})`;
  return visible(`${where}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`);
}

function countFields(changed: readonly ChangedStore[]): [StoreField, number][] {
  const fields = changed.flatMap((store) => store.fields);
  const counts = [...Map.groupBy(fields, (field) => field)].map(
    ([field, { length }]): [StoreField, number] => [field, length],
  );
  return counts.sort(([, a], [, b]) => b - a);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
