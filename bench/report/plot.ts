/** The throughput of all hot cases and sizes against the limit, as an SVG of bars. */
import { CASES } from '../requests/request.ts';
import { count, times } from './format.ts';
import type { Results } from './results.ts';

const WIDTH = 760;
const LEFT = 220;
const RIGHT = 60;
const TOP = 40;
const BAR = 10;
const GAP = 14;
const COLOURS = ['#1b6ca8', '#5aa9e6', '#bcd9f2'];
const INK = '#333';

/** Bars from 0 to 1, where 1 is what a Worker reaches that sends constants. */
export function drawPlot({ sizes }: Results): string {
  const cases = sizes[0]?.cases ?? [];
  const groupHeight = sizes.length * BAR + GAP;
  const height = TOP + cases.length * groupHeight + 10;
  const scale = WIDTH - LEFT - RIGHT;
  const groups = cases.flatMap(({ name }, index) => {
    const top = TOP + index * groupHeight;
    const label = text(LEFT - 8, top + (sizes.length * BAR) / 2 + 4, CASES[name], 'end');
    const bars = sizes.flatMap((size, row) => {
      const ratio = size.cases.find((group) => group.name === name)?.hot?.ratios.limit;
      if (!ratio) return [];
      const y = top + row * BAR;
      const length = Math.min(1, ratio.median) * scale;
      return [
        `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${BAR - 1}" fill="${COLOURS[row % COLOURS.length]}"/>`,
        text(LEFT + length + 4, y + BAR - 2, times(ratio.median), 'start', 9),
      ];
    });
    return [label, ...bars];
  });
  const legend = sizes.map(({ storeCount }, row) => {
    const x = LEFT + row * 130;
    const box = `<rect x="${x}" y="10" width="10" height="10" fill="${COLOURS[row % COLOURS.length]}"/>`;
    return box + text(x + 15, 19, `${count(storeCount)} stores`, 'start');
  });
  const rim = `<line x1="${LEFT + scale}" x2="${LEFT + scale}" y1="${TOP - 6}" y2="${height - 8}" stroke="${INK}" stroke-dasharray="3 3"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="${INK}">`,
    '<title>Throughput of the service, hot, in shares of the limit</title>',
    `<rect width="${WIDTH}" height="${height}" fill="white"/>`,
    ...legend,
    text(LEFT + scale, TOP - 10, 'the limit', 'end'),
    rim,
    ...groups,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, content: string, anchor: 'start' | 'end', size = 12): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" font-size="${size}">${escaped}</text>`;
}
