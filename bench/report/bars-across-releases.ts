/** Bars on what needs several releases: the comparison of two, and a soak while ten are turned. */
import { atMost, type Bar, exactly, middleOf, NONE } from './bar.ts';
import { grown, slowness } from './bars-under-load.ts';
import { count, milliseconds, percent } from './format.ts';
import type { SizeResult, SoakResult } from './results.ts';

/** Latencies of KV. */
const FIRST_LATENCIES = 5;
/** Milliseconds of CPU. */
const FIRST_CPU = 55;
const PAGE_CPU = 8;

const MICROSECONDS = 1_000;

/** What a soak holds at the later minute may be so much of what it holds at the earlier one. */
const EARLIER = 5;
const LATER = 30;
const SHARE = 1.05;

/** @param latency milliseconds that a key of KV takes */
export function changesBars(large: SizeResult | undefined, latency: number): Bar[] {
  const { first = [], page = null } = large?.changes ?? {};
  const what = 'changes between two releases, 100,000 stores';
  const labelOf = (limit: number) => `pages of ${count(limit)}`;
  const factor = slowness(large, 'changes');
  const growth = grown(large, 'changes');
  return [
    atMost(
      `${what}: p50 of a fresh isolate`,
      `${FIRST_LATENCIES * latency} ms`,
      first.map(({ limit, milliseconds: { p50 } }) =>
        exactly(p50, FIRST_LATENCIES * latency, labelOf(limit)),
      ),
      milliseconds,
    ),
    atMost(
      `${what}: CPU of a fresh isolate`,
      `${FIRST_CPU} ms${growth}`,
      first.flatMap(({ limit, cpu }) =>
        cpu ? [{ ...middleOf(cpu), label: labelOf(limit), bar: FIRST_CPU * factor }] : [],
      ),
      milliseconds,
    ),
    atMost(
      `${what}: CPU of a page after the first`,
      `${PAGE_CPU} ms${growth}`,
      page ? [{ ...middleOf(page), label: '', bar: PAGE_CPU * MICROSECONDS * factor }] : [],
      (microseconds) => milliseconds(microseconds / MICROSECONDS),
    ),
  ];
}

export function soakBars({ storeCount, soak }: SizeResult): Bar[] {
  const where = `soak, ${count(storeCount)} stores`;
  const share = soak ? heldShare(soak) : null;
  return [
    atMost(
      `${where}: failed answers, and turns of the release that were not followed`,
      NONE,
      soak ? [exactly(soak.failed + soak.turns - soak.followed, 0)] : [],
      String,
    ),
    atMost(
      `${where}: held at minute ${LATER}, as a share of minute ${EARLIER}`,
      percent(SHARE),
      share === null ? [] : [exactly(share, SHARE)],
      percent,
    ),
  ];
}

/** Null for a run that was too short. */
function heldShare({ held }: SoakResult): number | null {
  const at = (minute: number) => held.find((moment) => moment.minute === minute);
  const [earlier, later] = [at(EARLIER), at(LATER)];
  if (!earlier || !later) return null;
  return (later.heap + later.buffers) / (earlier.heap + earlier.buffers);
}
