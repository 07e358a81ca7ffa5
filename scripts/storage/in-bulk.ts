/** Many writes to a target, in the way that suits it: in bulk, or one by one, a few at a time. */
import { forEachInFlight } from './in-flight.ts';
import type { SnapshotTarget, Upload } from './key-value-store.ts';

/** Writes under way at once: the fastest way into local storage. */
const IN_FLIGHT = 16;

/** Puts every upload and tells of each that is stored. After an error nothing more is begun. */
export async function putAll(
  target: SnapshotTarget,
  uploads: readonly Upload[],
  stored: (upload: Upload) => void,
): Promise<void> {
  if (target.putAll) return target.putAll(uploads, stored);
  await forEachInFlight(uploads, IN_FLIGHT, async (upload) => {
    await target.put(upload.key, await upload.read());
    stored(upload);
  });
}

/** Removes every key; no error for those that are not there. */
export async function deleteAll(target: SnapshotTarget, keys: readonly string[]): Promise<void> {
  if (target.deleteAll) return target.deleteAll(keys);
  await forEachInFlight(keys, IN_FLIGHT, (key) => target.delete(key));
}
