/** What the guards find in a release, and in what differs between two. */
import { isDeepStrictEqual } from 'node:util';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { FIGURES_PART } from '../compile/count-figures.ts';
import { diffReleases, type ReleaseDiff, type StorePair } from '../diff/diff-releases.ts';
import { readChanges, readRecord, showValues } from '../diff/read-changes.ts';
import { type JsonObject, valuesIn } from '../source/values-in.ts';
import { findChanges, type StoreFinding } from './find-changes.ts';
import type { Finding } from './judge.ts';
import { WRONG, wordGuard } from './table.ts';
import { valueAt } from './wrong-values.ts';

/** Records that are read of changed stores, and of added ones. */
const MAX_READ = 1_000;

/** What was found in a store that was read; it stands for `weight` stores. */
interface WeightedFinding extends StoreFinding {
  readonly weight: number;
}

/**
 * Compares two releases by their index parts, and by the records of up to 1,000 changed and 1,000 added stores.
 * @param live null: only what is wrong in itself is found, in all stores
 * @param options with `now`, milliseconds since 1970
 * @throws CommandError release_damaged
 */
export async function measureChange(
  live: ReleaseReader | null,
  next: ReleaseReader,
  options: Pick<CommandContext, 'progress' | 'signal'> & { readonly now: number },
): Promise<{ readonly diff: ReleaseDiff; readonly findings: readonly Finding[] }> {
  const diff = await diffReleases(live, next);
  const found: WeightedFinding[] = [];
  for (const stores of [diff.changed, diff.added]) {
    const sample = sampleOf<StorePair>(stores);
    const weight = stores.length / sample.length;
    for await (const change of readChanges(diff, live, next, sample, options)) {
      const { store, was, is, index } = change;
      const [then, now] = [was && readRecord(was, index), readRecord(is, index)];
      const changes = then ? findChanges(change, then, now, options.now) : [];
      const findings = [...changes, ...findWrong(store, then, now)];
      for (const finding of findings) found.push({ ...finding, weight });
    }
  }
  const moves = [
    ['removed', 'loss', diff.removed, 'there', 'gone'],
    ['added', 'change', live ? diff.added : [], 'not there', 'there'],
  ] as const;
  for (const [name, kind, stores, before, after] of moves) {
    for (const { id, slug } of stores) {
      found.push({ name, kind, example: { id, slug, before, after }, weight: 1 });
    }
  }
  return { diff, findings: await addUp(found, diff, live, next) };
}

/** Returns at most `MAX_READ` of all, evenly spread. */
function sampleOf<T>(all: readonly T[]): readonly T[] {
  const length = Math.min(MAX_READ, all.length);
  return Array.from({ length }, (_, index) => all[Math.floor((index * all.length) / length)] as T);
}

/** Finds what is wrong in a store and was not before, and what it comes to share with others, perhaps. */
function findWrong(store: StoreName, then: JsonObject | null, now: JsonObject): StoreFinding[] {
  const [old, values] = [then ? [...valuesIn(then)] : [], [...valuesIn(now)]];
  return Object.entries(WRONG).flatMap(([name, [, isWrong, figure]]): StoreFinding[] => {
    const was = old.find((each) => isWrong(each, then ?? now));
    const is = values.find((each) => isWrong(each, now));
    if (!is || (was && (!figure || isDeepStrictEqual(was, is)))) return [];
    const { path, value } = is;
    const example = { ...store, path, ...showValues(valueAt(then, path), value) };
    return [{ name, kind: 'wrong', example }];
  });
}

/** Adds up what was found in single stores. What they share is counted beyond the share of stores that did before. */
async function addUp(
  found: readonly WeightedFinding[],
  { stores, liveStores }: ReleaseDiff,
  live: ReleaseReader | null,
  next: ReleaseReader,
): Promise<Finding[]> {
  const [before, after] = [await live?.table(FIGURES_PART), await next.table(FIGURES_PART)];
  const holders = live && (await countHolders(live));
  const named = Map.groupBy(found, ({ name, kind }) => `${kind} ${name}`);
  return [...named.values()].map((same) => {
    const { name, kind } = same[0] as WeightedFinding;
    const all = kind === 'wrong' ? stores : liveStores;
    const of = (kind === 'loss' && holders?.get(name)) || all;
    const figure = WRONG[name]?.[2];
    const usual = before && figure ? (stores * before[figure]) / liveStores : 0;
    const seen = same.reduce((sum, { weight }) => sum + weight, 0);
    const count = Math.max(0, Math.round(figure ? after[figure] - usual : seen));
    // The first are the most alike.
    const alike = Map.groupBy(same, ({ example }) => example.after);
    const sorted = [...alike.values()].sort((a, b) => b.length - a.length).flat();
    const examples = sorted.map(({ example }) => example);
    return { name, kind, count: kind === 'loss' ? Math.min(count, of) : count, of, examples };
  });
}

/** Returns how many stores could lose something that not all have, by the guard of it. */
async function countHolders(was: ReleaseReader): Promise<ReadonlyMap<string, number>> {
  const { shown } = await was.table(FIGURES_PART);
  const holders = new Map([['shown', was.manifest.storeCount - shown]]);
  for (const what of ['verticale', 'language'] as const) {
    const { sets, count } = await was.table(setsPart(`${what}s`));
    for (const [word, held] of count(Uint32Array.from(sets.keys()))) {
      holders.set(wordGuard(what, word), held);
    }
  }
  return holders;
}
