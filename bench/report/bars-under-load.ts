/** Bars on the service under load: hot, and over the whole directory. */
import type { Regime } from '../regimes.ts';
import { CASES, type CaseName } from '../requests/request.ts';
import type { ContenderName } from '../server/configuration.ts';
import { atLeast, atMost, type Bar, exactly, type Figure, middleOf, NONE } from './bar.ts';
import { milliseconds, times } from './format.ts';
import type { CaseResult, SizeResult } from './results.ts';
import type { Spread } from './statistics.ts';

/** Microseconds that the constant answer takes on the machine that bars on CPU were set for. */
export const YARDSTICK = 450;

const MILLISECOND = 1_000;

/** Microseconds of CPU over the whole of a large directory. */
const WHOLE_CPU: readonly (readonly [CaseName, number])[] = [
  ['list', 8 * MILLISECOND],
  ['names', 12 * MILLISECOND],
  ['near-wide', 12 * MILLISECOND],
  ['list-20', 3 * MILLISECOND],
  ['names-20', 4 * MILLISECOND],
  ['near-city', 4 * MILLISECOND],
];
const ORDER_CPU = 8 * MILLISECOND;

type Size = SizeResult | undefined;

/** By how much the machine, as it was when this was measured, is slower than the one of the bars. */
export function slowness(size: Size, regime: Regime): number {
  const apart = size?.apart?.[regime];
  const yardstick = apart ? apart.yardstick : size?.yardstick;
  return slownessBy(yardstick?.median ?? YARDSTICK);
}

/** The same by the CPU that the constant answer of 0.9 MB takes, in microseconds. */
export function slownessBy(yardstick: number): number {
  return Math.max(1, yardstick / YARDSTICK);
}

export function barsUnderLoad(small: Size, large: Size): Bar[] {
  return [
    hotBar('list of 100 whole stores, against the limit', small, ['list'], 'limit', 0.85),
    hotBar('one store, against the limit', small, ['get', 'get-slug'], 'limit', 0.75),
    hotBar('list of 100 with five fields, against the limit', small, ['list-fields'], 'limit', 0.4),
    hotBar(
      'lists of 100, with five fields and whole, against the obvious app',
      small,
      ['list-fields', 'list'],
      'obvious',
      6,
    ),
    hotBar('nearest 20 in towns, 100,000 stores, against it', large, ['near-city'], 'obvious', 30),
    atLeast(
      'whole, 2,500 stores: share of the limit, against the same case hot',
      '0.85×',
      (small?.cases ?? []).flatMap(({ name, wholeAgainstHot }) =>
        wholeAgainstHot ? [figureOf(name, wholeAgainstHot, 0.85)] : [],
      ),
      times,
    ),
    atMost(
      'whole, 2,500 stores: parts and chunks read from KV',
      NONE,
      (small?.cases ?? []).flatMap(({ name, whole }) =>
        whole ? [exactly(whole.objectReads, 0, CASES[name])] : [],
      ),
      String,
    ),
    atMost(
      'whole, 100,000 stores: CPU of a list of 100 by id / 100 scattered / 20 by id / 20 scattered',
      `8 / 12 / 3 / 4 ms${grown(large, 'whole')}`,
      wholeCpu(large),
      writeMicroseconds,
    ),
    atMost(
      'whole, 100,000 stores: CPU for making an order of two keys',
      `8 ms${grown(large, 'whole')}`,
      large?.orders?.added
        ? [
            {
              ...middleOf(large.orders.added),
              label: '',
              bar: ORDER_CPU * slowness(large, 'whole'),
            },
          ]
        : [],
      writeMicroseconds,
    ),
  ];
}

/** Says that bars on CPU are higher on this machine. */
export function grown(size: Size, regime: Regime): string {
  const factor = slowness(size, regime);
  return factor > 1 ? ` × ${factor.toFixed(2)}` : '';
}

function hotBar(
  what: string,
  size: Size,
  names: readonly CaseName[],
  contender: ContenderName,
  bar: number,
): Bar {
  const figures = names.flatMap((name) => {
    const ratio = caseOf(size, name)?.hot?.ratios[contender];
    return ratio ? [figureOf(name, ratio, bar)] : [];
  });
  return atLeast(`hot: ${what}`, times(bar), figures, times);
}

function wholeCpu(large: Size): Figure[] {
  return WHOLE_CPU.flatMap(([name, bar]) => {
    const cpu = caseOf(large, name)?.whole?.contenders.ours?.cpu;
    return cpu ? [figureOf(name, cpu, bar * slowness(large, 'whole'))] : [];
  });
}

function caseOf(size: Size, name: CaseName): CaseResult | undefined {
  return size?.cases.find((group) => group.name === name);
}

/** The figure of a case that was taken in rounds. */
export function figureOf(name: CaseName, spread: Spread, bar: number): Figure {
  return { ...middleOf(spread), label: CASES[name], bar };
}

function writeMicroseconds(value: number): string {
  return milliseconds(value / MILLISECOND);
}
