/** What was measured at one number of stores, in tables. */
import { CASES } from '../requests/request.ts';
import {
  count,
  mebibytes,
  megabytes,
  milliseconds,
  percent,
  seconds,
  table,
  times,
  timesWithin,
} from './format.ts';
import { apartLine, measuredApart } from './measured-apart.ts';
import type { ColdFigures, SizeResult } from './results.ts';
import { soakSection } from './soak.ts';
import type { Spread } from './statistics.ts';

export function sizeSections(size: SizeResult): string[] {
  const { storeCount, releaseBytes, cases, cold, crowd, memory, d1, publishing } = size;
  return [
    `## ${count(storeCount)} stores`,
    `A release of ${megabytes(releaseBytes)} in eight languages.${yardstick(size)}`,
    ...(cases.some(({ hot }) => hot) ? hotSection(size) : []),
    ...(cases.some(({ whole }) => whole) ? wholeSection(size) : []),
    ...(cold.length > 0 ? coldSection(size) : []),
    ...(crowd ? crowdSection(size) : []),
    ...(memory ? memorySection(size) : []),
    ...(d1.length > 0 ? d1Section(size) : []),
    ...(publishing ? [publishingText(size)] : []),
    ...changesSection(size),
    ...soakSection(size),
  ];
}

function yardstick({ yardstick: cpu }: SizeResult): string {
  return cpu
    ? ` Copying and sending a constant answer of 0.9 MB takes ${Math.round(cpu.median)} µs of CPU.`
    : '';
}

function hotSection({ cases }: SizeResult): string[] {
  const rows = cases.flatMap(({ name, hot }) => {
    if (!hot) return [];
    const { contenders, ratios } = hot;
    const others = (['limit', 'obvious', 'd1'] as const).map((rival) => {
      const theirs = contenders[rival];
      const ratio = ratios[rival];
      return theirs && ratio ? `${count(theirs.perSecond.median)} (${timesWithin(ratio)})` : '';
    });
    const ours = contenders.ours;
    const own = ours ? [count(ours.perSecond.median), microseconds(ours.cpu)] : ['', ''];
    return [[CASES[name], ...own, ...others]];
  });
  return [
    '### Hot',
    'Requests a second; in brackets, how many times as many the service answers (lowest to highest round).',
    table(['Requests', 'service', 'its CPU', 'limit', 'obvious', 'd1'], rows),
  ];
}

function wholeSection({ cases, orders }: SizeResult): string[] {
  const rows = cases.flatMap(({ name, whole, wholeAgainstHot }) => {
    const ours = whole?.contenders.ours;
    if (!whole || !ours) return [];
    return [
      [
        CASES[name],
        count(ours.perSecond.median),
        microseconds(ours.cpu),
        `${(ours.bytes / 1e3).toFixed(1)} kB`,
        whole.ratios.limit ? timesWithin(whole.ratios.limit) : '',
        wholeAgainstHot
          ? `${times(wholeAgainstHot.median)} ± ${wholeAgainstHot.error.toFixed(2)}`
          : '',
        count(whole.objectReads),
      ],
    ];
  });
  const head = ['Requests', 'a second', 'CPU', 'body', 'against the limit', 'against hot'];
  const order = orders?.added
    ? [
        `A filtered page of 20 in an order of two keys takes ${microseconds(orders.held)} of CPU when the order is held, and ${microseconds(orders.added)} more when it has to be made.`,
      ]
    : [];
  return [
    '### Whole',
    'No request twice, over the whole directory, after a walk. Reads are parts and chunks that came from KV during the rounds.',
    table([...head, 'reads'], rows),
    ...order,
  ];
}

function coldSection(size: SizeResult): string[] {
  const { cold } = size;
  const cells = (figures: ColdFigures) => [
    figures.steps.median.toFixed(1),
    figures.even.steps.median.toFixed(1),
    milliseconds(figures.even.milliseconds.p50),
    `${count(figures.operations)} (${count(figures.keys)})`,
    megabytes(figures.chunkBytes),
    figures.cpu ? milliseconds(figures.cpu.median) : '',
  ];
  const rows = cold.map(({ name, fresh, documents }) => [
    CASES[name],
    ...cells(fresh),
    ...cells(documents),
  ]);
  const columns = ['steps', 'without slow keys', 'p50 without', 'reads (keys)', 'chunks', 'CPU'];
  const named = (what: string) => columns.map((column) => `${what}: ${column}`);
  return [
    '### Cold',
    ...apartLine(size, 'cold'),
    table(['Requests', ...named('first'), ...named('new documents')], rows),
  ];
}

