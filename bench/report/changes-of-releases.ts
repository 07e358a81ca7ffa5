/** What was measured of `changes`: its bars, and its table. */
import { atMost, type Bar } from './bar.ts';
import { grown, slowness } from './bars-under-load.ts';
import { count, milliseconds, table } from './format.ts';
import type { SizeResult } from './results.ts';

/** Latencies of KV. */
const FIRST_LATENCIES = 5;
/** Milliseconds of CPU. */
const FIRST_CPU = 45;
const PAGE_CPU = 8;

const MICROSECONDS = 1_000;

/** @param latency milliseconds that a key of KV takes */
export function changesBars(large: SizeResult | undefined, latency: number): Bar[] {
  const { first = [], page = null } = large?.changes ?? {};
  const what = 'changes between two releases, 100,000 stores';
  const labelOf = (limit: number) => `pages of ${count(limit)}`;
  const factor = slowness(large);
  return [
    atMost(
      `${what}: p50 of a fresh isolate`,
      `${FIRST_LATENCIES * latency} ms`,
      first.map(({ limit, milliseconds: { p50 } }) => ({
        ...{ label: labelOf(limit), value: p50 },
        ...{ bar: FIRST_LATENCIES * latency, error: 0 },
      })),
      milliseconds,
    ),
    atMost(
      `${what}: CPU of a fresh isolate`,
      `${FIRST_CPU} ms${grown(large)}`,
      first.flatMap(({ limit, cpu }) =>
        cpu
          ? [
              {
                ...{ label: labelOf(limit), value: cpu.median },
                ...{ bar: FIRST_CPU * factor, error: cpu.error },
              },
            ]
          : [],
      ),
      milliseconds,
    ),
    atMost(
      `${what}: CPU of a page after the first`,
      `${PAGE_CPU} ms${grown(large)}`,
      page
        ? [
            {
              ...{ label: '', value: page.median / MICROSECONDS },
              ...{ bar: PAGE_CPU * factor, error: page.error / MICROSECONDS },
            },
          ]
        : [],
      milliseconds,
    ),
  ];
}

export function changesSection({ changes }: SizeResult): string[] {
  if (!changes) return [];
  const rows = changes.first.map(({ limit, milliseconds: { p50, p95 }, cpu, keys }) => [
    count(limit),
    `${milliseconds(p50)} (${milliseconds(p95)})`,
    cpu ? milliseconds(cpu.median) : '',
    count(keys),
  ]);
  const page = changes.page
    ? ` A page of 1,000 after the first takes ${Math.round(changes.page.median)} µs of CPU.`
    : '';
  return [
    '### Changes',
    `Between two releases of which 1 % differs: ${count(changes.total)} changes.${page}`,
    table(['First request, page of', 'milliseconds', 'CPU', 'keys'], rows),
  ];
}
