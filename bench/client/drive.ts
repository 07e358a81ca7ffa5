/** Asks a server one request after another on several connections, for some time. */
import { type Answer, Connection } from './connection.ts';

/** A request as it goes over the wire, and the answer that it must get. */
export interface PreparedRequest {
  readonly bytes: Uint8Array;
  readonly status: number;
  /** Length of the body; null where it is not known. */
  readonly length: number | null;
  /** A body shorter than this cannot be the whole answer. */
  readonly leastBytes: number;
}

export interface Drive {
  readonly requests: number;
  readonly seconds: number;
  /** Lengths of the bodies, by the number of the request. */
  readonly lengths: readonly number[];
}

/** Whether requests that have all been asked are asked again. */
export type Repetition = 'again' | 'once';

/**
 * Sends `requests` in turn until `seconds` have passed or, if each is sent once, there are no more;
 * then waits for the answers under way.
 * @throws Error when an answer is not what it must be
 */
export async function drive(
  connections: readonly Connection[],
  requests: readonly PreparedRequest[],
  seconds: number,
  repetition: Repetition,
): Promise<Drive> {
  const lengths: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  const last = repetition === 'once' ? requests.length : Number.POSITIVE_INFINITY;
  let next = 0;
  const work = async (connection: Connection) => {
    do {
      const number = next++;
      if (number >= last) return;
      const request = requests[number % requests.length] as PreparedRequest;
      const answer = await connection.send(request.bytes);
      expectAnswer(request, answer);
      lengths[number] = answer.bytes;
    } while (performance.now() < end);
  };
  await Promise.all(connections.map(work));
  return { requests: lengths.length, seconds: (performance.now() - start) / 1000, lengths };
}

/** Opens connections for as long as `use` lasts. */
export async function withConnections<Value>(
  port: number,
  count: number,
  use: (connections: readonly Connection[]) => Promise<Value>,
): Promise<Value> {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)));
  try {
    return await use(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * Sends requests one after another, and tells how many milliseconds each takes.
 * @throws Error when an answer is not what it must be
 */
export async function takeTimes(
  connection: Connection,
  requests: readonly PreparedRequest[],
): Promise<number[]> {
  const taken: number[] = [];
  for (const request of requests) {
    const start = performance.now();
    const answer = await connection.send(request.bytes);
    taken.push(performance.now() - start);
    expectAnswer(request, answer);
  }
  return taken;
}

/** Opens one connection for as long as `use` lasts. */
export function withConnection<Value>(
  port: number,
  use: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  return withConnections(port, 1, ([connection]) => use(connection as Connection));
}

/** @throws Error that quotes the request line */
function expectAnswer(request: PreparedRequest, { status, bytes }: Answer): void {
  const isLong = request.length === null ? bytes >= request.leastBytes : bytes === request.length;
  if (status === request.status && isLong) return;
  const [line] = Buffer.from(request.bytes).toString('latin1').split('\r\n', 1);
  const expected = request.length ?? `${request.leastBytes} or more`;
  throw new Error(
    `${line}: got ${status} with ${bytes} bytes, expected ${request.status} with ${expected}`,
  );
}
