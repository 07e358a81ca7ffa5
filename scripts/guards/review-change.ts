/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { COMPARED_NAME, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import { type CompiledRelease, type ReleaseReader, readRelease } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import { formatCount, plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { FIGURES_PART } from '../compile/count-figures.ts';
import { diffFigures, type ReadDiff, summarizeDiff, warnOf } from '../diff/describe-diff.ts';
import { diffReleases, explainLive } from '../diff/diff-releases.ts';
import type { Log } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { type Allowed, type Base, judge, type Refusal } from './judge.ts';
import { measureChange } from './measure-change.ts';
import { GUARD_NAMES } from './table.ts';

export interface ReviewOptions {
  /** How far guards are allowed to go. */
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
  ...[{ name: COMPARED_NAME }, CHUNKS_PART, IDS_PART, FIGURES_PART],
  ...[setsPart('verticales'), setsPart('languages')],
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
  const compare = () => compareAll(readRelease(next), log, options, context);
  const found = await explainLive(log.head, compare).catch((error) => {
    if (options.force && error.code === 'live_unreadable') return null;
    throw error;
  });
  context.progress.end();
  if (!found) {
    context.remark('The live release cannot be read: nothing compared');
    return { diff: null, guards: null, accepted: GUARD_NAMES };
  }
  const { bases } = found;
  context.remark(summarizeDiff(found.diff));
  const diff = diffFigures(found.diff);
  if (diff.live === diff.release) return { diff, guards: null, accepted: [] };
  const refusals = judge(bases, options.allowed);
  for (const line of describeFew(bases, refusals)) context.remark(line);
  if (!options.force) refuse(refusals, diff);
  const accepted = [...new Set(judge(bases, new Map()).map(({ name }) => name))];
  return {
    /** Null when the live release cannot be read, which only `force` allows. */
    diff,
    /** Null when there was nothing to guard: the same stores again, or nothing that can be read. */
    guards: { refusals, accepted },
    /** Guards over whose usual limits this goes: recorded, should it be published. */
    accepted: options.replacesAll ? GUARD_NAMES : accepted,
  };
}

async function compareAll(
  after: ReleaseReader,
  log: Log,
  { now, replacesAll = false }: ReviewOptions,
  context: CommandContext,
): Promise<{ readonly diff: ReadDiff; readonly bases: readonly Base[] }> {
  const { head, releases } = log;
  if (head?.manifest.release === after.manifest.release) {
    const same = await diffReleases(after, after);
    return { diff: { ...same, lookedAt: [] }, bases: [] };
  }
  const measure = async (manifest: PublishedManifest | null) => {
    if (manifest) await releases.fetch(manifest, COMPARED_PARTS);
    const before = manifest && readRelease(releases.open(manifest));
    return measureChange(before, after, { ...context, now });
  };
  const { diff, findings } = await measure(head?.manifest ?? null);
  const exempt = new Set<string>();
  if (!head || replacesAll) {
    const all = head ? await measure(null) : { findings };
    return { diff, bases: [{ ...all, against: 'first', exempt }] };
  }
  const bases: Base[] = [{ findings, against: 'live', exempt }];
  const dayAgo = findDayAgo(await log.entries(), now);
  const earlier = dayAgo && (await measure(dayAgo.manifest).catch(ignoreDamage));
  if (earlier) bases.push({ ...earlier, against: 'day', exempt: dayAgo.exempt });
  return { diff, bases };
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
  const index = readable.findIndex(({ from }) => from <= then);
  const found = readable.at(index);
  if (!found || found.manifest.release === readable[0]?.manifest.release) return null;
  const since = readable.slice(0, index);
  // Rollbacks are deliberate: exempt from all guards.
  const accepted = since.flatMap(({ kind, accepted = [] }) => {
    return kind === 'rollback' ? GUARD_NAMES : accepted;
  });
  return { manifest: found.manifest, exempt: new Set(accepted) };
}

/** The live release is what has to be whole. */
function ignoreDamage(error: unknown): null {
  if (error instanceof CommandError && error.code === 'release_damaged') return null;
  throw error;
}

/** Names what refuses nothing: addresses shown again, and what is wrong in itself in more than one store. */
function describeFew([base]: readonly Base[], refusals: readonly Refusal[]): string[] {
  const refused = new Set(refusals.map(({ name }) => name));
  return (base?.findings ?? []).flatMap(({ name, kind, would, count, examples }) => {
    const isNamed = name === 'shown' || (kind === 'wrong' && count > 1);
    if (!isNamed || refused.has(name)) return [];
    const ids = examples.map(({ id }) => id);
    return warnOf(ids, `would ${would}`, count);
  });
}

const AGAINST = {
  live: 'compared with the live release',
  day: 'compared with the oldest release of the last 24 hours',
  first: 'on a first publication',
} as const satisfies Record<Refusal['against'], string>;

/** @throws CommandError suspicious_change when there are refusals */
function refuse(refusals: readonly Refusal[], diff: ReturnType<typeof diffFigures>): void {
  const [first, ...others] = refusals;
  if (!first) return;
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more reason')}`;
  const message = `${describeRefusal(first)}${more}: this looks like a bad export; nothing was published`;
  throw new CommandError(message, 'suspicious_change', {
    details: { refusals, diff },
    explanation: [
      ...refusals.map(explain),
      '',
      'Is the export right? snapshot diff names the stores and what would change in them.',
      'If so, give the options named above; --force passes all.',
    ].join('\n'),
  });
}

/** Says what is refused, without its limit: `3 of 10 stores (30 %) would go`. */
function describeRefusal({ count, of, share, would }: Refusal): string {
  return `${formatCount(count)} of ${plural(of, 'store')} (${percent(share)}) would ${would}`;
}

function explain(refusal: Refusal): string {
  const { name, against, limit, enough, examples } = refusal;
  const title = `  ${name}: ${describeRefusal(refusal)}, ${AGAINST[against]}, at most ${percent(limit)} (--allow ${name}=${enough})`;
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
