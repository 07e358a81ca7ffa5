/** Concurrent work on many items, a few at a time. */

/**
 * Runs `work` on every item, `limit` at once. After an error no further item is begun; what is
 * under way is waited for, then the first error is thrown.
 */
export async function forEachInFlight<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const worker = async () => {
    while (errors.length === 0) {
      const next = queue.next();
      if (next.done) return;
      await work(next.value).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (errors.length > 0) throw errors[0];
}
