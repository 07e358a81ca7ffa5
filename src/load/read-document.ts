/** Reads a small document, such as the pointer, and counts what that costs. */
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { readTwice, withDeadline } from './shared-loads.ts';

/**
 * What `parse` makes of the document of this key; null when there is none. A read that fails, or brings
 * what `parse` refuses, is tried once more.
 * @throws DeadlineError, what `parse` throws, or as storage does
 */
export function readDocument<Value>(
  source: SnapshotSource,
  key: string,
  parse: (bytes: ArrayBuffer) => Value,
  background: Background,
): Promise<Value | null> {
  return readTwice(async () => {
    const bytes = await readBytes(source, key, background);
    return bytes && parse(bytes);
  });
}

async function readBytes(
  source: SnapshotSource,
  key: string,
  background: Background,
): Promise<ArrayBuffer | null> {
  const { storage } = background;
  storage.reads++;
  storage.keys++;
  const bytes = await withDeadline(source.readDocument(key, background), key);
  storage.bytes += bytes?.byteLength ?? 0;
  return bytes;
}
