/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import { DAY } from '../../src/hours/clock.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { ignoreDamage, type ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import { formatCount, plural } from '../cli/output.ts';
import { diffReleases } from '../diff/compare-releases.ts';
import {
  type DiffFigures,
  describeValue,
  diffFigures,
  summarizeDiff,
  warnOf,
} from '../diff/describe-diff.ts';
import { type Log, readEntries } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type Finding, measureChange } from './measure-change.ts';
import { type Allowed, GUARD_NAMES, RULES, SHOWN } from './table.ts';

/** Below so many stores, only what all of them lose or have wrong is refused. */
const MIN_FOR_SHARES = 20;

/** What is so of at most this many stores is never refused. */
const MAX_FEW = 2;

/** How many times as many stores may lose or change something within a day. */
const IN_A_DAY = 2;

/** Examples shown of each refusal. */
const MAX_EXAMPLES = 2;

export interface ReviewOptions {
  /** How far guards are allowed to go. */
  readonly allowed: Allowed;
  /** Whether what is live may go: to be judged as a first publication is. */
  readonly replacesAll: boolean;
  /** Milliseconds since 1970, by the clock of the storage. */
  readonly now: number;
  /** Whether anything may be published, however it looks. */
  readonly force: boolean;
}

/**
 * Compares `next` with what is live and tells the summary as a remark. Returns what differs, and the guards over whose
 * usual limits this goes (`accepted`), which are recorded, should it be published.
 * @throws CommandError live_unreadable, suspicious_change, unless `force` is given
 */
export async function reviewChange(
  next: ReleaseReader,
  target: SnapshotTarget,
  log: Log,
  options: ReviewOptions,
) {
  const { context } = target;
  const { force, allowed, replacesAll } = options;
  const found = await compareAll(next, target, log, options).catch((error) => {
    if (force && error.code === 'live_unreadable') return null;
    throw error;
  });
  context.progress.end();
  if (!found) {
    context.remark('The live release cannot be read: nothing compared');
    return { diff: null, guards: { refusals: [], accepted: GUARD_NAMES } };
  }
  const { findings } = found;
  const diff = diffFigures(found.diff);
  context.remark(summarizeDiff(diff));
  const refusals = judge(findings, allowed);
  describeFew(findings, refusals).forEach(context.remark);
  if (refusals.length > 0 && !force) throw refusalError(refusals, diff);
  const usual = judge(findings, new Map()).map(({ name }) => name);
  return { diff, guards: { refusals, accepted: replacesAll ? GUARD_NAMES : [...new Set(usual)] } };
}

/** The index parts that a release is compared by. */
const COMPARED_PARTS = /^(ids|compared|chunks|figures|sets)\b/;

/** Finds what the guards judge: nothing for the same stores again. */
async function compareAll(
  after: ReleaseReader,
  target: SnapshotTarget,
  { head, open }: Log,
  { now, replacesAll }: ReviewOptions,
) {
  const live = replacesAll ? null : head?.manifest;
  if (live?.release === after.manifest.release) {
    return { diff: await diffReleases(after, after), findings: [] };
  }
  const measure = async (manifest: PublishedManifest | null, against: Finding['against']) => {
    const before = manifest && open(manifest, against === 'live' ? 'live_unreadable' : undefined);
    const parts = Object.entries(manifest?.parts ?? {});
    const compared = parts.filter(([name]) => COMPARED_PARTS.test(name));
    // Together, for that costs less than one by one.
    await before?.objects(compared.map(([, ref]) => ref));
    return measureChange(before, after, against, { ...target.context, now });
  };
  if (!live) return measure(null, 'first');
  const found = await measure(live, 'live');
  const dayAgo = findDayAgo(await readEntries(target, head), now);
  // Only the live release has to be whole.
  const earlier = dayAgo && (await measure(dayAgo.manifest, 'day').catch(ignoreDamage));
  const kept = earlier?.findings.filter(({ name }) => !dayAgo?.exempt.has(name)) ?? [];
  return { ...found, findings: [...found.findings, ...kept] };
}

/**
 * Returns the release that was live a day before `now`, or the first one if none was yet, for many small losses
 * within a day are one large one. With it come the guards over whose usual limits something was published
 * on purpose since: that must not be held against what comes after. Null when it is the live one.
 * @param entries the latest first
 * @param now milliseconds since 1970
 */
