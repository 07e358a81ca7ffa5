/** Log lines: one JSON object each. Never a secret, nor a query as it was sent. */
import type { StorageCost } from '../load/background.ts';
import { redact } from '../shown-text.ts';
import type { Laps } from './stopwatch.ts';

/** What storage cost, and the age of the isolate: a young one has little in memory yet. */
export interface StorageEntry
  extends Readonly<Pick<StorageCost, 'reads' | 'keys' | 'bytes' | 'waited'>> {
  /** Milliseconds since the first request of the isolate. */
  readonly isolateAge: number;
}

/** What is logged of every request. */
export interface RequestEntry {
  readonly requestId: string;
  /** The release that answered; null when none was needed. */
  readonly release: string | null;
  /** Public id of the token, even of a refused one; null when the token has no record. */
  readonly token: string | null;
  readonly method: string;
  readonly path: string;
  /** Canonical text; null when no query was understood. */
  readonly query: string | null;
  readonly status: number;
  /** Code of the problem; null when there was none. */
  readonly problem: string | null;
  /** Milliseconds. */
  readonly timings: Laps;
  readonly storage: StorageEntry;
}

/** Logs one line for a request; tokens in path, query and method are redacted. */
export function logRequest(entry: RequestEntry): void {
  const path = redact(entry.path);
  const query = entry.query && redact(entry.query);
  const method = redact(entry.method);
  console.log(JSON.stringify({ event: 'request', ...entry, method, path, query }));
}

/** Logs a fault of the service, with the chain of its causes. */
export function logFault(event: string, error: unknown, requestId: string | null = null): void {
  console.error(JSON.stringify({ event, requestId, error: redact(describe(error)) }));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, cause } = error;
  const own = stack ?? String(error);
  return cause === undefined ? own : `${own}\ncaused by ${describe(cause)}`;
}
