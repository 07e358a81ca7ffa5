/** Collects the faults of a source, and says what they come to: to people as text, to machines as data. */
import { formatCount, plural, visible } from '../cli/output.ts';
import { FAULT_KINDS, type Fault, fieldOf, isSourceFault } from './fault.ts';
import { JsonSpool } from './file-spool.ts';

/**
 * Most groups that are told apart. Keys that no store has can be anything, so their number knows no
 * bound; what comes after goes by its kind alone.
 */
const MAX_GROUPS = 1_000;

/** How many faults of a group are shown. */
const MAX_SHOWN_FAULTS = 3;

/** How many groups are shown. */
const MAX_SHOWN_GROUPS = 50;

/** How many stores took the value at each path. */
export type TakenDefaults = Map<string, number>;

/** Faults of one kind in one field: its path has `*` for any element of an array: `geo.rentalPoints.*.slug`. */
interface FaultGroup extends Pick<Fault, 'kind' | 'path'> {
  count: number;
  /** The first few. */
  readonly faults: Fault[];
}

/** Counts every fault, keeps the first few of each group and, for machines, all of them. */
export class FaultReport {
  goodStores = 0;
  /** Records that had a fault, hence are left out when others are not. */
  faultyStores = 0;
  /** Whether the source as a whole is faulty. */
  isSourceFaulty = false;
  count = 0;
  /** What stores took from the defaults; null: none were given. */
  taken: TakenDefaults | null = null;
  /** Every fault in the order in which they were found, to be read once; null: not all are kept. */
  readonly faults: JsonSpool<Fault> | null;
  private readonly byField = new Map<string, FaultGroup>();

  /** @param keepsAll whether every fault will be asked for, as by machines; else the first few of each group */
  constructor(keepsAll: boolean) {
    this.faults = keepsAll ? new JsonSpool() : null;
  }

  /** Takes all faults of one record. */
  add(faults: readonly Fault[]): void {
    if (faults.some(isSourceFault)) this.isSourceFaulty = true;
    else this.faultyStores++;
    for (const fault of faults) this.addLate(fault);
  }

  /** Takes a fault of a record of which others were told before. */
  addLate(fault: Fault): void {
    this.count++;
    this.faults?.add(fault);
    const { kind, path } = fault;
    const field = fieldOf(path);
    const isTold = this.byField.size < MAX_GROUPS || this.byField.has(`${kind} ${field}`);
    const told = isTold ? field : '…';
    const key = `${kind} ${told}`;
    const group = this.byField.get(key) ?? { kind, path: told, count: 0, faults: [] };
    this.byField.set(key, group);
    group.count++;
    if (group.faults.length < MAX_SHOWN_FAULTS) group.faults.push(fault);
  }

  get stores(): number {
    return this.goodStores + this.faultyStores;
  }

  /** Returns the groups, the most frequent ones first. */
  get groups(): readonly FaultGroup[] {
    return [...this.byField.values()].sort((a, b) => b.count - a.count);
  }
}

/** Returns the faults by kind and field with their counts, the first few of each with where, what and why. */
export function formatFaults({ groups }: FaultReport): string {
  const shown = groups.slice(0, MAX_SHOWN_GROUPS).map(formatGroup);
  const hidden = groups.slice(MAX_SHOWN_GROUPS);
  const count = hidden.reduce((sum, group) => sum + group.count, 0);
  const places = plural(hidden.length, 'more place');
  const more =
    hidden.length > 0 ? [`… and ${plural(count, 'fault')} in ${places}; --json shows all`] : [];
  return [...shown, ...more].join('\n\n');
}

/** Returns `2 faults in 1 store`. */
export function formatFaultCount(report: FaultReport): string {
  const faults = plural(report.count, 'fault');
  return report.faultyStores === 0
    ? faults
    : `${faults} in ${plural(report.faultyStores, 'store')}`;
}

function formatGroup({ kind, path, count, faults }: FaultGroup): string {
  const field = path === '' ? '' : `  ${visible(path)}`;
  const title = `${kind}${field} (${formatCount(count)}): ${FAULT_KINDS[kind]}`;
  const more =
    count > faults.length
      ? [`  … and ${formatCount(count - faults.length)} more; --json shows all`]
      : [];
  return [title, ...faults.map((fault) => formatFault(fault, path)), ...more].join('\n');
}

/** Writes a fault. @param field named in the title already */
function formatFault(fault: Fault, field: string): string {
  const { kind, line, element, store, path, value, message } = fault;
  const liesInLine = kind !== 'no_stores' && kind !== 'other_store_count';
  const where = [
    liesInLine ? `line ${line}` : 'the whole source',
    element !== null && `element ${formatCount(element)}`,
    store !== null && `store ${visible(store)}`,
  ].filter(Boolean);
  const at = path === field ? '' : `  ${visible(path)}`;
  const found = value === null ? '' : `${visible(value)}: `;
  return `  ${where.join(', ')}${at}\n      ${found}${visible(message)}`;
}

/** Returns the faults for machines, counted by kind and field, the most frequent first. */
export function faultData(source: string, report: FaultReport) {
  const { taken } = report;
  return {
    source,
    stores: report.stores,
    good: report.goodStores,
    faulty: report.faultyStores,
    /** What stores took; undefined without defaults. */
    defaults: taken ? [...taken].map(([path, stores]) => ({ path, stores })) : undefined,
    faultCount: report.count,
    faultGroups: report.groups.map(({ kind, path, count }) => ({ kind, path, count })),
    faults: report.faults,
  };
}

/** Returns lines that say how many stores took what; none without defaults. */
export function formatTaken({ taken }: FaultReport): string[] {
  if (!taken) return [];
  const byCount = [...Map.groupBy(taken, ([, stores]) => stores)].sort(([a], [b]) => b - a);
  const lines = byCount.map(([stores, paths]) => {
    return `  ${plural(stores, 'store')}: ${paths.map(([path]) => path).join(', ')}`;
  });
  return [
    '',
    ...(lines.length > 0 ? ['Taken from the defaults:', ...lines] : ['No store took a default.']),
  ];
}

/** Returns lines that say what was left out; none when nothing was. */
export function formatLeftOut(report: FaultReport): string[] {
  if (report.faultyStores === 0) return [];
  const title = `Left out ${plural(report.faultyStores, 'store')} (${formatFaultCount(report)}):`;
  return ['', title, '', formatFaults(report)];
}
