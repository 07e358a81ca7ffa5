/** What commands say about faults: to people as text, to machines as data. */
import { style, visible } from '../cli/output.ts';
import { formatCount, plural } from '../cli/progress.ts';
import { FAULT_KINDS, type Fault, liesInLine } from './fault.ts';
import type { FaultGroup, FaultReport } from './fault-report.ts';

/** How many faults of a group are shown. */
export const SHOWN_EACH_GROUP = 3;

/** How many groups are shown. */
const SHOWN_GROUPS = 50;

/** The faults by kind and field with their counts, the first few of each with where, what and why. */
export function formatFaults({ groups }: FaultReport): string {
  const shown = groups.slice(0, SHOWN_GROUPS).map(formatGroup);
  const hidden = groups.slice(SHOWN_GROUPS);
  const count = hidden.reduce((sum, group) => sum + group.count, 0);
  const places = plural(hidden.length, 'more place');
  const more =
    hidden.length > 0 ? [`… and ${plural(count, 'fault')} in ${places}; --json shows all`] : [];
  return [...shown, ...more].join('\n\n');
}

/** `2 faults in 1 store` */
export function formatFaultCount(report: FaultReport): string {
  const faults = plural(report.count, 'fault');
  return report.faultyStores === 0
    ? faults
    : `${faults} in ${plural(report.faultyStores, 'store')}`;
}

function formatGroup({ kind, path, count, faults }: FaultGroup): string {
  const field = path === '' ? '' : `  ${style('cyan', visible(path))}`;
  const title = `${style('bold', kind)}${field} (${formatCount(count)}): ${FAULT_KINDS[kind]}`;
  const more =
    count > faults.length
      ? [`  … and ${formatCount(count - faults.length)} more; --json shows all`]
      : [];
  return [title, ...faults.map((fault) => formatFault(fault, path)), ...more].join('\n');
}

/** @param field what the title says already */
function formatFault(fault: Fault, field: string): string {
  const { line, element, store, path, value, message } = fault;
  const where = [
    liesInLine(fault) ? `line ${line}` : 'the whole source',
    ...(element === null ? [] : [`element ${formatCount(element)}`]),
    ...(store === null ? [] : [`store ${visible(store)}`]),
  ].join(', ');
  const place = path === field ? '' : `  ${style('cyan', visible(path))}`;
  const found = value === null ? '' : `${style('red', visible(value))}: `;
  return `  ${where}${place}\n      ${found}${visible(message)}`;
}

/** The faults for machines, by kind and by kind and field, the most frequent first. */
export function faultData(source: string, report: FaultReport) {
  return {
    source,
    stores: report.stores,
    good: report.goodStores,
    faulty: report.faultyStores,
    faultCount: report.count,
    faultsByKind: Object.fromEntries(report.kinds),
    faultGroups: report.groups.map(({ kind, path, count }) => ({ kind, path, count })),
    faults: report.faults,
  };
}

/** Lines that say what was left out; none when nothing was. */
export function formatLeftOut(report: FaultReport): string[] {
  if (report.faultyStores === 0) return [];
  const title = `Left out ${plural(report.faultyStores, 'store')} (${formatFaultCount(report)}):`;
  return ['', title, '', formatFaults(report)];
}