function crowdSection(size: SizeResult): string[] {
  const { crowd } = size;
  if (!crowd) return [];
  const { equal, different } = crowd;
  const rows = equal.map(({ name, alone, together, ratio, extraReads, failed }) => [
    CASES[name],
    milliseconds(alone.median),
    milliseconds(together.median),
    times(ratio.median),
    count(extraReads),
    count(failed),
  ]);
  const again = Object.entries(different.readAgain).map(([kind, reads]) => `${kind} ${reads}`);
  return [
    '### Crowds',
    table(['50 equal first requests', 'one alone', 'all', 'ratio', 'keys more', 'failed'], rows),
    `${measuredApart(size, 'crowd')}50 different ones of all cases with five tokens are answered within ${milliseconds(different.together.median)}, the slowest alone within ${milliseconds(different.slowestAlone.median)} (${times(different.ratio.median)}); ${count(different.failed)} failed. Keys read again: ${again.join(', ')}.`,
  ];
}

function memorySection(size: SizeResult): string[] {
  const { memory } = size;
  if (!memory) return [];
  const { phases, seconds: lasted, requests, failed, looks } = memory;
  const rows = phases.map(({ title, heap, buffers }) => [
    title,
    mebibytes(heap + buffers),
    mebibytes(heap),
    mebibytes(buffers),
  ]);
  const followed = `The publication was ${memory.followedPublication ? '' : 'not '}followed, the rollback was ${memory.followedRollback ? '' : 'not '}followed.`;
  return [
    '### Memory',
    table(['Worst moment', 'in all', 'heap', 'buffers'], rows),
    `${measuredApart(size, 'memory')}${count(requests)} requests in ${seconds(lasted)}, ${count(failed)} failed; ${count(looks)} looks at the memory, garbage included. ${followed}`,
  ];
}

function d1Section(size: SizeResult): string[] {
  const { d1 } = size;
  const rows = d1.map(({ name, first, second, other }) => [
    CASES[name],
    ...[first, second, other].map(
      ({ ours, d1: theirs, ratio }) =>
        `${milliseconds(ours.median)} / ${milliseconds(theirs.median)} (${times(ratio.median)})`,
    ),
  ]);
  const columns = ['first request', 'the same once more', 'other documents'];
  return [
    '### Against D1, as far away as KV',
    ...apartLine(size, 'd1'),
    table(['Service / D1', ...columns], rows),
  ];
}

function publishingText(size: SizeResult): string {
  const { publishing } = size;
  if (!publishing) return '';
  const { buildSeconds, writes, changedShare } = publishing;
  const first = writes === null ? '' : ` A first publication leaves ${count(writes)} values in KV.`;
  return `${measuredApart(size, 'publish')}\`snapshot build\` takes ${seconds(buildSeconds)} (validation included).${first} After 1 % of the stores changed, ${percent(changedShare)} of the bytes go up.`;
}

function changesSection(size: SizeResult): string[] {
  const { changes } = size;
  if (!changes) return [];
  const rows = changes.first.map(({ limit, milliseconds: { p50, p95 }, cpu, keys }) => [
    count(limit),
    `${milliseconds(p50)} (${milliseconds(p95)})`,
    cpu ? milliseconds(cpu.median) : '',
    count(keys),
  ]);
  const page = changes.page
    ? ` A page of 1,000 after the first takes ${microseconds(changes.page)} of CPU.`
    : '';
  return [
    '### Changes',
    `${measuredApart(size, 'changes')}Between two releases of which 1 % differs: ${count(changes.total)} changes.${page}`,
    table(['First request, page of', 'milliseconds', 'CPU', 'keys'], rows),
  ];
}

function microseconds(cpu: Spread | null): string {
  return cpu ? `${count(cpu.median)} µs` : '';
}
