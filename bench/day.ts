/** `npm run bench:day`: a simulated day at the edge, from what the benchmark has measured. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { BENCH_FOLDER } from './folders.ts';
import type { Results } from './report/results.ts';
import { costsOf } from './simulation/costs.ts';
import { writeEdgeDay } from './simulation/report.ts';

await new Command('npm run bench:day --')
  .description('Simulate a day at the edge, for this design and for D1; writes bench/EDGE-DAY.md.')
  .showHelpAfterError()
  .action(simulate)
  .parseAsync();

async function simulate(): Promise<void> {
  const text = await readFile(join(BENCH_FOLDER, 'results.json'), 'utf8');
  const { environment, sizes } = JSON.parse(text) as Results;
  const costs = sizes.map((size) => costsOf(size, environment.latency));
  await writeFile(join(BENCH_FOLDER, 'EDGE-DAY.md'), writeEdgeDay(costs, environment));
  process.stderr.write('wrote bench/EDGE-DAY.md\n');
}
