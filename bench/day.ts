/** `npm run bench:day`: a simulated day at the edge, from what the benchmark has measured. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandResult, defineCommand, runCommand } from '../scripts/cli/run-command.ts';
import { BENCH_FOLDER } from './folders.ts';
import type { Results } from './report/results.ts';
import { costsOf, runsOfCosts } from './simulation/costs.ts';
import { writeEdgeDay } from './simulation/report.ts';

const REPORT = 'EDGE-DAY.md';

const dayCommand = defineCommand('bench:day', {
  summary: `Simulate a day at the edge, for this design and for D1; writes bench/${REPORT}.`,
  declare: () => {},
  examples: [['', `simulates a day with the figures of bench/results.json`]],
  run: simulate,
});

await runCommand('npm run bench:day --', dayCommand);

async function simulate(): Promise<CommandResult> {
  const text = await readFile(join(BENCH_FOLDER, 'results.json'), 'utf8');
  const { environment, sizes } = JSON.parse(text) as Results;
  const costs = sizes.map((size) => costsOf(size, environment.latency));
  await writeFile(
    join(BENCH_FOLDER, REPORT),
    writeEdgeDay(costs, runsOfCosts({ environment, sizes })),
  );
  const file = `bench/${REPORT}`;
  return { data: { file, costs }, text: () => `Wrote ${file}` };
}
