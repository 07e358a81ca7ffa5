/**
 * `snapshot publish`: a source, or a folder built before, goes live:
 *
 *  1. the release is compiled in a work folder, or opened where it was built, and storage is opened;
 *  2. the log is read: a run that is held ends here, and one that would rely on objects that are missing;
 *  3. what would change is compared with what is live, and refused if it looks like a bad export;
 *  4. the release goes live, as publish-release.ts tells;
 *  5. the first run of a day deletes what the log has given up;
 *  6. the time of the run is written.
 *
 * However a run ends, it tells whether its release is live.
 */
import { LAST_RUN_KEY, releaseName } from '../../src/snapshot/keys.ts';
import { type LastRun, lastRunSchema } from '../../src/snapshot/manifest.ts';
import { makeWorkFolder, openChosenRelease } from '../build/release-choice.ts';
import { type CompiledRelease, readRelease } from '../build/release-reader.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_INTERRUPTED,
  EXIT_OK,
  InterruptedError,
  messageOf,
} from '../cli/command-error.ts';
import {
  type PlaceOptions,
  placeName,
  type ReleaseChoice,
  type SignatureChoice,
  signatureOf,
} from '../cli/common-options.ts';
import { formatBytes, plural } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { reviewChange } from '../guards/review-change.ts';
import type { Allowed } from '../guards/table.ts';
import {
  type Collectable,
  collectedJson,
  deleteCollectable,
  findCollectable,
} from '../release/collect.ts';
import { type Log, readEntries, readHead } from '../release/log.ts';
import { DEMO_AUTHOR, type LogEntry, publicationIn } from '../release/log-entry.ts';
import { listGenerations, type StoredGenerations } from '../release/objects.ts';
import { bringUpPointer, openLog, readLog } from '../release/open-log.ts';
import { putLive, refuseHeld } from '../release/publish-release.ts';
import { encodeJson, parseJson, type SnapshotTarget } from '../storage/key-value-store.ts';
import { openTarget } from '../storage/open-target.ts';

export interface PublishChoice extends PlaceOptions, SignatureChoice {
  /** How far guards are allowed to go. */
  readonly allow: Allowed;
  /** Whether anything may be published, however it looks. */
  readonly force?: boolean;
  readonly afresh?: boolean;
  readonly beginLog?: boolean;
  readonly dryRun?: boolean;
}

export async function run(options: ReleaseChoice & PublishChoice, context: CommandContext) {
  // From here on a signal ends the work and not the process.
  const { signal } = context;
  let wanted: Wanted | null = null;
  try {
    await using workFolder = await makeWorkFolder(signal);
    const release = await openChosenRelease(options, workFolder.path, context);
    await using target = await openTarget(options, context);
    wanted = await wantedEntry(target, release, options);
    const { collected, ...publication } = await publishTo(target, release, options);
    // Who asked for the end reads the last line, not a summary. A machine reads whole results.
    if (signal.aborted && !context.json) throw new InterruptedError();
    const { env, dryRun = false } = options;
    const { validation, leftOut = [] } = release;
    return {
      data: {
        environment: env,
        dryRun,
        ...publication,
        collected: collected && collectedJson(collected),
        validation,
      },
      text: [publicationText(publication, options), ...leftOut].join('\n'),
    };
  } catch (error) {
    throw await publicationError(error, wanted, options, context);
  }
}

/** Returns the release that is to go live, and the number of the entry after which its own is to come. */
export async function wantedEntry(
  { ledger }: SnapshotTarget,
  { manifest: { release } }: CompiledRelease,
  { afresh, beginLog }: Pick<PublishChoice, 'afresh' | 'beginLog'>,
) {
  // The same release may have been live before: what counts then is an entry of its own.
  const head = afresh || beginLog ? await readHead(ledger) : null;
  return { release, after: head?.number ?? 0 };
}

type Wanted = Awaited<ReturnType<typeof wantedEntry>>;

/**
 * Publishes a release as `snapshot publish` does.
 * @throws CommandError publication_held, pointer_behind, live_unreadable, suspicious_change; see `putLive`
 */
export async function publishTo(
  target: SnapshotTarget,
  release: CompiledRelease,
  options: PublishChoice,
) {
  const { allow: allowed, force = false, afresh = false, dryRun = false } = options;
  const next = readRelease(release, 'snapshot_damaged');
  const log = await openLog(target, options);
  const { head } = log;
  // Before anything else: a job that is held hears of that first.
  refuseHeld(head);
  if (head && !log.isShown && !dryRun && !afresh) throw pointerLeft(head);

  const now = await target.ledger.now();
  // In the first run of a day only: a list takes hundreds of requests at 100,000 stores.
  const isFirst = head !== null && (await isFirstOfDay(target, now));
  const generations = isFirst ? await listGenerations(target.objects) : null;

  // Stores of one's own may replace the demo of npm start.
  const replacesAll = await isDemoLive(target, log, options);
  const review = { allowed, replacesAll, now, force };
  const { diff, guards } = await reviewChange(next, target, log, review);
  const { accepted } = guards;
  const order = { ...options, signature: signatureOf(options), accepted, generations };
  const publication = await putLive(next, target, log, order);
  const isDue = generations !== null && !dryRun;
  const collected = isDue ? await collectQuietly(target, head, generations) : null;
  if (!dryRun) await writeRun(target, release.manifest.release);
  return {
    ...publication,
    /** Null when the live release could not be read. */
    diff,
    guards,
    /** What was deleted; null where nothing was looked for. */
    collected,
  };
}

export type GuardedPublication = Awaited<ReturnType<typeof publishTo>>;

