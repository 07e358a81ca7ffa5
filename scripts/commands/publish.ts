/**
 * `snapshot publish`: a source, or a folder built before, goes live:
 *
 *  1. the release is compiled in a work folder, or opened where it was built, and storage is opened;
 *  2. the log is read, and a pointer that was left behind is written: a run that is held ends here, and one that would
 *     rely on objects that are missing;
 *  3. what would change is compared with what is live, and refused if it looks like a bad export;
 *  4. the release goes live, as publish-release.ts tells;
 *  5. the first run of a day, which has listed all objects, deletes what the log of a day ago has given up;
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
  EXIT_OK,
  InterruptedError,
  messageOf,
} from '../cli/command-error.ts';
import {
  type PlaceOptions,
  type ReleaseChoice,
  type SignatureChoice,
  signatureOf,
} from '../cli/common-options.ts';
import { formatBytes, plural } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { reviewChange } from '../guards/review-change.ts';
import type { Allowed } from '../guards/table.ts';
import { collectedJson, deleteCollectable, findCollectable } from '../release/collect.ts';
import { type Log, readEntries, readHead } from '../release/log.ts';
import { DEMO_AUTHOR, type LogEntry, nameOf, publicationIn } from '../release/log-entry.ts';
import { listGenerations, type StoredGenerations } from '../release/objects.ts';
import { openLog } from '../release/open-log.ts';
import { type Publication, putLive, refuseHeld } from '../release/publish-release.ts';
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
  let wanted: string | null = null;
  try {
    await using workFolder = await makeWorkFolder(signal);
    const release = await openChosenRelease(options, workFolder.path, context);
    await using target = await openTarget(options, context);
    wanted = release.manifest.release;
    const { collected, ...publication } = await publishTo(target, release, options);
    // Who asked for the end reads the last line, not a summary. A machine reads whole results.
    if (signal.aborted && !context.json) throw new InterruptedError();
    const { dryRun = false } = options;
    const { validation, leftOut } = release;
    return {
      data: {
        dryRun,
        ...publication,
        collected: collected && collectedJson(collected),
        validation,
      },
      text: [publicationText(publication, dryRun), ...leftOut].join('\n'),
    };
  } catch (error) {
    throw await publicationError(error, wanted, options, context);
  }
}

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
  // Before anything is listed or compared: a job that is held hears of that first.
  refuseHeld(head);
  if (head && !log.isShown && !dryRun && !afresh) {
    const message = `objects of ${nameOf(head)}, which is live by the log, are missing: publish --afresh uploads everything anew`;
    throw new CommandError(message, 'pointer_behind');
  }

  const now = await target.ledger.now();
  // In the first run of a day only: at 100,000 stores a list takes dozens of requests.
  const isFirst = head !== null && (await isFirstOfDay(target, now));
  const generations = isFirst ? await listGenerations(target.objects) : null;

  // Stores of one's own may replace the demo of npm start.
  const replacesAll = await isDemoLive(target, log, options);
  const review = { allowed, replacesAll, now, force };
  const { diff, guards } = await reviewChange(next, target, log, review);
  const { accepted } = guards;
  const order = { ...options, signature: signatureOf(options), accepted, generations };
  const publication = await putLive(next, target, log, order);
  const collected = generations && !dryRun ? await collect(target, head, generations) : null;
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
 * Does what comes after a release went live: where that fails, it is said, and the publication is not called a failure.
 * @param failure what has failed
 */
function afterwards<T>(
  { context: { signal, remark } }: SnapshotTarget,
  failure: string,
  work: () => Promise<T>,
): Promise<T | null> {
  return work().catch((error) => {
    if (signal.aborted) throw error;
    remark(`${failure}: ${messageOf(error)}`);
    return null;
  });
}

/**
 * Writes the time of a run that came to its end: /healthz shows it, and notices when runs stay away. A run that found
 * nothing to change is a run, too.
 */
export function writeRun(target: SnapshotTarget, release: string) {
  const failure = 'the time of this run could not be written, /healthz will not show it';
  return afterwards(target, failure, async () => {
    // By the clock of R2: the clock of this machine may be days off, and a monitor would notice nothing.
    const run: LastRun = { ranAt: new Date(await target.ledger.now()).toISOString(), release };
    await target.objects.put(LAST_RUN_KEY, encodeJson(run));
  });
}

/** Deletes what was given up, and returns what that was. */
function collect(target: SnapshotTarget, head: LogEntry | null, generations: StoredGenerations) {
  const failure = 'what is no longer kept could not be deleted, snapshot prune does it';
  return afterwards(target, failure, async () => {
    const found = await findCollectable(target, head, generations);
    await deleteCollectable(target, found);
    return found;
  });
}

function publicationText(publication: Publication, dryRun: boolean): string {
  const { release, number, previousName, alreadyLive, storeCount, uploaded } = publication;
  const name = number === null ? release : releaseName(number, release);
  const content = `release ${name} (${plural(storeCount, 'store')})`;
  if (alreadyLive && uploaded.objects === 0)
    return `${content} is live already, nothing was written`;
  const after = previousName === null ? 'the first one' : `after ${previousName}`;
  const [state, put] = dryRun ? ['would go live', 'Would upload'] : ['is live', 'Uploaded'];
  return [
    `${content} ${state}, ${after}`,
    `${put} ${plural(uploaded.objects, 'object')} (${formatBytes(uploaded.bytes)})`,
  ].join('\n');
}

/**
 * Returns what a publication that ended with `error` ends with: if it was interrupted, the error says whether its
 * release is live, and its exit code too: 0 if it is, 130 if it is not, 1 if that is not known.
 * @param release its id; null: no work on storage has begun
 */
export async function publicationError(
  error: unknown,
  release: string | null,
  options: Omit<PublishChoice, 'allow'>,
  context: CommandContext,
): Promise<unknown> {
  // Local storage may have heard the signal too, and failed before the work noticed it.
  if (!context.signal.aborted && !(error instanceof InterruptedError)) return error;
  // This says itself what is live.
  if (error instanceof CommandError && error.code === 'pointer_behind') return error;
  const { afresh, beginLog, dryRun } = options;
  if (release === null || dryRun) {
    return new InterruptedError('nothing was published', { live: false });
  }
  const live = await readLive(options, context).catch(() => undefined);
  // Afresh or in a new log: the same release may have been live before.
  if (live === undefined || (live === release && (afresh || beginLog))) {
    const words = `whether release ${release} was published is not known; see snapshot list`;
    return new InterruptedError(words, { live: null }, EXIT_FAILED);
  }
  if (live === release) {
    return new InterruptedError(`release ${release} is live all the same`, { live: true }, EXIT_OK);
  }
  const words = `release ${release} is not live, ${live ?? 'nothing'} is`;
  return new InterruptedError(words, { live: false });
}

/** Returns the live release, null where there is none. Storage that was open may have been interrupted, too. */
async function readLive(options: PlaceOptions, context: CommandContext): Promise<string | null> {
  await using target = await openTarget(options, context);
  const head = await readHead(target.ledger);
  return head?.manifest.release ?? null;
}
