/** `RESULTS.md`: what a run has found out. `README.md` beside it says how it is measured. */
import { CASE_NAMES, CASES } from '../requests/request.ts';
import { count, table } from './figures.ts';
import { type Cell, COLUMNS, type Findings, judge } from './findings.ts';

/** Writes the report. @param machine in words, with the commit that was measured */
export function writeReport(findings: Findings, machine: string): string {
  const sizes = Map.groupBy(findings.noticed, ({ storeCount }) => storeCount);
  const bars = judge(findings.figures).map(({ what, bar, measured, holds }) => [
    ...[what, bar, measured],
    holds ? 'holds' : '**missed**',
  ]);
  return [
    '# How fast it is',
    `Written by \`npm run bench\` on ${machine}. [README.md](README.md) says what the words mean and how it was measured.`,
    '## What a partner notices',
    'Milliseconds until half of the requests are answered (in brackets: all but one in twenty), the CPU of a hot one, and how many of them are answered a second, against the limit.',
    ...Array.from(sizes, ([storeCount, cells]) => noticed(storeCount, cells)),
    '## Bars',
    'A row shows its worst figure, and of several bars first the one that this figure is held against.',
    table(['Bar of', 'Bar', 'Measured', ''], bars),
    '',
  ].join('\n\n');
}

function noticed(storeCount: number, cells: readonly Cell[]): string {
  const rows = CASE_NAMES.flatMap((name) => {
    const own = cells.filter((cell) => cell.name === name);
    const texts = COLUMNS.map((column) => own.find((cell) => cell.column === column)?.text ?? '');
    return own.length === 0 ? [] : [[CASES[name], ...texts]];
  });
  return table([`${count(storeCount)} stores`, ...COLUMNS], rows);
}
