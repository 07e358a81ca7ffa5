/** What half an hour of mixed traffic has shown, in tables. */
import { count, mebibytes, milliseconds, table } from './format.ts';
import { measuredApart } from './measured-apart.ts';
import type { SizeResult, SoakResult } from './results.ts';
import type { Quantiles } from './statistics.ts';

/** Minutes that the table shows. */
const SHOWN = 5;

export function soakSection(size: SizeResult): string[] {
  const { soak } = size;
  if (!soak) return [];
  const { minutes, callers, pause, requests, failed, failures, turns, followed } = soak;
  const shown = soak.held.filter(
    ({ minute }) => minute === 1 || minute === minutes || minute % SHOWN === 0,
  );
  const heldRows = shown.map(({ minute, heap, buffers }) => [
    String(minute),
    mebibytes(heap + buffers, 1),
    mebibytes(heap, 1),
    mebibytes(buffers, 1),
  ]);
  const kindRows = soak.kinds.map(({ title, requests: asked, milliseconds: times }) => [
    title,
    count(asked),
    ...quantileCells(times),
  ]);
  const cpu =
    soak.cpu === null ? '' : ` A request takes ${milliseconds(soak.cpu)} of CPU on average.`;
  return [
    '### Soak',
    `${measuredApart(size, 'soak')}${minutes} minutes of mixed traffic, all kinds alike often, from ${callers} callers who pause for ${pause} ms on average; KV as far away as everywhere. Ten releases, any two of which are a hundredth apart, are put live in a circle, one a minute: ${count(turns)} turns, ${count(followed)} followed. ${count(requests)} requests, ${count(failed)} failed.${cpu}`,
    ...failures.map((failure) => `- \`${failure}\``),
    ...late(soak),
    'What the isolate holds at the end of a minute, when nobody asks and garbage has been collected:',
    table(['Minute', 'in all', 'heap', 'buffers'], heldRows),
    `Milliseconds of the requests, with ${soak.busyThreads.toFixed(1)} threads of all programs of the machine at work or waiting for a core (median of all minutes): this run tells of failures and of memory; how long answers take on an idle machine stands at the top.`,
    table(
      ['Requests', 'number', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'longest'],
      [['all', count(requests), ...quantileCells(soak.milliseconds)], ...kindRows],
    ),
  ];
}

/** How busy the machine was in the minutes in which answers failed. */
function late({ overtimes = [] }: SoakResult): string[] {
  if (overtimes.length === 0) return [];
  const each = overtimes.map(milliseconds).join(', ');
  return [
    `In the minutes in which answers failed, the stand-in for KV was late by up to ${each}, beyond its delay; a request that waits for storage for five seconds is answered with a 503.`,
  ];
}

function quantileCells({ p50, p90, p95, p99, p999, max }: Quantiles): string[] {
  return [p50, p90, p95, p99, p999, max].map(milliseconds);
}
