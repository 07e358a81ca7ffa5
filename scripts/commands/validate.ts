/** `snapshot validate`: every fault of a source; `snapshot schema`: what one has to look like. */

import type { SourceChoice } from '../cli/common-options.ts';
import { plural, visible } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import {
  FaultReport,
  faultData,
  formatFaultCount,
  formatFaults,
  formatTaken,
} from '../source/fault-report.ts';
import { sourceJsonSchema } from '../source/source-schema.ts';
import { readGoodStores } from '../source/source-stores.ts';

/** Runs `snapshot validate`: reports every fault of a source. */
export async function validate(options: SourceChoice, context: CommandContext) {
  const { source } = options;
  const report = new FaultReport(context.json);
  for await (const _ of readGoodStores(options, report, context));
  const found = `${visible(source)}: ${plural(report.stores, 'store')}`;
  return {
    data: faultData(source, report),
    text: [
      `${found}, ${report.count === 0 ? 'no fault' : formatFaultCount(report)}`,
      ...formatTaken(report),
      ...(report.count === 0 ? [] : ['', formatFaults(report)]),
    ].join('\n'),
    failed: report.count > 0,
  };
}

/** Runs `snapshot schema`: prints the format for programs; docs/source-format.md is for people. */
export async function schema() {
  return { data: sourceJsonSchema() };
}
