/** Patience with local storage: it is a SQLite file, which one process at a time can write. */
import pRetry from 'p-retry';

/**
 * What SQLITE_BUSY looks like from outside: KV answers 500, R2 with an error it cannot name, and the
 * local runtime with an internal error or a lost connection when another process was killed in the
 * middle of a write. Other faults of the storage look the same, and outlast our patience.
 */
const BUSY =
  /SQLITE_BUSY|500 Internal Server Error|Unspecified error \(0\)|Network connection lost|internal error; reference/;

/** What undici calls a connection that the other side closed. */
const CLOSED = 'UND_ERR_SOCKET';

/** Runs `operation`, again and again while another process keeps the storage busy. */
export async function retryBusy<T>(operation: () => Promise<T>): Promise<T> {
  return pRetry(operation, {
    // Five to ten seconds in all; jitter keeps two writers from meeting again at each attempt.
    ...{ retries: 9, minTimeout: 10, randomize: true },
    shouldRetry: ({ error }) => isBusy(error),
  });
}

/** The way to the local runtime is HTTP: a connection that it closes may still be written to. */
function isBusy({ message, cause }: Error): boolean {
  const isClosed = cause instanceof Error && 'code' in cause && cause.code === CLOSED;
  return isClosed || BUSY.test(message);
}