/** Builds the error of a publication that would rely on objects of which it is known that some are missing. */
function pointerLeft({ manifest: { release } }: LogEntry): CommandError {
  const message = `release ${release} is live by the log, but readers do not see it, for objects of it are missing: publish --afresh uploads everything anew`;
  return new CommandError(message, 'pointer_behind');
}

/**
 * Returns whether local development holds only what `npm start` put there. No other storage is asked: what is live
 * there is never a demo.
 */
async function isDemoLive(
  target: SnapshotTarget,
  { head }: Log,
  { env, remote = false }: PlaceOptions,
): Promise<boolean> {
  if (env !== 'development' || remote) return false;
  return publicationIn(await readEntries(target, head))?.by === DEMO_AUTHOR;
}

async function isFirstOfDay({ objects }: SnapshotTarget, now: number): Promise<boolean> {
  const last = parseJson(await objects.get(LAST_RUN_KEY), lastRunSchema);
  return last?.ranAt.slice(0, 10) !== new Date(now).toISOString().slice(0, 10);
}

/**
 * Writes the time of a run that came to its end: /healthz shows it, and notices when runs stay away. A run that found
 * nothing to change is a run, too. A release that is live is not called a failure where that cannot be written.
 */
export async function writeRun(target: SnapshotTarget, release: string): Promise<void> {
  try {
    // By the clock of R2: the clock of this machine may be days off, and a monitor would notice nothing.
    const run: LastRun = { ranAt: new Date(await target.ledger.now()).toISOString(), release };
    await target.objects.put(LAST_RUN_KEY, encodeJson(run));
  } catch (error) {
    const reason = messageOf(error);
    target.context.remark(
      `the time of this run could not be written, /healthz will not show it: ${reason}`,
    );
  }
}

/** Deletes what was given up; a release that is live is not called a failure because of that. */
async function collectQuietly(
  target: SnapshotTarget,
  head: LogEntry | null,
  generations: StoredGenerations,
): Promise<Collectable | null> {
  try {
    const found = await findCollectable(target, head, generations);
    await deleteCollectable(target, found);
    return found;
  } catch (error) {
    const { signal, remark } = target.context;
    if (signal.aborted) throw error;
    remark(
      `what is no longer kept could not be deleted: ${messageOf(error)}; snapshot prune does it`,
    );
    return null;
  }
}

function publicationText(
  outcome: Omit<GuardedPublication, 'collected'>,
  options: PublishChoice,
): string {
  const { release, number, previousName, alreadyLive, storeCount, uploaded } = outcome;
  const place = placeName(options);
  const name = number === null ? release : releaseName(number, release);
  const content = `release ${name} (${plural(storeCount, 'store')})`;
  if (alreadyLive && uploaded.objects === 0) {
    return `${place}: ${content} is live already, nothing was written`;
  }
  const after = previousName === null ? 'the first one' : `after ${previousName}`;
  const [state, put] = options.dryRun ? ['would go live', 'Would upload'] : ['is live', 'Uploaded'];
  return [
    `${place}: ${content} ${state}, ${after}`,
    `${put} ${plural(uploaded.objects, 'object')} (${formatBytes(uploaded.bytes)})`,
  ].join('\n');
}

/**
 * Returns what a publication that ended with `error` ends with.
 *
 * - When the work failed, or was refused, the message says where: a job may publish to two environments.
 * - When it was interrupted, the error says whether the release is live, and its exit code too: 0 if
 *   it is, 130 if it is not, 1 if that cannot be told, or the pointer, which is brought up here,
 *   cannot be written, or would lead to objects that are missing.
 * @param wanted null: no work on storage has begun
 */
export async function publicationError(
  error: unknown,
  wanted: Wanted | null,
  options: PublishPlace,
  context: CommandContext,
): Promise<unknown> {
  // Local storage may have heard the signal too, and failed before the work noticed it.
  if (error instanceof InterruptedError || context.signal.aborted) {
    return outcome(wanted, options, context);
  }
  const isRefusal = error instanceof CommandError && error.exitCode === EXIT_FAILED;
  return isRefusal && wanted ? error.at(placeName(options)) : error;
}

type PublishPlace = Pick<PublishChoice, 'env' | 'remote' | 'dryRun'>;

async function outcome(
  wanted: Wanted | null,
  options: PublishPlace,
  context: CommandContext,
): Promise<InterruptedError> {
  const place = placeName(options);
  const told = (words: string, live: boolean | null) => {
    const exitCode = live === null ? EXIT_FAILED : live ? EXIT_OK : EXIT_INTERRUPTED;
    return new InterruptedError(`${place}: ${words}`, { live }, exitCode);
  };
  if (!wanted || options.dryRun) return told('nothing was published', false);
  const { release, after } = wanted;
  try {
    // Opened anew: what was open may have been interrupted, too.
    await using target = await openTarget(options, context);
    const { head, isShown } = await readLog(target);
    const live = head?.manifest.release ?? null;
    if (head && live === release && head.number > after) {
      // What is missing is told once, as the last line.
      const { signal } = new AbortController();
      const unheard = { ...target, context: { ...context, signal, remark() {} } };
      const failure = isShown ? null : await bringUpPointer(unheard, head).catch(messageOf);
      return failure === null
        ? told(`release ${release} is live all the same`, true)
        : told(`${failure}; run it again`, null);
    }
    const state = live === null ? 'nothing is' : `${live} is`;
    const words =
      live === release ? 'is live as it was before, not afresh' : `is not live, ${state}`;
    return told(`release ${release} ${words}`, false);
  } catch {
    const words = `whether release ${release} is live could not be read; see snapshot list`;
    return told(words, null);
  }
}
