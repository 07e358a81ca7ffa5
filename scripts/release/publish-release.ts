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
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { History } from './history.ts';
import { append, type Decision, firstNumber, isRightLog, isSameState, nextHead } from './log.ts';
import { asBefore, type LogEntry } from './log-entry.ts';
import { isEnough, judgeLog } from './log-rule.ts';
import { tally } from './objects.ts';
import { openLog, readLog } from './open-log.ts';
import { writePointer } from './pointer-copy.ts';
import {
  conflict,
  describePublication,
  OTHER_WRITES,
  type Publication,
  type PublicationPlan,
  type PublishOptions,
  planInto,
  planPublication,
  readWhole,
  refuseHeld,
  type Seen,
} from './publication.ts';
import { PublishedReleases } from './published-objects.ts';
import { writeObjects } from './write-objects.ts';

/** How often the work is begun anew before it is given up. */
const ROUNDS = 5;

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
  const seen = options.seen ?? (await see(target, options));
  const { head } = seen;
  refuseHeld(head);
  const { manifest } = compiled;
  const isLive = head?.manifest.release === manifest.release;
  if (!isLive || options.afresh) return new PublicationRun(compiled, target, seen, options).run();
  const plan = await planInto(compiled, head.manifest.generation, new Set());
  return describePublication(manifest, head, plan, head.number, []);
}

/** What a publication goes by where nothing was read before. */
async function see(target: SnapshotTarget, { beginLog, remark }: PublishOptions): Promise<Seen> {
  const head = beginLog ? null : await openLog(target, remark);
  const history = new History(target.ledger, head);
  return { head, history, published: new PublishedReleases(target), generations: null };
}

/** Does everything that publishing does except writing, and returns what it would have come to. */
export async function rehearsePublication(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  seen: Seen,
  options: Pick<PublishOptions, 'signal' | 'afresh' | 'onPlan'>,
): Promise<Publication> {
  const { head } = seen;
  const { afresh = false } = options;
  const isLive = head?.manifest.release === compiled.manifest.release;
  const plan = await planPublication(compiled, target, seen, afresh);
  if (isLive && !afresh) return describePublication(compiled.manifest, head, plan, null, []);
  await options.onPlan?.(plan);
  for (const { hash } of plan.missing) {
    options.signal?.throwIfAborted();
    await readWhole(compiled, hash);
  }
  return describePublication(compiled.manifest, head, plan, null);
}

/** Where an entry will stand. */
type Place = Pick<LogEntry, 'log' | 'number'>;

class PublicationRun {
  private readonly compiled: CompiledRelease;
  private readonly target: SnapshotTarget;
  private readonly options: PublishOptions;
  private seen: Seen;
  /** The generation that this run has begun. */
  private own: string | null = null;
  /** What it wrote there, by hash. */
  private readonly written = new Set<string>();
  /** In all rounds; an object that had to be uploaded again is there twice. */
  private uploaded: readonly ObjectRef[] = [];

  constructor(
    compiled: CompiledRelease,
    target: SnapshotTarget,
    seen: Seen,
    options: PublishOptions,
  ) {
    this.compiled = compiled;
    this.target = target;
    this.seen = seen;
    this.options = options;
  }

  async run(): Promise<Publication> {
    const { compiled, target, options } = this;
    for (let round = 1; round <= ROUNDS; round++) {
      const { head } = this.seen;
      const place = await this.findPlace();
      const plan = await this.plan();
      if (round === 1) await options.onPlan?.(plan);
      await this.upload(plan);
      options.signal?.throwIfAborted();
      const entry = await this.decide(plan, place);
      if (entry) {
        await writePointer(target, entry);
        const { number } = entry;
        return describePublication(compiled.manifest, head, plan, number, this.uploaded);
      }
      await this.lookAgain();
    }
    const message = `other commands decide again and again: given up after ${ROUNDS} rounds; the live release stays`;
    throw new CommandError(message, { code: 'publication_unsettled' });
  }

  /** What it has begun itself counts still, unless the log has given that up meanwhile. */
  private async plan(): Promise<PublicationPlan> {
    const { compiled, target, seen, options, own } = this;
    if (own !== null) {
      const { isGivenUp } = judgeLog(await seen.history.read(isEnough));
      if (!isGivenUp(own))
        return { ...(await planInto(compiled, own, this.written)), begins: true };
    }
    const afresh = (options.afresh ?? false) || (options.beginLog ?? false);
    const plan = await planPublication(compiled, target, seen, afresh);
    this.own = plan.begins ? plan.manifest.generation : null;
    this.written.clear();
    return plan;
  }

  /** Uploads what is missing, and confirms it. */
  private async upload({ manifest, missing }: PublicationPlan): Promise<void> {
    const { target, compiled, options } = this;
    const read = (hash: string) => readWhole(compiled, hash);
    const claim = { manifest, objects: missing, read };
    await writeObjects(target.objects, claim, options, (hash) => this.written.add(hash));
    this.uploaded = [...this.uploaded, ...missing];
  }

  /** Adds the entry; null when another one has its number. */
  private async decide(plan: PublicationPlan, { log, number }: Place): Promise<LogEntry | null> {
    const at = new Date(await this.target.ledger.now()).toISOString();
    return append(this.target, { ...this.decisionAt(at, plan), log }, number);
  }

  private decisionAt(at: string, { manifest, begins }: PublicationPlan): Omit<Decision, 'log'> {
    const { accepted = [], signature } = this.options;
    const { head } = this.seen;
    const { bytes, objects } = tally(this.uploaded);
    return {
      ...signature,
      kind: 'publish',
      manifest,
      newest: begins || !head ? manifest.generation : head.newest,
      publishedAt: at,
      before: head && asBefore(head),
      back: head?.number ?? null,
      hold: null,
      cost: { writes: objects + OTHER_WRITES, bytes },
      ...(accepted.length > 0 ? { accepted: [...accepted] } : {}),
    };
  }

  /** Where the entry will stand: after the one that was read before, or as the first of a new log. */
  private async findPlace(): Promise<Place> {
    const { target, options } = this;
    const { head } = this.seen;
    if (head) return { log: head.log, number: head.number + 1 };
    // First the number: who decides after it was read takes it.
    const number = await firstNumber(target);
    const { pointer, head: last } = await readLog(target);
    if (last && !options.beginLog) throw conflict(last, this.compiled.manifest);
    // A log that is right may be begun anew, but not past a hold.
    if (isRightLog(target, { pointer, head: last })) refuseHeld(last);
    const shown = pointer === 'unreadable' ? null : pointer;
    // Those that the last one replaced, too: where two were begun at once a late pointer may be of either.
    const replaces = [shown?.log.id ?? [], last?.log.id ?? [], last?.log.replaces ?? []].flat();
    return { log: { id: randomUUID(), ...target.site, replaces: [...new Set(replaces)] }, number };
  }

  /** @throws CommandError publish_conflict, unless what has been decided meanwhile changes nothing here */
  private async lookAgain(): Promise<void> {
    const { target, seen } = this;
    const last = await nextHead(target, seen.head);
    if (!isSameState(seen.head, last)) throw conflict(last, this.compiled.manifest);
    this.seen = { ...seen, head: last, history: new History(target.ledger, last) };
  }
}
