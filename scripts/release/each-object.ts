/** Work on the objects of a release, a few at a time, with its progress in bytes. */
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import type { Progress } from '../cli/progress.ts';
import { forEachInFlight } from '../storage/in-flight.ts';

/** Reads under way at once. */
const IN_FLIGHT = 16;

export interface ObjectTally {
  readonly objects: number;
  readonly bytes: number;
}

/** Who watches work on objects, and who may end it. */
export interface ObjectWatch {
  readonly progress: Progress;
  /** When aborted, the work stops before its next step. */
  readonly signal?: AbortSignal;
}

/** Runs `work` on each object. After an error nothing more is begun. */
export async function forEachObject(
  phase: string,
  objects: readonly ObjectRef[],
  { progress, signal }: ObjectWatch,
  work: (object: ObjectRef) => Promise<void>,
): Promise<void> {
  let done = 0;
  progress.begin(phase, tally(objects).bytes, 'bytes');
  await forEachInFlight(objects, IN_FLIGHT, async (object) => {
    signal?.throwIfAborted();
    await work(object);
    done += object.bytes;
    progress.update(done);
  });
}

export function tally(objects: readonly ObjectRef[]): ObjectTally {
  return { objects: objects.length, bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) };
}
