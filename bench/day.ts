/** `npm run bench:day`: a simulated day at the edge, from what the benchmark has measured. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchCommand } from './bench-command.ts';
import { BENCH_FOLDER } from './folders.ts';
import type { Results } from './report/results.ts';
import { costsOf, runsOfCosts } from './simulation/costs.ts';
import { writeEdgeDay } from './simulation/report.ts';

await benchCommand(
  'npm run bench:day --',
  'Simulate a day at the edge, for this design and for D1; writes bench/EDGE-DAY.md.',
)
  .action(simulate)
  .parseAsync();

async function simulate(): Promise<void> {
  const text = await readFile(join(BENCH_FOLDER, 'results.json'), 'utf8');
  const { environment, sizes } = JSON.parse(text) as Results;
  const costs = sizes.map((size) => costsOf(size, environment.latency));
  await writeFile(
    join(BENCH_FOLDER, 'EDGE-DAY.md'),
    writeEdgeDay(costs, runsOfCosts({ environment, sizes })),
  );
  process.stderr.write('wrote bench/EDGE-DAY.md\n');
}
