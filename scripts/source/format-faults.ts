/** Fault reports for people. */
import { type style, visible } from '../cli/output.ts';
import { formatCount } from '../cli/progress.ts';
import { FAULT_KINDS, type Fault } from './fault.ts';
import type { FaultReport } from './fault-report.ts';

/** How many faults of a kind are shown. */
export const SHOWN_EACH_KIND = 3;

type Paint = typeof style;

/**
 * The faults by kind with their counts, the first few of each with where, what and why.
 * @param paint styles text for the stream that the report goes to
 */
export function formatFaults(report: FaultReport, paint: Paint): string {
  const byKind = Map.groupBy(report.faults, ({ kind }) => kind);
  const groups = report.kinds.map(([kind, count]) => {
    const shown = (byKind.get(kind) ?? []).slice(0, SHOWN_EACH_KIND);
    const title = `${paint('bold', kind)} (${formatCount(count)}): ${FAULT_KINDS[kind]}`;
    const more =
      count > shown.length
        ? [`  … and ${formatCount(count - shown.length)} more; --json shows all`]
        : [];
    return [title, ...shown.map((fault) => formatFault(fault, paint)), ...more].join('\n');
  });
  return groups.join('\n\n');
}

/** `2 faults in 1 store` */
export function formatFaultCount(report: FaultReport): string {
  const faults = plural(report.count, 'fault');
  return report.faultyStores === 0
    ? faults
    : `${faults} in ${plural(report.faultyStores, 'store')}`;
}

/** `1 store`, `1,200 stores` */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function formatFault({ line, store, path, value, message }: Fault, paint: Paint): string {
  const where = [`line ${line}`, ...(store === null ? [] : [`store ${visible(store)}`])].join(', ');
  const place = path === '' ? '' : `  ${paint('cyan', visible(path))}`;
  const found = value === null ? '' : `${paint('red', visible(value))}: `;
  return `  ${where}${place}\n      ${found}${visible(message)}`;
}
