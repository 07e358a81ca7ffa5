/** Asks a server one request after another on several connections, for some time. */
import type { Connection } from './connection.ts';

/** A request as it goes over the wire, and the answer that it must get. */
export interface PreparedRequest {
  readonly bytes: Uint8Array;
  readonly status: number;
  /** Length of the body; null where contenders may differ. */
  readonly length: number | null;
}

export interface Drive {
  readonly requests: number;
  readonly seconds: number;
  /** Bytes of all bodies. */
  readonly bytes: number;
}

/**
 * Sends `requests` in turn until `seconds` have passed, and waits for the answers under way.
 * @throws Error when an answer is not what it must be
 */
export async function drive(
  connections: readonly Connection[],
  requests: readonly PreparedRequest[],
  seconds: number,
): Promise<Drive> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let next = 0;
  let done = 0;
  let bytes = 0;
  const work = async (connection: Connection) => {
    do {
      const request = requests[next++ % requests.length] as PreparedRequest;
      const answer = await connection.send(request.bytes);
      expectAnswer(request, answer.status, answer.bytes);
      done++;
      bytes += answer.bytes;
    } while (performance.now() < end);
  };
  await Promise.all(connections.map(work));
  return { requests: done, seconds: (performance.now() - start) / 1000, bytes };
}

function expectAnswer(request: PreparedRequest, status: number, bytes: number): void {
  if (status === request.status && (request.length === null || bytes === request.length)) return;
  const [line] = Buffer.from(request.bytes).toString('latin1').split('\r\n', 1);
  throw new Error(
    `${line}: got ${status} with ${bytes} bytes, expected ${request.status} with ${request.length}`,
  );
}
