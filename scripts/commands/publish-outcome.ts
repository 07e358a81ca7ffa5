/** How a publication ends that fails, or is stopped from outside: that says whether its release is live. */
import {
  CommandError,
  EXIT_FAILED,
  EXIT_INTERRUPTED,
  EXIT_OK,
  InterruptedError,
  messageOf,
} from '../cli/command-error.ts';
import { type PlaceOptions, placeName } from '../cli/common-options.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { bringUpPointer, readLog } from '../release/open-log.ts';
import { openTarget } from '../storage/open-target.ts';

type PublishContext = Pick<CommandContext, 'signal' | 'remark'>;

/** The release that is to go live, and the number of the entry after which its own is to come. */
export interface Wanted {
  readonly release: string;
  readonly after: number;
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
  context: PublishContext,
): Promise<unknown> {
  // Local storage may have heard the signal too, and failed before the work noticed it.
  if (error instanceof InterruptedError || context.signal.aborted) {
    return outcome(wanted, options, context);
  }
  const isRefusal = error instanceof CommandError && error.exitCode === EXIT_FAILED;
  return isRefusal && wanted ? error.at(placeName(options)) : error;
}

interface PublishPlace extends PlaceOptions {
  readonly dryRun?: boolean;
}

async function outcome(
  wanted: Wanted | null,
  options: PublishPlace,
  context: PublishContext,
): Promise<InterruptedError> {
  const place = placeName(options);
  const told = (words: string, live: boolean | null, exitCode: number) =>
    new InterruptedError(`${place}: ${words}`, { live }, exitCode);
  if (!wanted || options.dryRun) return told('nothing was published', false, EXIT_INTERRUPTED);
  const { release, after } = wanted;
  try {
    // Opened anew: what was open may have been interrupted, too.
    await using target = await openTarget(options, context);
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
  } catch {
    const words = `whether release ${release} is live could not be read; see snapshot list`;
    return told(words, null, EXIT_FAILED);
  }
}
