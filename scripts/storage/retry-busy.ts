/** Patience with local storage: it is a SQLite file, which one process at a time can write. */
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 12;
/** Milliseconds before the second attempt, at most; twice as long before each further one. */
const FIRST_WAIT = 20;
const LONGEST_WAIT = 1000;

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
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation();
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error)) throw error;
      // Jitter keeps two writers from meeting again at each attempt.
      await sleep(Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)));
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && (BUSY.test(error.message) || isClosed(error));
}

/** The way to the local runtime is HTTP: a connection that it closes may still be written to. */
function isClosed({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === CLOSED;
}
