/** What the commands say about faults: as data for machines, and of stores left out for people. */

import { style } from '../cli/output.ts';
import { plural } from '../cli/progress.ts';
import type { Fault } from './fault.ts';
import type { FaultGroup, FaultReport } from './fault-report.ts';
import { formatFaultCount, formatFaults } from './format-faults.ts';

export interface FaultData {
  readonly source: string;
  readonly stores: number;
  readonly good: number;
  readonly faulty: number;
  readonly faultCount: number;
  readonly faultsByKind: Readonly<Record<string, number>>;
  /** By kind and field, the most frequent first. */
  readonly faultGroups: readonly Pick<FaultGroup, 'kind' | 'path' | 'count'>[];
  readonly faults: AsyncIterable<Fault>;
}

/** @param good stores without a fault */
export function faultData(source: string, good: number, report: FaultReport): FaultData {
  return {
    source,
    stores: good + report.faultyStores,
    good,
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
  return ['', title, '', formatFaults(report, style)];
}
