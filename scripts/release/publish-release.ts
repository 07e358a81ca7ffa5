/**
 * Puts a compiled release live, so that a reader sees the old release or the new one whole:
 *
 *  1. the intent, which names every object the release consists of;
 *  2. what is condemned and what is there are read, and what is missing is uploaded: what is condemned
 *     no sooner than ten minutes after the intent, when whoever deletes it has seen that;
 *  3. the manifest of the release;
 *  4. everything is confirmed;
 *  5. the entry of the log, which is the one decision: only if nobody else has made one meanwhile, and
 *     only if the confirmation is younger than a minute and the intent than twelve hours, else the
 *     work begins anew;
 *  6. the pointer, a copy of that entry; then the intent is taken away.
 *
 * Whatever stops it before 5 leaves the old release live, and a second run finishes the work. What
 * stops it after 5 leaves the pointer behind, which the next command that writes mends.
 */
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { readCondemned } from './condemned.ts';
import { isSameState, readHead } from './log.ts';
import type { LogEntry } from './log-entry.ts';
import { ObjectList, type ObjectWatch } from './objects.ts';
import { openLog } from './open-log.ts';
import { planPublication, readWhole, uploadsOf } from './plan-publication.ts';
import {
  conflict,
  describePublication,
  type Publication,
  type PublishOptions,
} from './publication.ts';
import { PublicationRun } from './publication-run.ts';
import { PublishedReleases } from './published-objects.ts';

export type { Publication, PublishOptions };

/**
 * Publishes `compiled` to `target`.
 * @throws CommandError publication_held; publish_conflict when somebody else has decided meanwhile;
 *   others when an object is missing or damaged, or reads back differently
 */
export async function publishRelease(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<Publication> {
  const { expected } = options;
  // The comparison may have taken long: who has lost meanwhile need not upload anything. It is the
  // entry of the log, created only if it is absent, that keeps anybody from being passed over.
  const head =
    expected === undefined
      ? await openLog(target, { writes: true })
      : await readHead(target.ledger, expected?.number);
  if (expected !== undefined && !isSameState(expected, head)) {
    throw conflict(head, compiled.manifest);
  }
  refuseHeld(head, options.resume ?? false);
  return new PublicationRun(compiled, target, options, head).run();
}

/** @throws CommandError publication_held */
export function refuseHeld(head: LogEntry | null, resume: boolean): void {
  if (!head?.hold || resume) return;
  const { by, at, note } = head.hold;
  const why = note === null ? '' : ` ("${visible(note)}")`;
  const message = `publishing is held since ${at} by ${visible(by)}${why}: release ${head.manifest.release} stays live; snapshot resume or publish --resume ends that`;
  throw new CommandError(message, { code: 'publication_held', details: { hold: head.hold } });
}

/** Does everything that publishing does except writing, and returns what it would have come to. */
export async function rehearsePublication(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: ObjectWatch & Pick<PublishOptions, 'expected' | 'onPlan' | 'list' | 'published'>,
): Promise<Publication> {
  const { expected, published = new PublishedReleases(target) } = options;
  const head = expected === undefined ? await openLog(target, { writes: false }) : expected;
  const condemned = await readCondemned(target.ledger);
  const list = options.list ?? (await ObjectList.read(target.objects));
  const plan = await planPublication(compiled, target, { head, list, condemned, published });
  await options.onPlan?.(plan);
  for (const { hash } of uploadsOf(plan)) {
    options.signal?.throwIfAborted();
    await readWhole(compiled, hash);
  }
  return describePublication(compiled.manifest, head, plan, null);
}
