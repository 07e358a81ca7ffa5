/** All bars of the project, held against the results of a run. */
import { atMost, type Bar, exactly, type Figure, NONE } from './bar.ts';
import { changesBars, soakBars } from './bars-across-releases.ts';
import { coldBars, crowdBars, d1Bars, firstCpuBar } from './bars-far-from-storage.ts';
import { barsUnderLoad } from './bars-under-load.ts';
import { count, mebibytes, percent, seconds } from './format.ts';
import type { MemoryResult, PublishingResult, Results, SizeResult } from './results.ts';

const SMALL = 2_500;
const LARGE = 100_000;

/** Bytes that an isolate may take at its worst moment. */
const MEMORY_LIMIT = 128 * 1024 * 1024;
const CHANGED_SHARE_LIMIT = 0.08;
const WRITE_LIMIT = 1_000;
const SMALL_BUILD_LIMIT = 3;
const LARGE_BUILD_LIMIT = 90;

export function holdBars({ environment: { latency }, sizes }: Results): Bar[] {
  const small = sizes.find(({ storeCount }) => storeCount === SMALL);
  const large = sizes.find(({ storeCount }) => storeCount === LARGE);
  return [
    ...barsUnderLoad(small, large),
    ...sizes.flatMap((size) => coldBars(size, latency)),
    firstCpuBar(large),
    ...sizes.flatMap(({ storeCount, crowd }) => crowdBars(storeCount, crowd)),
    ...sizes.flatMap(({ storeCount, memory }) => memoryBars(storeCount, memory)),
    ...sizes.flatMap(d1Bars),
    ...publishingBars(small, large),
    ...changesBars(large, latency),
    ...sizes.flatMap(soakBars),
  ];
}

function memoryBars(storeCount: number, memory: MemoryResult | null): Bar[] {
  const where = `${count(storeCount)} stores`;
  const phases = (memory?.phases ?? []).map(({ title, heap, buffers }) =>
    exactly(heap + buffers, MEMORY_LIMIT, title),
  );
  return [
    atMost(`memory, ${where}: worst moment`, mebibytes(MEMORY_LIMIT), phases, mebibytes),
    atMost(
      `memory, ${where}: failed answers, and changes of release that were not followed`,
      NONE,
      memory ? [exactly(memory.failed + missedChanges(memory), 0)] : [],
      String,
    ),
  ];
}

function missedChanges({ followedPublication, followedRollback }: MemoryResult): number {
  return [followedPublication, followedRollback].filter((followed) => !followed).length;
}

function publishingBars(small: SizeResult | undefined, large: SizeResult | undefined): Bar[] {
  const figure = (
    size: SizeResult | undefined,
    read: (result: PublishingResult) => number | null,
    bar: number,
  ): Figure[] => {
    const value = size?.publishing ? read(size.publishing) : null;
    return value === null ? [] : [exactly(value, bar, `${size?.storeCount} stores`)];
  };
  return [
    atMost(
      'first publication of 2,500 stores: KV writes',
      count(WRITE_LIMIT),
      figure(small, ({ writes }) => writes, WRITE_LIMIT),
      count,
    ),
    atMost(
      'share of the bytes that go up after 1 % of the stores changed',
      percent(CHANGED_SHARE_LIMIT),
      [small, large].flatMap((size) =>
        figure(size, ({ changedShare }) => changedShare, CHANGED_SHARE_LIMIT),
      ),
      percent,
    ),
    atMost(
      'build of 2,500 stores',
      seconds(SMALL_BUILD_LIMIT),
      figure(small, ({ buildSeconds }) => buildSeconds, SMALL_BUILD_LIMIT),
      seconds,
    ),
    atMost(
      'build of 100,000 stores',
      seconds(LARGE_BUILD_LIMIT),
      figure(large, ({ buildSeconds }) => buildSeconds, LARGE_BUILD_LIMIT),
      seconds,
    ),
  ];
}
