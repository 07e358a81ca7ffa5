/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { COMPARED_NAME, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { type ReleaseReader, readRelease } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import { formatCount, plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { FIGURES_PART } from '../compile/count-figures.ts';
import { diffFigures, summarizeDiff, warnOf } from '../diff/describe-diff.ts';
import { diffReleases, explainLive, type ReleaseDiff } from '../diff/diff-releases.ts';
import type { Log } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { type Allowed, type Base, judge, type Refusal } from './judge.ts';
import { MOST_READ, measureChange } from './measure-change.ts';
import { ROW_NAMES } from './table.ts';

export interface ReviewOptions {
  /** How far rows are allowed to go. */
  readonly allowed: Allowed;
  /** Whether what is live may go: to be judged as a first publication is. */
  readonly replacesAll?: boolean;
  /** Milliseconds since 1970, by the clock of the storage. */
  readonly now: number;
  /** Whether anything may be published, however it looks. */
  readonly force: boolean;
}

/** The index parts that a release is compared by. */
const COMPARED_PARTS = [
  ...[{ name: COMPARED_NAME }, CHUNKS_PART, IDS_PART],
  ...[PLACES_PART, FIGURES_PART, setsPart('verticales')],
].map(({ name }) => name);

const DAY = 24 * 60 * 60 * 1000;

/**
 * Compares `next` with what is live and tells the summary as a remark.
 * @throws CommandError live_unreadable, suspicious_change, unless `force` is given
 */
export async function reviewChange(
  next: CompiledRelease,
  log: Log,
  options: ReviewOptions,
  context: CommandContext,
) {
  const after = readRelease(next);
  const figures = await after.table(FIGURES_PART);
  const compare = () => compareAll(after, log, options, context);
  const found = await explainLive(log.head, compare).catch((error) => {
    if (options.force && error.code === 'live_unreadable') return null;
    throw error;
  });
  context.progress.end();
  if (!found) {
    context.remark('The live release cannot be read: nothing compared');
    return { diff: null, guards: null, accepted: ROW_NAMES };
  }
  const { diff, bases } = found;
  context.remark(summarizeDiff(diff));
  if (diff.live === diff.release) return { diff, guards: null, accepted: [] };
  for (const line of describeFew(bases)) context.remark(line);
  const refusals = judge(figures, bases, options.allowed);
  if (!options.force) refuse(refusals, diff);
  const accepted = [...new Set(judge(figures, bases, new Map()).map(({ name }) => name))];
  return {
    /** Null when the live release cannot be read, which only `force` allows. */
    diff,
    /** Null when there was nothing to guard: the same stores again, or nothing that can be read. */
    guards: { refusals, accepted },
    /** Rows over whose usual limits this goes: recorded, should it be published. */
    accepted: options.replacesAll ? ROW_NAMES : accepted,
  };
}

async function compareAll(
  after: ReleaseReader,
  log: Log,
  { now, replacesAll = false }: ReviewOptions,
  context: CommandContext,
) {
  const { head, releases } = log;
  const read = (manifest: PublishedManifest) => readRelease(releases.open(manifest));
  const isSame = head?.manifest.release === after.manifest.release;
  if (!head || isSame || replacesAll) {
    const live = head && read(head.manifest);
    const diff = await diffReleases(live, after, { ...context, mostRead: MOST_READ });
    return { diff, bases: [] };
  }
  const dayAgo = findDayAgo(await log.entries(), now);
  const measure = async (manifest: PublishedManifest) => {
    await releases.fetch(manifest, COMPARED_PARTS);
    return measureChange(read(manifest), after, context);
  };
  const change = await measure(head.manifest);
  const bases: Base[] = [{ ...change, against: 'live', exempt: new Set() }];
  const found = dayAgo && (await measure(dayAgo.manifest).catch(ignoreDamage));
  if (found) bases.push({ ...found, against: 'day', exempt: dayAgo.exempt });
  return { diff: change.diff, bases };
}

/**
 * The release that was live a day before `now`, or the first one if none was yet, for many small losses
 * within a day are one large one. With it come the guards over whose usual limits something was published
 * on purpose since: that must not be held against what comes after. Null when it is the live one.
 * @param entries the latest first
 * @param now milliseconds since 1970
 */
export function findDayAgo(entries: readonly LogEntry[], now: number) {
  const then = now - DAY;
  // What a purge has given up can be read no more.
  const purge = entries.findIndex(({ kind }) => kind === 'purge');
  const readable = purge < 0 ? entries : entries.slice(0, purge + 1);
  const place = readable.findIndex(({ from }) => from <= then);
  const found = readable.at(place);
  if (!found || found.manifest.release === readable[0]?.manifest.release) return null;
  const since = readable.slice(0, place);
  // Rollbacks are deliberate: exempt from all guards.
  const accepted = since.flatMap(({ kind, accepted = [] }) => {
    return kind === 'rollback' ? ROW_NAMES : accepted;
  });
  return { manifest: found.manifest, exempt: new Set(accepted) };
}

/** The live release is what has to be whole. */
function ignoreDamage(error: unknown): null {
  if (error instanceof CommandError && error.code === 'release_damaged') return null;
  throw error;
}

/** What is named although it refuses nothing: addresses shown again, and odd values. */
function describeFew([live]: readonly Base[]): string[] {
  const tell = (name: string, words: string) => {
    const { count, examples } = live?.counts.get(name) ?? { count: 0, examples: [] };
    return warnOf(
      examples.map(({ id }) => id),
      words,
      count,
    );
  };
  return [
    ...tell('shown', 'would show an address that was hidden'),
    ...tell('odd-values', 'would have an odd value'),
  ];
}

const AGAINST = {
  live: 'compared with the live release',
  day: 'compared with the oldest release of the last 24 hours',
  first: 'on a first publication',
} as const satisfies Record<Refusal['against'], string>;

/** @throws CommandError suspicious_change when there are refusals */
function refuse(refusals: readonly Refusal[], diff: ReleaseDiff): void {
  const [first, ...others] = refusals;
  if (!first) return;
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more reason')}`;
  const message = `${describeRefusal(first)}${more}: this looks like a bad export; nothing was published`;
  throw new CommandError(message, 'suspicious_change', {
    details: { refusals, diff: diffFigures(diff) },
    explanation: [
      ...refusals.map(explain),
      '',
      'Is the export right? snapshot diff names the stores and what would change in them.',
      'If so, give the options named above. Give --allow changed only if the others are not enough:',
      'stores that differ only in allowed fields do not count as changed. --force passes all.',
    ].join('\n'),
  });
}

/** What one refusal says, without its limit: `3 of 10 stores (30 %) would go`. */
function describeRefusal({ count, of, share, before, would }: Refusal): string {
  const rise = before === null ? '' : `, ${percent(before)} before`;
  const stores = `${formatCount(count)} of ${plural(of, 'store')} (${percent(share)}${rise})`;
  return `${stores} would ${would}`;
}

function explain(refusal: Refusal): string {
  const { name, against, before, limit, enough, examples } = refusal;
  const allowed = before === null ? `at most ${percent(limit)}` : `at most ${limit} points more`;
  const title = `  ${name}: ${describeRefusal(refusal)}, ${AGAINST[against]}, ${allowed} (--allow ${name}=${enough})`;
  // Values are foreign text: nothing in them may reach a terminal as it is.
  const shown = examples.map(({ id, slug, path, before: was, after }) => {
    const store = path === undefined ? `${id} ${slug}` : `${id} ${slug} ${path}`;
    return `      ${visible(`${store}: ${was} → ${after}`)}`;
  });
  return [title, ...shown].join('\n');
}

function percent(share: number): string {
  return `${Math.round(10 * share) / 10} %`;
}
