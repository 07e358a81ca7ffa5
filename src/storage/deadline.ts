/** Reads that take too long, or fail. */

/** Milliseconds that a read may take. Requests that wait for it give up sooner; this ends reads that hang. */
export const READ_DEADLINE = 10_000;

/** Something took too long. What is read may still come, and is kept then. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Returns whether `work` settles within so many milliseconds. Rejects when `work` does. */
export async function settlesWithin(
  work: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what `read` brings, which asks storage for `key`. @throws DeadlineError when it takes too long */
export async function withDeadline<Value>(read: Promise<Value>, key: string): Promise<Value> {
  if (await settlesWithin(read, READ_DEADLINE)) return read;
  throw new DeadlineError(`reading ${key} took longer than ${READ_DEADLINE} ms`);
}

/**
 * Returns what `read` brings. Tries once more when it fails or what came is damaged: connections often
 * break off. @throws what the second try throws
 */
export async function readTwice<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return read();
  }
}
