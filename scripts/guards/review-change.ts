/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import { DAY } from '../../src/hours/clock.ts';
import type { ObjectRef, PublishedManifest } from '../../src/snapshot/manifest.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import { ignoreDamage, type ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import { formatCount, plural } from '../cli/output.ts';
import { diffReleases } from '../diff/compare-releases.ts';
import { describeValue, diffFigures, summarizeDiff, warnOf } from '../diff/describe-diff.ts';
import { type Log, readEntries } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type Finding, measureChange } from './measure-change.ts';
import { type Allowed, GUARD_NAMES, ruleOf, WRONG } from './table.ts';

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
  readonly replacesAll?: boolean;
  /** Milliseconds since 1970, by the clock of the storage. */
  readonly now: number;
  /** Whether anything may be published, however it looks. */
  readonly force: boolean;
}

/** The index parts that a release is compared by. */
const COMPARED_PARTS = [
  ...['compared', 'chunks', 'ids', 'figures'],
  ...[setsPart('verticales').name, setsPart('languages').name],
];

/**
 * Compares `next` with what is live and tells the summary as a remark.
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
    return { diff: null, guards: null, accepted: GUARD_NAMES };
  }
  const { findings } = found;
  context.remark(summarizeDiff(found.diff));
  const diff = diffFigures(found.diff);
  if (!findings) return { diff, guards: null, accepted: [] };
  const refusals = judge(findings, allowed);
  for (const line of describeFew(findings, refusals)) context.remark(line);
  if (refusals.length > 0 && !force) throw refusalError(refusals, diff);
  const accepted = [...new Set(judge(findings, new Map()).map(({ name }) => name))];
  return {
    /** Null when the live release cannot be read, which only `force` allows. */
    diff,
    /** Null when there was nothing to guard: the same stores again, or nothing that can be read. */
    guards: { refusals, accepted },
    /** Guards over whose usual limits this goes: recorded, should it be published. */
    accepted: replacesAll ? GUARD_NAMES : accepted,
  };
}

/** Finds what the guards judge; null for the same stores again. */
async function compareAll(
  after: ReleaseReader,
  target: SnapshotTarget,
  { head, open }: Log,
  { now, replacesAll = false }: ReviewOptions,
) {
  const live = head?.manifest ?? null;
  if (live?.release === after.manifest.release) {
    return { diff: await diffReleases(after, after), findings: null };
  }
  const measure = async (
    manifest: PublishedManifest | null,
    against: FindingAgainst['against'],
  ) => {
    const before = manifest && open(manifest, against === 'live' ? 'live_unreadable' : undefined);
    // Together, for that costs less than one by one.
    await before?.objects(COMPARED_PARTS.map((name) => before.manifest.parts[name] as ObjectRef));
    const { diff, findings } = await measureChange(before, after, { ...target.context, now });
    return { diff, findings: findings.map((each) => ({ ...each, against })) };
  };
  const found = await measure(live, live ? 'live' : 'first');
  if (!live) return found;
  if (replacesAll) return { ...(await measure(null, 'first')), diff: found.diff };
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

/** What a release may be held against. */
const AGAINST = {
  live: 'compared with the live release',
  day: 'compared with the oldest release of the last 24 hours',
  first: 'on a first publication',
};

export interface FindingAgainst extends Finding {
  readonly against: keyof typeof AGAINST;
}

/** Why a release should not go live. */
export type Refusal = ReturnType<typeof judge>[number];

/**
 * Returns what is wrong with a release: each finding of which there is too much, where that is worst. Its `share` is
 * `count` in percent of `of`.
 */
export function judge(findings: readonly FindingAgainst[], allowed: Allowed) {
  const found = findings.flatMap((each) => {
    const { kind, count, of, against } = each;
    const isRelevant = of >= MIN_FOR_SHARES || (kind !== 'change' && count >= of);
    if (!isRelevant || count <= MAX_FEW) return [];
    const { would, limit: usual } = ruleOf(each);
    // A limit that is given does not lower the limit of a day.
    const minLimit = against !== 'day' ? 0 : kind === 'wrong' ? usual : IN_A_DAY * usual;
    const limit = Math.max(minLimit, allowed.get(each.name) ?? usual);
    return [{ ...each, would, limit, minLimit, share: (100 * count) / of }];
  });
  found.sort((a, b) => b.share - a.share);
  const refused = found.filter(({ share, limit }) => share > limit);
  const worst = new Map(refused.toReversed().map((each) => [each.would, each]));
  const refusals = [...worst.values()].map(({ minLimit: _, ...refusal }) => {
    const { name, examples } = refusal;
    // A limit that is given holds for all that the guard looks at, also where it is below the usual one.
    const worstFinding =
      found.find((each) => each.name === name && each.share > each.minLimit) ?? refusal;
    /** The least percent that lets all pass that the guard refuses. */
    const enough = Math.ceil(worstFinding.share);
    return { ...refusal, examples: examples.slice(0, MAX_EXAMPLES), enough };
  });
  return refusals.sort((a, b) => GUARD_NAMES.indexOf(a.name) - GUARD_NAMES.indexOf(b.name));
}

/** Names what refuses nothing: addresses shown again, and what is wrong in itself in more stores than one, or than usual. */
export function describeFew(
  findings: readonly FindingAgainst[],
  refusals: readonly Refusal[],
): string[] {
  const refused = new Set(refusals.map(({ name }) => name));
  return findings.flatMap((finding) => {
    const { name, kind, count, of, examples, against } = finding;
    const [, , usual = 0] = WRONG[name] ?? [];
    const isUsual = of >= MIN_FOR_SHARES ? count <= (usual * of) / 100 : usual > 0 && count < of;
    const isMore = count > (usual > 0 ? MAX_FEW : 1);
    const isNamed = name === 'shown' || (kind === 'wrong' && isMore && !isUsual);
    if (!isNamed || against === 'day' || refused.has(name)) return [];
    const ids = examples.map(({ id }) => id);
    return warnOf(ids, `would ${ruleOf(finding).would}`, count);
  });
}

function refusalError(
  refusals: readonly Refusal[],
  diff: ReturnType<typeof diffFigures>,
): CommandError {
  const [first = '', ...others] = refusals.map(describeRefusal);
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more reason')}`;
  const message = `${first}${more}: this looks like a bad export; nothing was published`;
  return new CommandError(message, 'suspicious_change', {
    details: { refusals, diff },
    explanation: [
      ...refusals.flatMap(explain),
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

function explain(refusal: Refusal): string[] {
  const { name, against, limit, enough, examples } = refusal;
  return [
    `  ${name}: ${describeRefusal(refusal)}, ${AGAINST[against]}, at most ${percent(limit)} (--allow ${name}=${enough})`,
    ...examples.map(({ id, slug, path, ...value }) => {
      const where = [id, slug, path].filter(Boolean).join(' ');
      return `      ${describeValue(where, value)}`;
    }),
  ];
}

function percent(share: number): string {
  return `${Math.round(10 * share) / 10} %`;
}