export function findDayAgo(entries: readonly LogEntry[], now: number) {
  // What a purge has given up can be read no more.
  const index = entries.findIndex(({ from, kind }) => from <= now - DAY || kind === 'purge');
  const found = entries.at(index);
  if (!found || found.manifest.release === entries[0]?.manifest.release) return null;
  // Rollbacks are deliberate: exempt from all guards.
  const exempt = entries.slice(0, index).flatMap(({ kind, accepted }) => {
    return kind === 'rollback' ? GUARD_NAMES : accepted;
  });
  return { manifest: found.manifest, exempt: new Set(exempt) };
}

/** Why a release should not go live. */
export type Refusal = ReturnType<typeof judge>[number];

/** Returns whether a guard found more than so many percent, and more than a few. */
function exceeds({ kind, count, of, share }: Finding, limit: number): boolean {
  const isRelevant = of >= MIN_FOR_SHARES || (kind !== 'change' && count >= of);
  return isRelevant && count > MAX_FEW && share > limit;
}

/** Returns what is wrong with a release, in the order of the table: each rule that is broken, where that is worst. */
export function judge(findings: readonly Finding[], allowed: Allowed) {
  const refused = findings.flatMap((finding) => {
    const { name, kind, against } = finding;
    const times = against === 'day' && kind !== 'wrong' ? IN_A_DAY : 1;
    const limit = Math.max(times * finding.limit, allowed.get(name) ?? 0);
    const examples = finding.examples.slice(0, MAX_EXAMPLES);
    return kind !== 'doubt' && exceeds(finding, limit) ? [{ ...finding, limit, examples }] : [];
  });
  refused.sort((a, b) => b.share - a.share);
  return RULES.flatMap((rule) => {
    const worst = refused.find(({ would }) => would === rule.would);
    const { share = 0 } = refused.find(({ name }) => name === rule.name) ?? {};
    /** The least percent that lets all pass that the guard refuses. */
    return worst ? [{ ...worst, enough: Math.ceil(share) }] : [];
  });
}

/** Names what refuses nothing: addresses shown again, what is wrong in itself in more stores than one, and doubts. */
export function describeFew(findings: readonly Finding[], refusals: readonly Refusal[]): string[] {
  return findings.flatMap((finding) => {
    const { name, kind, count, examples, would, limit, against } = finding;
    const isFew = name === SHOWN.name || (kind === 'wrong' && count > 1);
    const isTold = isFew || (kind === 'doubt' && exceeds(finding, limit));
    if (!isTold || against === 'day' || refusals.some((each) => each.name === name)) return [];
    return warnOf(
      examples.map(({ id }) => id),
      `would ${would}`,
      count,
    );
  });
}

/** What a release may be held against. */
const AGAINST = {
  live: 'compared with the live release',
  day: 'compared with the oldest release of the last 24 hours',
  first: 'on a first publication',
};

function refusalError(refusals: readonly Refusal[], diff: DiffFigures): CommandError {
  const names = [...new Set(refusals.map(({ name }) => name))].join(', ');
  const message = `refused by ${names}: this looks like a bad export; nothing was published`;
  const explanation = [
    ...refusals.flatMap(explain),
    '',
    'Is the export right? snapshot diff names the stores and what would change in them.',
    'If so, give the options named above; --force passes all.',
  ];
  return new CommandError(message, 'suspicious_change', {
    details: { refusals, diff },
    explanation: explanation.join('\n'),
  });
}

/** Says what is refused: `removed: 3 of 10 stores (30 %) would go, …`. */
function explain({ name, count, of, share, would, against, limit, enough, examples }: Refusal) {
  const stores = `${formatCount(count)} of ${plural(of, 'store')} (${Number(share.toFixed(1))} %)`;
  return [
    `  ${name}: ${stores} would ${would}, ${AGAINST[against]}, at most ${limit} % (--allow ${name}=${enough})`,
    ...examples.map(({ id, slug, path, ...value }) => {
      return `      ${describeValue([id, slug, path].filter(Boolean).join(' '), value)}`;
    }),
  ];
}
