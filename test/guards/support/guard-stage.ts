/** What the guards say of releases, which are compiled in memory. */
import { expect } from 'vitest';
import { type ReleaseReader, readRelease } from '../../../scripts/build/release-reader.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { type Finding, measureChange } from '../../../scripts/guards/measure-change.ts';
import { describeFew, judge, type Refusal } from '../../../scripts/guards/review-change.ts';
import type { Allowed } from '../../../scripts/guards/table.ts';
import { commandContext } from '../../support/command-context.ts';
import { ReleaseSeries } from '../../support/stores/compiled-stores.ts';

const WATCH = { ...commandContext(), now: Date.UTC(2027, 5, 1) };

/** What is allowed or was, besides the usual. */
export interface Circumstances {
  readonly allowed?: Allowed;
  /** Rows that were passed within the day. */
  readonly exempt?: ReadonlySet<string>;
}

const series = new ReleaseSeries();
const readers = new WeakMap<readonly SourceStore[], ReleaseReader>();

async function release(stores: readonly SourceStore[]): Promise<ReleaseReader> {
  const reader = readers.get(stores) ?? readRelease(await series.compile(stores));
  readers.set(stores, reader);
  return reader;
}

/** What is found in `next`, after `before`; null: nothing was live. */
export async function findingsOf(
  next: readonly SourceStore[],
  against: Finding['against'],
  before: readonly SourceStore[] | null,
) {
  const live = before && (await release(before));
  return (await measureChange(live, await release(next), against, WATCH)).findings;
}

/** What the guards say of `next`, after `live` and, a day ago, `dayAgo`; null: nothing was live. */
export async function judged(
  next: readonly SourceStore[],
  live: readonly SourceStore[] | null,
  dayAgo: readonly SourceStore[] | null = null,
  { allowed = new Map(), exempt = new Set() }: Circumstances = {},
): Promise<Refusal[]> {
  const day = dayAgo ? await findingsOf(next, 'day', dayAgo) : [];
  const held = day.filter(({ name }) => !exempt.has(name));
  return judge([...(await findingsOf(next, live ? 'live' : 'first', live)), ...held], allowed);
}

/** The warnings at a first publication that is not refused, or at one after `live`. */
export async function warnings(
  stores: readonly SourceStore[],
  live: readonly SourceStore[] | null = null,
): Promise<string[]> {
  const findings = await findingsOf(stores, live ? 'live' : 'first', live);
  expect(judge(findings, new Map())).toEqual([]);
  return describeFew(findings, []);
}

/** `name against` of each refusal. */
export const namesOf = (refusals: readonly Refusal[]) =>
  refusals.map(({ name, against }) => `${name} ${against}`);
