/** Logs what goes wrong: one JSON object a line, without tokens. */
import { redact } from '../shown-text.ts';

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
