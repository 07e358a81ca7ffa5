/** `RESULTS.md`: what a run has found out. `README.md` beside it says how it is measured. */
import { CASE_NAMES, CASES } from '../requests/request.ts';
import { type Findings, judge, MOMENTS, type Wait } from './findings.ts';
import { count, milliseconds, percentiles, table } from './format.ts';

/** @param machine in words, with the commit that was measured */
export function writeReport({ figures, waits }: Findings, machine: string): string {
  const bars = judge(figures).map(({ what, bar, measured, holds }) => [
    ...[what, bar, measured],
    holds ? 'holds' : '**missed**',
  ]);
  return [
    '# How fast it is',
    `Written by \`npm run bench\` on ${machine}. [README.md](README.md) says what the words mean and how it was measured.`,
    '## What a partner notices',
    'Milliseconds until half of the requests are answered (in brackets: all but one in twenty), and the CPU of a hot one.',
    ...[...Map.groupBy(waits, ({ storeCount }) => storeCount)].map(noticed),
    '## Bars',
    table(['Bar of', 'Bar', 'Measured', ''], bars),
    '## Hot requests a second, in shares of the limit',
    drawing(waits),
    '',
  ].join('\n\n');
}

function noticed([storeCount, waits]: [number, Wait[]]): string {
  const rows = CASE_NAMES.flatMap((name) => {
    const own = waits.filter((wait) => wait.name === name);
    const cells = MOMENTS.map((moment) => {
      const wait = own.find((each) => each.moment === moment);
      return wait ? percentiles(wait.milliseconds) : '';
    });
    const cpu = own.find(({ cost }) => cost?.cpu)?.cost?.cpu;
    return own.length === 0 ? [] : [[CASES[name], ...cells, cpu ? milliseconds(cpu) : '']];
  });
  return table([`${count(storeCount)} stores`, ...MOMENTS, 'CPU'], rows);
}

/** A picture of the smallest directory, which Markdown's readers draw. */
function drawing(waits: readonly Wait[]): string {
  const own = waits.filter(({ storeCount, cost }) => cost && storeCount === waits[0]?.storeCount);
  const names = own.map(({ name }) => `"${name}"`).join(', ');
  const shares = own.map(({ cost }) => Math.min(1, cost?.share ?? 0).toFixed(2)).join(', ');
  const axes = `  x-axis [${names}]\n  y-axis 0 --> 1\n  bar [${shares}]`;
  return `\`\`\`mermaid\nxychart-beta horizontal\n${axes}\n\`\`\``;
}
