/** `RESULTS.md`: what a run has found out. `README.md` beside it says how it is measured. */
import { CASE_NAMES, CASES } from '../requests/request.ts';
import { type Cost, type Findings, judge, MOMENTS, type Wait } from './findings.ts';
import { count, milliseconds, percentiles, table } from './format.ts';

/** Writes the report. @param machine in words, with the commit that was measured */
export function writeReport(findings: Findings, machine: string): string {
  const { figures, waits, costs } = findings;
  const sizes = new Set(waits.map(({ storeCount }) => storeCount));
  const bars = judge(figures).map(({ what, bar, measured, holds }) => [
    ...[what, bar, measured],
    holds ? 'holds' : '**missed**',
  ]);
  return [
    '# How fast it is',
    `Written by \`npm run bench\` on ${machine}. [README.md](README.md) says what the words mean and how it was measured.`,
    '## What a partner notices',
    'Milliseconds until half of the requests are answered (in brackets: all but one in twenty), and the CPU of a hot one.',
    ...[...sizes].map((storeCount) => noticed(storeCount, findings)),
    '## Bars',
    table(['Bar of', 'Bar', 'Measured', ''], bars),
    '## Hot requests a second, in shares of the limit',
    drawing(costs),
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
    const cpu = costs.find(isOwn)?.cpu;
    return own.length === 0 ? [] : [[CASES[name], ...cells, cpu ? milliseconds(cpu) : '']];
  });
  return table([`${count(storeCount)} stores`, ...MOMENTS, 'CPU'], rows);
}

/** Writes a diagram of the smallest directory, which readers of Markdown draw. */
function drawing(costs: readonly Cost[]): string {
  const own = costs.filter(({ storeCount }) => storeCount === costs[0]?.storeCount);
  const names = own.map(({ name }) => `"${name}"`).join(', ');
  const shares = own.map(({ share }) => Math.min(1, share).toFixed(2)).join(', ');
  const axes = `  x-axis [${names}]\n  y-axis 0 --> 1\n  bar [${shares}]`;
  return `\`\`\`mermaid\nxychart-beta horizontal\n${axes}\n\`\`\``;
}
