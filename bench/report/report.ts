/** `RESULTS.md`: what a run has found out. `README.md` beside it says how it is measured. */
import { CASE_NAMES, CASES } from '../requests/request.ts';
import { count, milliseconds, percentiles, table, times } from './figures.ts';
import { type Cost, type Findings, judge, MOMENTS, type Wait } from './findings.ts';

/** Writes the report. @param machine in words, with the commit that was measured */
export function writeReport(findings: Findings, machine: string): string {
  const { figures, waits } = findings;
  const sizes = new Set(waits.map(({ storeCount }) => storeCount));
  const bars = judge(figures).map(({ what, bar, measured, holds }) => [
    ...[what, bar, measured],
    holds ? 'holds' : '**missed**',
  ]);
  return [
    '# How fast it is',
    `Written by \`npm run bench\` on ${machine}. [README.md](README.md) says what the words mean and how it was measured.`,
    '## What a partner notices',
    'Milliseconds until half of the requests are answered (in brackets: all but one in twenty), the CPU of a hot one, and how many of them are answered a second, against the limit.',
    ...[...sizes].map((storeCount) => noticed(storeCount, findings)),
    '## Bars',
    table(['Bar of', 'Bar', 'Measured', ''], bars),
    '',
  ].join('\n\n');
}

function noticed(storeCount: number, { waits, costs }: Findings): string {
  const rows = CASE_NAMES.flatMap((name) => {
    const isOwn = (each: Wait | Cost) => each.name === name && each.storeCount === storeCount;
    const own = waits.filter(isOwn);
    const cells = MOMENTS.map((moment) => {
      const wait = own.find((each) => each.moment === moment);
      return wait ? percentiles(wait.milliseconds) : '';
    });
    const { cpu, share } = costs.find(isOwn) ?? {};
    const hot = [cpu ? milliseconds(cpu) : '', share ? times(share) : ''];
    return own.length === 0 ? [] : [[CASES[name], ...cells, ...hot]];
  });
  return table([`${count(storeCount)} stores`, ...MOMENTS, 'CPU', 'hot'], rows);
}
