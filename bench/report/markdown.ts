/** `RESULTS.md`, written from the results of a run. */
import { CASE_NAMES, CASES } from '../requests/request.ts';
import { HOT_REQUESTS } from '../requests/request-log.ts';
import { holdBars } from './bars.ts';
import { count, percentiles, table } from './format.ts';
import { apartLine } from './measured-apart.ts';
import { describeMethod } from './method.ts';
import type { Results, SizeResult } from './results.ts';
import { sizeSections } from './size-sections.ts';

/** What people add to the figures, in Markdown. */
export interface Remarks {
  /** Bars that exclude each other, and what was chosen. */
  readonly conflicts: string;
  /** What was tried and did not help. */
  readonly tried: string;
}

export function writeMarkdown(results: Results, { conflicts, tried }: Remarks): string {
  const { environment, sizes } = results;
  return [
    '# How fast it is',
    'Written by `npm run bench`; do not edit. Ratios are taken side by side in one run and may be compared; absolute figures are this machine’s.',
    '## What a partner notices',
    `Milliseconds until the answer is there: half of the requests take no longer (in brackets: all but one in twenty). KV is ${environment.latency} ms away. *First*: nobody has asked this isolate before. *New documents*: it has its index, but none of the stores that are asked for. *Whole*: any request, after a walk over the directory. *Hot*: one of ${HOT_REQUESTS} requests that come again and again.`,
    ...sizes.flatMap(noticed),
    '## Bars',
    bars(results),
    '### Bars that exclude each other',
    conflicts.trim(),
    '![Throughput against the limit](results.svg)',
    ...sizes.flatMap(sizeSections),
    '## What was tried and did not help',
    tried.trim(),
    '## How it was measured',
    describeMethod(environment),
    '',
  ].join('\n\n');
}

function noticed(size: SizeResult): string[] {
  const { storeCount, cases, cold } = size;
  const rows = CASE_NAMES.flatMap((name) => {
    const far = cold.find((result) => result.name === name);
    const near = cases.find((result) => result.name === name);
    if (!far && !near) return [];
    const figures = [far?.fresh, far?.documents, near?.whole, near?.hot];
    const cells = figures.map((one) => (one ? percentiles(one.milliseconds) : ''));
    return [[CASES[name], ...cells]];
  });
  if (rows.length === 0) return [];
  const head = [`${count(storeCount)} stores`, 'first', 'new documents', 'whole', 'hot'];
  const origin = apartLine(size, 'cold').map(
    (line) => `*First* and *new documents* at ${head[0]}: ${line}`,
  );
  return [table(head, rows), ...origin];
}

function bars(results: Results): string {
  const rows = holdBars(results).map(({ what, bar, measured, holds }) => [
    what,
    bar,
    measured ?? 'not measured',
    holds === null ? '' : holds ? 'holds' : '**missed**',
  ]);
  return table(['Bar of', 'Bar', 'Measured', ''], rows);
}
