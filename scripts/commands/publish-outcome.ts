/**
 * How a publication ends: the time of a run that came to its end is written down, and one that was
 * stopped from outside says whether its release is live.
 */
import { LAST_RUN_KEY } from '../../src/snapshot/keys.ts';
import type { LastRun } from '../../src/snapshot/manifest.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_INTERRUPTED,
  EXIT_OK,
  InterruptedError,
  messageOf,
} from '../cli/command-error.ts';
import { type PlaceOptions, placeName } from '../cli/environment-option.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { readHead } from '../release/log.ts';
import { bringUpPointer, readLog } from '../release/open-log.ts';
import { encodeJson } from '../storage/json-documents.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { withTarget } from '../storage/open-target.ts';

interface PublishPlace extends PlaceOptions {
  readonly dryRun?: boolean;
  readonly afresh?: boolean;
  readonly beginLog?: boolean;
}
type PublishContext = Pick<CommandContext, 'json' | 'signal' | 'remark'>;

/** Does the work on a target, once the release that is to go live there is known. */
type Begin = <R>(target: SnapshotTarget, release: string, work: () => Promise<R>) => Promise<R>;

/**
 * Runs `publish`, which hands the work on a target to `begin` once it has come that far.
 *
 * - When the work fails, or is refused, the message says where: a job may publish to two environments.
 * - When the work is done, the time is written: /healthz shows it, and notices when runs stay away.
 *   A run that found nothing to change is a run, too; a rehearsal is none.
 * - When it is interrupted, the error says whether the release is live, and its exit code too: 0 if
 *   it is, 130 if it is not, 1 if that cannot be told, or the pointer, which is brought up here,
 *   cannot be written, or would lead to objects that are missing.
 */
export async function concludePublication<T>(
  options: PublishPlace,
  context: PublishContext,
  publish: (begin: Begin) => Promise<T>,
): Promise<T> {
  // From here on a signal ends the work and not the process.
  const { signal } = context;
  const wanted: Wanted = { release: null, after: 0 };
  const begin: Begin = async (target, release, work) => {
    wanted.release = release;
    try {
      // The same release may have been live before: what counts is an entry of its own.
      const isAnew = options.afresh || options.beginLog;
      if (isAnew) wanted.after = (await readHead(target.ledger))?.number ?? 0;
      const result = await work();
      if (!options.dryRun) await writeRun(target, release, context);
      return result;
    } catch (error) {
      const isRefusal = error instanceof CommandError && error.exitCode === EXIT_FAILED;
      throw isRefusal ? error.at(placeName(options)) : error;
    }
  };
  try {
    const result = await publish(begin);
    // Who asked for the end reads the last line, not a summary. A machine reads whole results.
    if (signal.aborted && !context.json) throw new InterruptedError();
    return result;
  } catch (error) {
    // Local storage may have heard the signal too, and failed before the work noticed it.
    const isInterrupted = error instanceof InterruptedError || signal.aborted;
    throw isInterrupted ? await outcome(wanted, options, context) : error;
  }
}

/** Writes the time of a run. A release that is live is not called a failure where that cannot be written. */
async function writeRun(
  target: SnapshotTarget,
  release: string,
  { remark }: PublishContext,
): Promise<void> {
  try {
    // By the clock of R2: that of this machine may be days off, and a monitor would notice nothing.
    const run: LastRun = { ranAt: new Date(await target.ledger.now()).toISOString(), release };
    await target.objects.put(LAST_RUN_KEY, encodeJson(run));
  } catch (error) {
    const reason = messageOf(error);
    remark(`the time of this run could not be written, /healthz will not show it: ${reason}`);
  }
}

/** The release that is to go live, by an entry of the log with a number above another one. */
interface Wanted {
  /** Null: nothing has been begun. */
  release: string | null;
  after: number;
}

async function outcome(
  { release, after }: Wanted,
  options: PublishPlace,
  context: PublishContext,
): Promise<InterruptedError> {
  const place = placeName(options);
  const told = (words: string, live: boolean | null, exitCode: number) =>
    new InterruptedError(`${place}: ${words}`, { live }, exitCode);
  if (release === null || options.dryRun) {
    return told('nothing was published', false, EXIT_INTERRUPTED);
  }
  try {
    // Opened anew: what was open may have been interrupted, too.
    return await withTarget(options, context, async (target) => {
      const { head, isShown } = await readLog(target);
      const live = head?.manifest.release ?? null;
      if (head && live === release && head.number > after) {
        const failure = isShown ? null : await bringUpPointer(target, head, {}).catch(messageOf);
        return failure === null
          ? told(`release ${release} is live all the same`, true, EXIT_OK)
          : told(`${failure}; run it again`, null, EXIT_FAILED);
      }
      const state = live === null ? 'nothing is' : `${live} is`;
      const words =
        live === release ? 'is live as it was before, not afresh' : `is not live, ${state}`;
      return told(`release ${release} ${words}`, false, EXIT_INTERRUPTED);
    });
  } catch {
    const words = `whether release ${release} is live could not be read; see snapshot list`;
    return told(words, null, EXIT_FAILED);
  }
}
