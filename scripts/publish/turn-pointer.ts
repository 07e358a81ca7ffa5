/**
 * Turns the pointer from the release that was live to another, unless somebody else has turned it
 * meanwhile.
 *
 * R2 compares and writes in one step, through its binding. KV cannot, and neither can what goes over
 * Cloudflare's API: between the last look at the pointer and the write lie a few milliseconds in
 * which another publisher may write too. A write that has to be repeated looks again each time, for
 * the API may have been silent for a minute. The pointer then names the release of whoever came last,
 * whole as ever; a look afterwards tells the other one, if the write was there by then.
 */
import { isDeepStrictEqual } from 'node:util';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { encodeJson, parsePointer, readPointer } from './published-release.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

/**
 * @param expected what the pointer was when the decision to turn it was made; null when there was none
 * @throws CommandError publish_conflict when it is something else by now
 */
export async function turnPointer(
  target: SnapshotTarget,
  expected: Pointer | null,
  next: Pointer,
): Promise<void> {
  const isExpected = (current: Uint8Array | null) =>
    isDeepStrictEqual(parsePointer(current), expected);
  const isWritten = target.replace
    ? await target.replace(POINTER_KEY, encodeJson(next), isExpected)
    : await replaceInTwoSteps(target, next, isExpected);
  const found = await readPointer(target);
  const isOurs = isDeepStrictEqual(found, next);
  // KV may still answer with what was there before.
  const isLate = isWritten && isDeepStrictEqual(found, expected);
  if (!isOurs && !isLate) throw conflict(found, next);
}

/**
 * Looks before the work that ends in turning the pointer, so that it is not done for nothing.
 * @throws CommandError publish_conflict when the pointer that was found is not the expected one
 */
export function expectPointer(
  found: Pointer | null,
  expected: Pointer | null,
  next: Pointer,
): void {
  if (!isDeepStrictEqual(found, expected)) throw conflict(found, next);
}

/** Ends the repetition of a write that was done although it seemed to fail. */
class WrittenAlready extends Error {}

async function replaceInTwoSteps(
  target: SnapshotTarget,
  next: Pointer,
  isExpected: (current: Uint8Array | null) => boolean,
): Promise<boolean> {
  if (!isExpected(await target.get(POINTER_KEY))) return false;
  const lookAgain = async () => {
    const current = await target.get(POINTER_KEY);
    const found = parsePointer(current);
    if (isDeepStrictEqual(found, next)) throw new WrittenAlready();
    if (!isExpected(current)) throw conflict(found, next);
  };
  try {
    await target.put(POINTER_KEY, encodeJson(next), lookAgain);
  } catch (error) {
    if (!(error instanceof WrittenAlready)) throw error;
  }
  return true;
}

function conflict(found: Pointer | null, next: Pointer): CommandError {
  const state = found ? `release ${found.release} since ${found.publishedAt}` : 'nothing';
  const message = `somebody else has published meanwhile: live is ${state}, release ${next.release} is not; look at what is live and publish again`;
  return new CommandError(message, { code: 'publish_conflict', details: { live: found } });
}
