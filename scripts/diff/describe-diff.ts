/** A comparison in words and in figures. */
import type { StoreField } from '../../src/model/store.ts';
import type { style } from '../cli/output.ts';
import { formatCount } from '../cli/progress.ts';
import { formatTable } from '../cli/table.ts';
import { plural } from '../source/format-faults.ts';
import type { ChangedStore, ReleaseDiff, StoreName } from './compare-releases.ts';

/** How many stores of a kind are named. */
const SHOWN_EACH_KIND = 10;

type Paint = typeof style;

/** A comparison without its lists. */
export interface DiffFigures {
  readonly live: string | null;
  readonly release: string;
  readonly liveStores: number;
  readonly stores: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** How many stores changed in each field, the most frequent first; null when it is not known. */
  readonly changedFields: Readonly<Partial<Record<StoreField, number>>> | null;
}

export function diffFigures(diff: ReleaseDiff): DiffFigures {
  const { changed, changedCount, ...figures } = diff;
  return {
    ...figures,
    added: diff.added.length,
    removed: diff.removed.length,
    changed: changedCount,
    changedFields: changed && Object.fromEntries(countFields(changed)),
  };
}

/** What would change, in a few lines. */
export function summarizeDiff(diff: ReleaseDiff): string {
  const { live, release, added, removed, changed, changedCount } = diff;
  if (live === null) return `Nothing is live yet: all ${plural(diff.stores, 'store')} are new`;
  if (live === release) return `Live release ${live} has exactly these stores`;
  const rows = [
    ['added', formatCount(added.length), ''],
    ['removed', formatCount(removed.length), ''],
    [
      'changed',
      formatCount(changedCount),
      changed ? describeFields(changed) : 'snapshot diff tells in which fields',
    ],
  ];
  const title = `Against live release ${live} (${plural(diff.liveStores, 'store')}):`;
  return `${title}\n${indent(formatRows(rows))}`;
}

/** The summary, and the first stores of each kind by name. */
export function describeDiff(diff: ReleaseDiff, paint: Paint): string {
  const changed = diff.changed ?? [];
  const fieldsOf = new Map(changed.map((store) => [store.id, store.fields.join(', ')]));
  // Of a first release every store is new, which the summary says.
  const added = diff.live === null ? [] : diff.added;
  const lists = [
    listStores(paint('green', '+'), added, () => ''),
    listStores(paint('red', '-'), diff.removed, () => ''),
    listStores(paint('yellow', '~'), changed, ({ id }) => fieldsOf.get(id) ?? ''),
  ];
  return [summarizeDiff(diff), ...lists.filter((list) => list !== '')].join('\n\n');
}

function listStores(
  sign: string,
  stores: readonly StoreName[],
  remark: (store: StoreName) => string,
): string {
  const shown = stores.slice(0, SHOWN_EACH_KIND);
  const rows = shown.map((store) => [sign, store.id, store.slug, remark(store)]);
  const hidden = stores.length - shown.length;
  const more = hidden > 0 ? [`  … and ${formatCount(hidden)} more (--json names all)`] : [];
  return [...(rows.length > 0 ? [formatRows(rows)] : []), ...more].join('\n');
}

function describeFields(changed: readonly ChangedStore[]): string {
  return countFields(changed)
    .map(([field, count]) => `${field} ${formatCount(count)}`)
    .join(', ');
}

function countFields(changed: readonly ChangedStore[]): [StoreField, number][] {
  const counts = new Map<StoreField, number>();
  for (const { fields } of changed) {
    for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function formatRows([first = [], ...others]: readonly (readonly string[])[]): string {
  return formatTable(first, others);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
