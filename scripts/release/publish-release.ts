/**
 * Puts a compiled release live, so that a reader sees the old release or the new one whole:
 *
 *  1. the log has been read: that decides into which generation is written, and which number the entry
 *     will have;
 *  2. what the generation lacks is uploaded, and a sample of that is read back;
 *  3. the entry of the log, which is the one decision: only if no other one was made meanwhile. A run
 *     that finds its number taken begins anew at 1;
 *  4. the release by its name, and the pointer, a copy of that entry.
 *
 * Whatever stops it before 3 leaves the old release live. What stops it after 3 leaves the pointer behind,
 * which the next command that writes brings up.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { append, type Decision, firstNumber, isRightLog, nextHead } from './log.ts';
import { asBefore, type LogEntry, type Stay } from './log-entry.ts';
import { judgeLog } from './log-rule.ts';
import { tally } from './objects.ts';
import { readLog } from './open-log.ts';
import { writePointer } from './pointer-copy.ts';
import {
  conflict,
  describePublication,
  listCompiled,
  logUpTo,
  OTHER_WRITES,
  type Publication,
  type PublicationPlan,
  type PublishOptions,
  planPublication,
  readWhole,
  refuseHeld,
  type Seen,
  see,
} from './publication.ts';
import { writeObjects } from './write-objects.ts';

/**
 * Publishes `compiled` to `target`.
 * @throws CommandError publication_held; publish_conflict when another command has decided meanwhile;
 *   others when an object is damaged, or reads back differently
 */
export async function publishRelease(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<Publication> {
  const { afresh = false, dryRun = false } = options;
  const { manifest } = compiled;
  const seen = options.seen ?? (await see(target, options));
  const { head } = seen;
  refuseHeld(head);
  if (head?.manifest.release === manifest.release && !afresh) {
    const number = dryRun ? null : head.number;
    return describePublication(manifest, head, number, await listCompiled(compiled), []);
  }
  return dryRun
    ? rehearse(compiled, target, seen, options)
    : putLive(compiled, target, seen, options);
}

/** Does everything that publishing does except writing, and returns what it would have come to. */
async function rehearse(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  seen: Seen,
  options: PublishOptions,
): Promise<Publication> {
  const plan = await planPublication(compiled, target, seen, options);
  await options.onPlan?.(plan);
  for (const { hash } of plan.missing) {
    options.signal?.throwIfAborted();
    await readWhole(compiled, hash);
  }
  return describePublication(compiled.manifest, seen.head, null, plan.objects, plan.missing);
}

/** Begins anew when another entry that changes nothing here has its number. */
async function putLive(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  first: Seen,
  options: PublishOptions,
): Promise<Publication> {
  const { manifest } = compiled;
  const read = (some: readonly ObjectRef[]) =>
    Promise.all(some.map(({ hash }) => readWhole(compiled, hash)));
  let uploaded: readonly ObjectRef[] = [];
  // What was written into a generation that this publication began counts until the log gives that up.
  let own: PublicationPlan | null = null;
  for (let seen = first; ; ) {
    const { head } = seen;
    const place = await findPlace(manifest, target, head, options);
    const plan: PublicationPlan = own ?? (await planPublication(compiled, target, seen, options));
    if (seen === first) await options.onPlan?.(plan);
    const claim = { manifest: plan.manifest, objects: plan.missing, read };
    await writeObjects(target.objects, claim, options);
    uploaded = [...uploaded, ...plan.missing];
    options.signal?.throwIfAborted();
    const at = new Date(await target.ledger.now()).toISOString();
    const decision = decide(head, plan, uploaded, at, options);
    const entry = await append(target, { ...decision, log: place.log }, place.number);
    if (entry) {
      await writePointer(target, entry);
      return describePublication(manifest, head, entry.number, plan.objects, uploaded);
    }
    seen = { ...seen, ...logUpTo(target, await lookAgain(manifest, target, head)) };
    const { generation } = plan.manifest;
    const { isGivenUp } = judgeLog(await seen.readStays());
    const isOwn = generation !== head?.newest && !isGivenUp(generation);
    own = isOwn ? { ...plan, missing: [] } : null;
  }
}

/** Where the entry will stand: after the one that was read before, or as the first of a new log. */
async function findPlace(
  manifest: Manifest,
  target: SnapshotTarget,
  head: Stay | null,
  { beginLog }: PublishOptions,
): Promise<Pick<LogEntry, 'log' | 'number'>> {
  if (head) return { log: head.log, number: head.number + 1 };
  // First the number: who decides after it was read takes it.
  const number = await firstNumber(target);
  const { pointer, head: last } = await readLog(target);
  if (last && !beginLog) throw conflict(last, manifest);
  // A log that is right may be begun anew, but not past a hold.
  if (isRightLog(target, { pointer, head: last })) refuseHeld(last);
  const shown = pointer === 'unreadable' ? null : pointer;
  // Those that the last one replaced, too: where two were begun at once a late pointer may be of either.
  const replaces = [shown?.log.id ?? [], last?.log.id ?? [], last?.log.replaces ?? []].flat();
  return { log: { id: randomUUID(), ...target.site, replaces: [...new Set(replaces)] }, number };
}

/** @param at by the clock of the storage */
function decide(
  head: Stay | null,
  { manifest }: PublicationPlan,
  uploaded: readonly ObjectRef[],
  at: string,
  { accepted = [], signature }: PublishOptions,
): Omit<Decision, 'log'> {
  const { bytes, objects } = tally(uploaded);
  return {
    ...signature,
    kind: 'publish',
    manifest,
    newest: manifest.generation,
    publishedAt: at,
    before: head && asBefore(head),
    back: head?.number ?? null,
    hold: null,
    cost: { writes: objects + OTHER_WRITES, bytes },
    ...(accepted.length > 0 ? { accepted: [...accepted] } : {}),
  };
}

/**
 * What has been decided meanwhile.
 * @throws CommandError publish_conflict, unless the same stores stay live, with the same right to publish
 */
async function lookAgain(
  manifest: Manifest,
  target: SnapshotTarget,
  head: Stay | null,
): Promise<Stay> {
  const last = await nextHead(target, head);
  const isSameRelease = last?.manifest.release === head?.manifest.release;
  if (last && isSameRelease && isDeepStrictEqual(last.hold, head?.hold)) return last;
  throw conflict(last, manifest);
}
