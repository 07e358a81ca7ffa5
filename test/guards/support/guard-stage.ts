/** What the guards say of releases, which are compiled in memory. */

import { type ReleaseReader, readRelease } from '../../../scripts/build/release-reader.ts';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { measureChange } from '../../../scripts/guards/measure-change.ts';
import { type FindingAgainst, judge, type Refusal } from '../../../scripts/guards/review-change.ts';
import type { Allowed } from '../../../scripts/guards/table.ts';
import { type CompiledStores, ReleaseSeries } from '../../support/stores/compiled-stores.ts';

const WATCH = {
  ...{ progress: SILENT_PROGRESS, signal: new AbortController().signal },
  now: Date.UTC(2027, 5, 1),
};

/** What is allowed or was, besides the usual. */
export interface Circumstances {
  readonly allowed?: Allowed;
  /** Rows that were passed within the day. */
  readonly exempt?: ReadonlySet<string>;
}

const series = new ReleaseSeries();
const compiled = new Map<readonly SourceStore[], CompiledStores>();

async function release(stores: readonly SourceStore[]): Promise<ReleaseReader> {
  const known = compiled.get(stores) ?? (await series.compile(stores));
  compiled.set(stores, known);
  return readRelease(known);
}

/** What the guards say of `next`, after `live` and, a day ago, `dayAgo`; null: nothing was live. */
export async function judged(
  next: readonly SourceStore[],
  live: readonly SourceStore[] | null,
  dayAgo: readonly SourceStore[] | null = null,
  { allowed = new Map(), exempt = new Set() }: Circumstances = {},
): Promise<Refusal[]> {
  const found = async (against: FindingAgainst['against'], before: typeof live) => {
    const { findings } = await measureChange(
      before && (await release(before)),
      await release(next),
      WATCH,
    );
    return findings.map((finding) => ({ ...finding, against }));
  };
  const day = dayAgo ? await found('day', dayAgo) : [];
  const held = day.filter(({ name }) => !exempt.has(name));
  return judge([...(await found(live ? 'live' : 'first', live)), ...held], allowed);
}

/** `name against` of each refusal. */
export const namesOf = (refusals: readonly Refusal[]) =>
  refusals.map(({ name, against }) => `${name} ${against}`);
