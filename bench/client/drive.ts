/** Asks a server one request after another: on several connections for some time, or each once. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Answer, Connection } from './connection.ts';

/** A request as it goes over the wire, and the answer that it must get. */
export interface PreparedRequest {
  readonly bytes: Uint8Array;
  readonly status: number;
  /** Length of the body; null where it is not known. */
  readonly length: number | null;
}

/** One turn of a contender under load. */
export interface Turn {
  readonly perSecond: number;
  /** Milliseconds of CPU per request; null where it is not known. */
  readonly cpu: number | null;
  /** Lengths of the bodies, by the number of the request. */
  readonly lengths: readonly number[];
}

/** Where a contender answers, and its process. */
interface Service {
  readonly port: number;
  readonly pid: number;
}

const CONNECTIONS = 4;

/** How long a contender answers in a round. */
export const SECONDS = 0.2;

const NANOSECONDS = 1e9;

/**
 * Sends `requests` in turn until `seconds` have passed or, if each is sent once, there are no more;
 * then waits for the answers under way.
 * @throws Error when an answer is not what it must be
 */
export async function takeTurn(
  { port, pid }: Service,
  requests: readonly PreparedRequest[],
  repetition: 'again' | 'once' = 'again',
  seconds = SECONDS,
): Promise<Turn> {
  return withConnections(port, CONNECTIONS, async (connections) => {
    const lengths: number[] = [];
    const last = repetition === 'once' ? requests.length : Number.POSITIVE_INFINITY;
    let next = 0;
    const before = cpuSeconds(pid);
    const start = performance.now();
    const work = async (connection: Connection) => {
      do {
        const number = next++;
        if (number >= last) return;
        const request = requests[number % requests.length] as PreparedRequest;
        const answer = await connection.send(request.bytes);
        expectAnswer(request, answer);
        lengths[number] = answer.bytes;
      } while (performance.now() - start < seconds * 1000);
    };
    await Promise.all(connections.map(work));
    const took = (performance.now() - start) / 1000;
    const cpu = cpuSince(pid, before);
    const { length: count } = lengths;
    return { perSecond: count / took, cpu: cpu === null ? null : cpu / count, lengths };
  });
}

/** Milliseconds of CPU per request when each is sent once. */
export async function cpuOfEach(
  service: Service,
  requests: readonly PreparedRequest[],
): Promise<number | null> {
  return (await takeTurn(service, requests, 'once', Number.POSITIVE_INFINITY)).cpu;
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

/** Opens one connection for as long as `use` lasts. */
export function withConnection<Value>(
  port: number,
  use: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  return withConnections(port, 1, ([connection]) => use(connection as Connection));
}

/**
 * Seconds of CPU of all threads of a process so far: null on systems without /proc. The scheduler
 * counts nanoseconds, `stat` only hundredths.
 */
export function cpuSeconds(pid: number): number | null {
  const tasks = `/proc/${pid}/task`;
  try {
    const spent = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ', 1)[0]),
    );
    return spent.reduce((sum, each) => sum + each, 0) / NANOSECONDS;
  } catch {
    return null;
  }
}

/** Milliseconds of CPU since `before`. */
export function cpuSince(pid: number, before: number | null): number | null {
  const now = cpuSeconds(pid);
  return before === null || now === null ? null : (now - before) * 1000;
}

/** @throws Error that quotes the request line */
function expectAnswer(request: PreparedRequest, { status, bytes }: Answer): void {
  const { length } = request;
  if (status === request.status && (length === null || bytes === length)) return;
  const [line] = Buffer.from(request.bytes).toString('latin1').split('\r\n', 1);
  const expected = `${request.status} with ${length ?? 'any'}`;
  throw new Error(`${line}: got ${status} with ${bytes} bytes, expected ${expected}`);
}
