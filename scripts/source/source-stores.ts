/** The stores of a source as the snapshot commands take them: all good, or said which are not. */

import { CommandError } from '../cli/command-error.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { formatCount } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { SourceStore } from '../compile/source-store.ts';
import { fillStores, readDefaults, type TakenDefaults } from './defaults.ts';
import { type Fault, recordFault } from './fault.ts';
import { type FaultReport, faultData, formatFaultCount, formatFaults } from './fault-report.ts';
import { openSource } from './open-source.ts';
import { readSource } from './read-source.ts';
import { validateSource } from './validate-source.ts';

/**
 * Yields the good stores of `source`; faults go to `report`.
 * @throws UsageError, CommandError when the source or the defaults cannot be read
 */
export async function* readGoodStores(
  { source, defaults, expectStores }: SourceChoice,
  report: FaultReport,
  { progress, signal }: CommandContext,
): AsyncGenerator<SourceStore> {
  const values = defaults === undefined ? null : await readDefaults(defaults);
  progress.begin('Reading', null, 'bytes');
  const { chunks, isGzip } = await openSource(source, { signal, progress });
  const records = readSource(chunks, isGzip);
  const taken: TakenDefaults = new Map();
  if (values) report.taken = taken;
  const filled = values ? fillStores(records, values, taken) : records;
  for await (const { store } of validateSource(filled, report)) {
    report.goodStores++;
    yield store;
  }
  const { stores } = report;
  // What is faulty as a whole may not have been read to its end.
  if (report.isSourceFaulty || expectStores === undefined || stores === expectStores) return;
  report.add([otherStoreCount(stores, expectStores)]);
}

function otherStoreCount(stores: number, expected: number): Fault {
  const count = `expected ${formatCount(expected)} stores, as --expect-stores says`;
  const message = stores < expected ? `${count}: the source may be cut off` : count;
  return recordFault('other_store_count', 1, message, { value: formatCount(stores) });
}

/**
 * Yields the stores to compile, and throws after the last one unless they may be compiled: there
 * must be some, and none may be faulty unless `skipInvalid` leaves those out. A source that is
 * faulty as a whole is refused in any case.
 */
export async function* readStoresToCompile(
  choice: SourceChoice,
  context: CommandContext,
  report: FaultReport,
): AsyncGenerator<SourceStore> {
  const { source, skipInvalid = false } = choice;
  for await (const store of readGoodStores(choice, report, context)) {
    // After the first fault the rest is read for the report only.
    if (skipInvalid || report.count === 0) yield store;
  }
  const isWhole = !report.isSourceFaulty && !report.mayBeCutOff;
  const isRefused = !isWhole || report.goodStores === 0 || !skipInvalid;
  if (report.count === 0 || !isRefused) return;
  const remark = report.isSourceFaulty ? '' : describeRest(report, skipInvalid);
  const title = `"${source}" has ${formatFaultCount(report)}, nothing was built${remark}`;
  throw new CommandError(title, 'faulty_source', {
    details: faultData(source, report),
    explanation: formatFaults(report),
  });
}

/** Says what to do about a source of which only some stores are faulty. */
function describeRest({ goodStores, mayBeCutOff }: FaultReport, skipInvalid: boolean): string {
  // Stores after the cut would be left out without a word.
  if (mayBeCutOff) return ': its last line may be cut off, and stores after it missing';
  if (skipInvalid) return ': no store is left without the faulty ones';
  return goodStores > 0 ? '; --skip-invalid leaves them out' : '';
}
