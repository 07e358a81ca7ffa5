/** Work on many things, a few at a time, or all at once where storage can do that. */
import PQueue from 'p-queue';
import type { KeyValueStore, ReadValues, ValueSize } from './key-value-store.ts';

/** Requests to storage under way at once: the fastest way into local storage. */
const IN_FLIGHT = 16;

/**
 * Runs `work` on every item, `limit` at once. After an error no further item is begun; what is
 * under way is waited for, then the first error is thrown.
 */
export async function forEachInFlight<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: limit });
  const errors: unknown[] = [];
  for (const item of items) {
    void queue.add(async () => {
      try {
        await work(item);
      } catch (error) {
        errors.push(error);
        queue.clear();
      }
    });
  }
  await queue.onIdle();
  if (errors.length > 0) throw errors[0];
}

/** Every key that begins with `prefix`, as storage lists them. */
export async function listKeys(store: KeyValueStore, prefix: string): Promise<string[]> {
  return (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);
}

/** The bytes of many values, in the same order; null for those that are not there. */
export async function getAll(
  store: KeyValueStore,
  values: readonly ValueSize[],
): Promise<(Uint8Array | null)[]> {
  if (store.getAll) return store.getAll(values);
  const found: (Uint8Array | null)[] = [];
  await forEachInFlight(values.entries(), IN_FLIGHT, async ([place, { key }]) => {
    found[place] = await store.get(key);
  });
  return found;
}

/** Puts every upload, and tells of each that is stored. After an error nothing more is begun. */
export async function putAll<Upload extends ValueSize>(
  store: KeyValueStore,
  uploads: readonly Upload[],
  read: ReadValues<Upload>,
  stored: (upload: Upload) => void = () => {},
): Promise<void> {
  if (store.putAll) return store.putAll(uploads, read, stored);
  await forEachInFlight(uploads, IN_FLIGHT, async (upload) => {
    for (const bytes of await read([upload])) await store.put(upload.key, bytes);
    stored(upload);
  });
}

/** Removes every key; no error for those that are not there. */
export async function deleteAll(store: KeyValueStore, keys: readonly string[]): Promise<void> {
  if (store.deleteAll) return store.deleteAll(keys);
  await forEachInFlight(keys, IN_FLIGHT, (key) => store.delete(key));
}
