/** `snapshot validate`: every fault of a source. */

import { visible } from '../cli/output.ts';
import { plural } from '../cli/progress.ts';
import { defineCommand } from '../cli/run-command.ts';
import { defaultsOption, formatTaken } from '../source/defaults.ts';
import { FaultReport, faultData, formatFaultCount, formatFaults } from '../source/fault-report.ts';
import {
  expectStoresOption,
  readGoodStores,
  type SourceChoice,
  sourceOption,
} from '../source/source-stores.ts';

export const validateCommand = defineCommand<SourceChoice>('validate', {
  summary: 'Report the faults of a store export',
  declare: (command) => {
    command
      .addOption(sourceOption().makeOptionMandatory())
      .addOption(defaultsOption())
      .addOption(expectStoresOption());
  },
  examples: [
    ['--source fixtures/stores.ndjson', 'checks a file'],
    [
      '--source export.ndjson --defaults docs/examples/defaults.json',
      'checks stores that leave out what is the same for all',
    ],
    ['--source - --json < export.json.gz', 'checks standard input, prints every fault as JSON'],
  ],
  run: async (options, context) => {
    const { source } = options;
    const report = new FaultReport(context.json);
    for await (const _ of readGoodStores(options, report, context));
    const found = `${visible(source)}: ${plural(report.stores, 'store')}`;
    return {
      data: faultData(source, report),
      text: () =>
        [
          `${found}, ${report.count === 0 ? 'no fault' : formatFaultCount(report)}`,
          ...formatTaken(report.taken),
          ...(report.count === 0 ? [] : ['', formatFaults(report)]),
        ].join('\n'),
      failed: report.count > 0,
    };
  },
});
