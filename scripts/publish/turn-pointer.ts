/**
 * Turns the pointer from the release that was live to another, unless somebody else has turned it
 * meanwhile.
 *
 * R2 compares and writes in one step, through its binding. KV cannot, and neither can what goes over
 * Cloudflare's API: between the last look at the pointer and the write lie a few milliseconds, more
 * when the API makes the write wait, in which another publisher may write too. The pointer then
 * names the release of whoever came last, whole as ever; a look afterwards tells the other one, if
 * the write was there by then.
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
  const bytes = encodeJson(next);
  const isExpected = (current: Uint8Array | null) =>
    isDeepStrictEqual(parsePointer(current), expected);
  const isWritten = target.replace
    ? await target.replace(POINTER_KEY, bytes, isExpected)
    : await replaceInTwoSteps(target, bytes, isExpected);
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

async function replaceInTwoSteps(
  target: SnapshotTarget,
  bytes: Uint8Array,
  isExpected: (current: Uint8Array | null) => boolean,
): Promise<boolean> {
  if (!isExpected(await target.get(POINTER_KEY))) return false;
  await target.put(POINTER_KEY, bytes);
  return true;
}

function conflict(found: Pointer | null, next: Pointer): CommandError {
  const state = found ? `release ${found.release} since ${found.publishedAt}` : 'nothing';
  const message = `somebody else has published meanwhile: live is ${state}, release ${next.release} is not; look at what is live and publish again`;
  return new CommandError(message, { code: 'publish_conflict', details: { live: found } });
}
