/** Asks a server one request after another: on several connections for some time, or each once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sum } from 'simple-statistics';
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
  /** Milliseconds of CPU per request; no number where it is not known. */
  readonly cpu: number;
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
        const fault = faultOf(request, answer);
        if (fault) throw new Error(fault);
        lengths[number] = answer.bytes;
      } while (performance.now() - start < seconds * 1000);
    };
    await Promise.all(connections.map(work));
    const took = (performance.now() - start) / 1000;
    const cpu = 1000 * (cpuSeconds(pid) - before);
    const { length: count } = lengths;
    return { perSecond: count / took, cpu: cpu / count, lengths };
  });
}

/** Returns the milliseconds of CPU per request when each is sent once. */
export async function cpuOfEach(
  service: Service,
  requests: readonly PreparedRequest[],
): Promise<number> {
  return (await takeTurn(service, requests, 'once', Number.POSITIVE_INFINITY)).cpu;
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
 * Returns the seconds of CPU of all threads of a process so far; NaN on systems without /proc. The scheduler
 * counts nanoseconds, `stat` only hundredths.
 */
export function cpuSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return Number.NaN;
  const spent = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ', 1)[0]),
  );
  return sum(spent) / NANOSECONDS;
}

/** Returns what is wrong with an answer, if anything is. */
export function faultOf(request: PreparedRequest, { status, bytes }: Answer): string | undefined {
  const { length } = request;
  if (status === request.status && (length === null || bytes === length)) return;
  const [line] = Buffer.from(request.bytes).toString('latin1').split('\r\n', 1);
  const expected = `${request.status} with ${length ?? 'any'}`;
  return `${line}: got ${status} with ${bytes} bytes, expected ${expected}`;
}
