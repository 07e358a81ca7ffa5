/**
 * Turns the pointer from the release that was live to another, unless somebody else has turned it
 * meanwhile. Its number grows by one each time, so that readers tell a late copy of an older one.
 *
 * R2 compares and writes in one step, through its binding. KV cannot, and neither can what goes over
 * Cloudflare's API: between the last look at the pointer and the write lie a few milliseconds in
 * which another publisher may write too. A write that has to be repeated looks again each time, for
 * the API may have been silent for a minute. The pointer then names the release of whoever came last,
 * whole as ever; a look afterwards tells the other one, if the write was there by then.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { FORMAT_VERSION, POINTER_KEY } from '../../src/snapshot/keys.ts';
import type { LiveRelease, Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import {
  encodeJson,
  parseJson,
  parsePointer,
  pointerFacts,
  readPointer,
} from './published-release.ts';

/**
 * @param expected what the pointer was when the decision to turn it was made; null when there was
 *   none, or none that could be read
 * @param live what is to be live
 * @throws CommandError publish_conflict when the pointer is something else by now
 */
export async function turnPointer(
  target: SnapshotTarget,
  expected: Pointer | null,
  live: LiveRelease,
): Promise<void> {
  const isExpected = (current: Uint8Array | null) =>
    isDeepStrictEqual(parsePointer(current), expected);
  const current = await target.get(POINTER_KEY);
  if (!isExpected(current)) throw conflict(parsePointer(current), live);
  const next = nextPointer(current, expected, live);
  let isWritten = true;
  if (target.replace) isWritten = await target.replace(POINTER_KEY, encodeJson(next), isExpected);
  else await putPointer(target, next, isExpected);
  const found = await readPointer(target);
  const isOurs = isDeepStrictEqual(found, next);
  // KV may still answer with what was there before.
  const isLate = isWritten && isDeepStrictEqual(found, expected);
  if (!isOurs && !isLate) throw conflict(found, live);
}

const numberSchema = z.looseObject({ number: z.int().min(1) });

function nextPointer(
  found: Uint8Array | null,
  expected: Pointer | null,
  { manifest, publishedAt }: LiveRelease,
): Pointer {
  // A damaged pointer may still tell its number: readers wait before they follow a lower one.
  const number = parseJson(found, numberSchema)?.number ?? 0;
  // What is published over itself, to heal it, is nothing to fall back on.
  const isHealed = expected?.manifest.release === manifest.release;
  const before = isHealed ? expected.before : expected;
  return {
    format: FORMAT_VERSION,
    number: number + 1,
    manifest,
    publishedAt,
    before: before && { manifest: before.manifest, publishedAt: before.publishedAt },
  };
}

/**
 * Looks before the work that ends in turning the pointer, so that it is not done for nothing.
 * @throws CommandError publish_conflict when the pointer that was found is not the expected one
 */
export function expectPointer(
  found: Pointer | null,
  expected: Pointer | null,
  next: LiveRelease,
): void {
  if (!isDeepStrictEqual(found, expected)) throw conflict(found, next);
}

/** Ends the repetition of a write that was done although it seemed to fail. */
class WrittenAlready extends Error {}

/** Writes the pointer right after it was looked at. */
async function putPointer(
  target: SnapshotTarget,
  next: Pointer,
  isExpected: (current: Uint8Array | null) => boolean,
): Promise<void> {
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
}

function conflict(found: Pointer | null, { manifest }: LiveRelease): CommandError {
  const live = found && pointerFacts(found);
  const state = live ? `release ${live.release} since ${live.publishedAt}` : 'nothing';
  const message = `somebody else has published meanwhile: live is ${state}, release ${manifest.release} is not; look at what is live and publish again`;
  return new CommandError(message, { code: 'publish_conflict', details: { live } });
}
