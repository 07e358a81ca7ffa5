/**
 * The pointer, which is what Workers read: a copy of the log's last entry. KV has no compare-and-set
 * and is read late, so nothing is decided by it.
 *
 * Each writer reads the log again afterwards, and writes once more if the log has moved on: of
 * two who write at the same time, the one whose write comes last sees both entries.
 */
import { POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import { type LiveRelease, type Pointer, pointerSchema } from '../../src/snapshot/manifest.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import { API_WRITES_USED_UP } from '../storage/api-answer.ts';
import { encodeJson, parseJson, type SnapshotTarget } from '../storage/key-value-store.ts';
import { nextHead } from './log.ts';
import { type Decision, nameOf, pointerOf } from './log-entry.ts';

/** The pointer as Workers may see it; null when there is none. */
export async function readPointer({
  objects,
}: SnapshotTarget): Promise<Pointer | 'unreadable' | null> {
  const bytes = await objects.get(POINTER_KEY);
  return bytes && (parseJson(bytes, pointerSchema) ?? 'unreadable');
}

/**
 * Copies the last entry, and what has come after it meanwhile. What was decided is copied although the
 * command is interrupted in the middle of it.
 * @throws CommandError pointer_behind
 */
export async function writePointer(target: SnapshotTarget, head: Decision): Promise<void> {
  try {
    await copy(target, head).catch((error) => {
      if (error instanceof InterruptedError) return copy(target, head);
      throw error;
    });
  } catch (cause) {
    const { number, manifest } = head;
    const reason = messageOf(cause);
    const isUsedUp = cause instanceof CommandError && cause.code === API_WRITES_USED_UP;
    const when = isUsedUp ? 'From 0:00 UTC on, when KV takes writes again, run' : 'Run';
    const message = `entry ${number} of the log says that release ${manifest.release} is live, but the pointer to it could not be written: ${reason}`;
    throw new CommandError(message, 'pointer_behind', {
      details: { number, release: manifest.release },
      explanation: `Readers go on with what they have. ${when} snapshot prune, or any other command that writes, to bring it up.`,
      cause,
    });
  }
}

async function copy(target: SnapshotTarget, head: Decision): Promise<void> {
  const { manifest, publishedAt } = head;
  // By the name that the pointer is about to tell, Workers find what `changes` compares.
  const release: LiveRelease = { manifest, publishedAt };
  await target.objects.put(releaseKey(nameOf(head)), encodeJson(release));
  await target.objects.put(POINTER_KEY, encodeJson(pointerOf(head)));
  const last = await nextHead(target, head);
  if (last && last.number !== head.number) await copy(target, last);
}
