/** Bars on requests that wait for storage: cold isolates, crowds, and the comparison with D1. */
import { CASES, type CaseName } from '../requests/request.ts';
import { atMost, type Bar, exactly, type Figure, middleOf, NONE } from './bar.ts';
import { figureOf, grown, slowness } from './bars-under-load.ts';
import { count, milliseconds, times } from './format.ts';
import type { ColdResult, CrowdResult, D1Result, SizeResult } from './results.ts';

const GETS: readonly CaseName[] = ['get', 'get-slug'];

const FRESH_LATENCIES = { get: 4, list: 5 };
const FRESH_STEPS = 3.6;
const DOCUMENT_STEPS = 1.4;
const FIRST_CPU = 50;

const steps = (value: number) => value.toFixed(1);

/** @param latency milliseconds that a key of KV takes */
export function coldBars(size: SizeResult, latency: number): Bar[] {
  const { cold, storeCount } = size;
  const where = `${count(storeCount)} stores`;
  const figures = (of: (result: ColdResult) => Omit<Figure, 'label'>) =>
    cold.map((result) => ({ ...of(result), label: CASES[result.name] }));
  const freshBar = (name: CaseName) =>
    latency * (GETS.includes(name) ? FRESH_LATENCIES.get : FRESH_LATENCIES.list);
  return [
    atMost(
      `cold, fresh isolate, ${where}: p50`,
      `${FRESH_LATENCIES.get * latency} ms (get), ${FRESH_LATENCIES.list * latency} ms (other)`,
      figures(({ name, fresh }) => exactly(fresh.even.milliseconds.p50, freshBar(name))),
      milliseconds,
    ),
    atMost(
      `cold, fresh isolate, ${where}: steps`,
      steps(FRESH_STEPS),
      figures(({ fresh }) => ({ ...middleOf(fresh.even.steps), bar: FRESH_STEPS })),
      steps,
    ),
    atMost(
      `cold documents, ${where}: p50`,
      `${1.5 * latency + 20} ms + 10 ms a megabyte of chunks`,
      figures(({ documents }) =>
        exactly(documents.even.milliseconds.p50, 1.5 * latency + 20 + documents.chunkBytes / 1e5),
      ),
      milliseconds,
    ),
    atMost(
      `cold documents, ${where}: steps`,
      steps(DOCUMENT_STEPS),
      figures(({ documents }) => ({ ...middleOf(documents.even.steps), bar: DOCUMENT_STEPS })),
      steps,
    ),
  ];
}

/** CPU of the first request of a fresh isolate. */
export function firstCpuBar(large: SizeResult | undefined): Bar {
  const figures = (large?.cold ?? []).flatMap(({ name, fresh: { cpu } }) =>
    cpu ? [figureOf(name, cpu, FIRST_CPU * slowness(large, 'cold'))] : [],
  );
  const bar = `${milliseconds(FIRST_CPU)}${grown(large, 'cold')}`;
  return atMost(
    'first request of a fresh isolate, 100,000 stores: CPU',
    bar,
    figures,
    milliseconds,
  );
}

export function crowdBars(storeCount: number, crowd: CrowdResult | null): Bar[] {
  const where = `${count(storeCount)} stores`;
  const equal = crowd?.equal ?? [];
  const different = crowd ? [crowd.different] : [];
  const failed = [...equal, ...different].reduce((sum, rush) => sum + rush.failed, 0);
  return [
    atMost(
      `50 equal first requests, ${where}: time`,
      'twice that of one',
      equal.map(({ name, ratio }) => figureOf(name, ratio, 2)),
      times,
    ),
    atMost(
      `50 equal first requests, ${where}: keys read beyond those of one`,
      '1',
      equal.map(({ name, extraReads }) => exactly(extraReads, 1, CASES[name])),
      String,
    ),
    atMost(
      `50 different first requests, ${where}: time`,
      'four times that of the slowest alone',
      different.map(({ ratio }) => exactly(ratio.median, 4)),
      times,
    ),
    atMost(
      `50 different first requests, ${where}: keys read again`,
      NONE,
      different.flatMap(({ readAgain }) =>
        Object.entries(readAgain).map(([kind, value]) => exactly(value, 0, kind)),
      ),
      String,
    ),
    atMost(`crowds, ${where}: failed requests`, NONE, crowd ? [exactly(failed, 0)] : [], String),
  ];
}

export function d1Bars({ storeCount, d1 }: SizeResult): Bar[] {
  const where = `${count(storeCount)} stores`;
  const figures = (which: 'first' | 'second' | 'other', bar: number) =>
    d1.map((result: D1Result) => figureOf(result.name, result[which].ratio, bar));
  return [
    atMost(`first request against D1, ${where}: time`, 'twice D1’s', figures('first', 2), times),
    atMost(`second of the same against D1, ${where}: time`, 'D1’s', figures('second', 1), times),
    atMost(
      `other cold documents against D1, ${where}: time`,
      '1.5 times D1’s',
      figures('other', 1.5),
      times,
    ),
  ];
}
