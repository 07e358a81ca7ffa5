/** What the guards find in a release, and in what differs between two. */
import { isDeepStrictEqual } from 'node:util';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { FIGURES_PART, type Figures } from '../compile/count-figures.ts';
import type { ReadDiff } from '../diff/describe-diff.ts';
import { diffReleases } from '../diff/diff-releases.ts';
import {
  type ChangedFields,
  readChanges,
  readRecord,
  recordAt,
  type StoreRecord,
} from '../diff/read-changes.ts';
import { exampleOf, findChanges, type StoreFinding } from './find-changes.ts';
import type { Finding } from './judge.ts';
import { MAX_WRONG, SHARED, STORES, WRONG } from './table.ts';
import { isEmpty, valueAt } from './wrong-values.ts';

/** Records that are read of changed stores, and of added ones. */
const MAX_READ = 1_000;

/** What was found in a store that was read; it stands for `weight` stores. */
interface WeightedFinding extends StoreFinding {
  readonly weight: number;
}

/**
 * Compares two releases by their index parts, and by the records of up to 1,000 changed and 1,000 added stores.
 * @param was null: only what is wrong in itself is found, in all stores
 * @param options with `now`, milliseconds since 1970
 * @throws CommandError release_damaged
 */
export async function measureChange(
  was: ReleaseReader | null,
  is: ReleaseReader,
  options: Pick<CommandContext, 'progress' | 'signal'> & { readonly now: number },
): Promise<{ readonly diff: ReadDiff; readonly findings: readonly Finding[] }> {
  const found = await diffReleases(was, is);
  const [changed, added] = [sampleOf(found.changed), sampleOf(found.added)];
  const lookedAt: ChangedFields[] = [];
  const inStores: WeightedFinding[] = [];
  const weigh = (findings: readonly StoreFinding[], weight: number) => {
    for (const finding of findings) inStores.push({ ...finding, weight });
  };
  for await (const change of readChanges(was, is, changed, options)) {
    const { store, fields, soleField, differences } = change;
    lookedAt.push({ fields, soleField });
    const [then, now] = [readRecord(change.before), readRecord(change.after)];
    const changes = findChanges(store, differences, then, now, options.now);
    weigh([...changes, ...findWrong(store, then, now)], found.changed.length / changed.length);
  }
  const ids = await is.table(IDS_PART);
  const records = await is.records(added.flatMap(({ id }) => ids.candidates(id)));
  for (const [index, store] of added.entries()) {
    const now = readRecord(recordAt(records, index));
    weigh(findWrong(store, null, now), found.added.length / added.length);
  }
  const diff = { ...found, lookedAt };
  const [before, after] = [await was?.table(FIGURES_PART), await is.table(FIGURES_PART)];
  const findings = addUp(inStores, diff, was && (await countHolders(was))).map((each) => {
    return countShared(each, diff, before, after);
  });
  return { diff, findings: was ? [...findStores(diff), ...findings] : findings };
}

/** Returns at most `MAX_READ` of all, evenly spread. */
function sampleOf<T>(all: readonly T[]): readonly T[] {
  if (all.length <= MAX_READ) return all;
  const step = all.length / MAX_READ;
  return Array.from({ length: MAX_READ }, (_, index) => all[Math.floor(index * step)] as T);
}

/** Finds what is wrong in a store and was not before, and what it comes to share with others, perhaps. */
function findWrong(store: StoreName, then: StoreRecord | null, now: StoreRecord): StoreFinding[] {
  const tell = (name: string, would: string, path: string): StoreFinding => {
    const example = exampleOf(store, path, valueAt(then, path), valueAt(now, path));
    return { name, kind: 'wrong', would, limit: MAX_WRONG, example };
  };
  const wrong = Object.entries(WRONG).flatMap(([name, [would, find]]) => {
    const found = find(now);
    return found && !(then && find(then)) ? [tell(name, would, found.path)] : [];
  });
  const own = Object.entries(SHARED).flatMap(([name, [would, path]]) => {
    const value = valueAt(now, path);
    const isNew = !isEmpty(value) && !isDeepStrictEqual(value, valueAt(then, path));
    return isNew ? [tell(name, would, path)] : [];
  });
  return [...wrong, ...own];
}

function findStores({ added, removed, liveStores: of }: ReadDiff): Finding[] {
  const kinds = [
    ['removed', 'loss', removed, 'there', 'gone'],
    ['added', 'change', added, 'not there', 'there'],
  ] as const;
  return kinds.map(([name, kind, stores, before, after]) => {
    const [would, limit] = STORES[name];
    const examples = stores.map((store) => ({ ...store, before, after }));
    return { name, kind, would, limit, count: stores.length, of, examples };
  });
}

/** Returns how many stores could lose something that not all have, by what would become of them. */
async function countHolders(was: ReleaseReader): Promise<ReadonlyMap<string, number>> {
  const { shown } = await was.table(FIGURES_PART);
  const hidden = was.manifest.storeCount - shown;
  const holders = new Map<string, number>([[STORES.shown[0], hidden]]);
  for (const facet of ['verticales', 'languages'] as const) {
    const { sets, count } = await was.table(setsPart(facet));
    for (const [word, held] of count(Uint32Array.from(sets.keys()))) {
      holders.set(`lose the ${facet.slice(0, -1)} ${word}`, held);
    }
  }
  return holders;
}

/** Adds up what was found in single stores. */
function addUp(
  found: readonly WeightedFinding[],
  { stores, liveStores }: ReadDiff,
  holders: ReadonlyMap<string, number> | null,
): Finding[] {
  const named = Map.groupBy(found, ({ would }) => would);
  return [...named.values()].map((same) => {
    const { name, kind, would, limit } = same[0] as WeightedFinding;
    const of = holders?.get(would) ?? (kind === 'wrong' ? stores : liveStores);
    const count = Math.round(same.reduce((sum, { weight }) => sum + weight, 0));
    const examples = same.map(({ example }) => example);
    return { name, kind, would, limit, count: Math.min(count, of), of, examples };
  });
}

/** Counts by the figures of releases which stores share something, beyond the share of stores that did before. */
function countShared(
  finding: Finding,
  { stores, liveStores }: ReadDiff,
  before: Figures | undefined,
  after: Figures,
): Finding {
  const figure = SHARED[finding.name]?.[2];
  if (!figure) return finding;
  const usual = before ? (stores * before[figure]) / liveStores : 0;
  const alike = Map.groupBy(finding.examples, (example) => example.after);
  const examples = [...alike.values()].sort((a, b) => b.length - a.length).flat();
  return { ...finding, count: Math.max(0, Math.round(after[figure] - usual)), examples };
}
