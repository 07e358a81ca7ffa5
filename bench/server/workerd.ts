/** A workerd process that serves a configuration on free ports of the loopback interface. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { end, lookAfter } from '../child-process.ts';

/** An address that lets the system choose the port. */
export const ANY_PORT = '127.0.0.1:0';

const INSPECTOR = 'inspector';

/** What workerd tells on its control pipe. */
interface ControlEvent {
  readonly event: string;
  readonly socket?: string;
  readonly port: number;
}

export class WorkerdProcess {
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly ports: ReadonlyMap<string, number>;

  private constructor(child: ChildProcess, pid: number, ports: ReadonlyMap<string, number>) {
    this.child = child;
    this.pid = pid;
    this.ports = ports;
  }

  /**
   * Starts workerd and waits until every socket listens.
   * @param sockets names of the configuration's sockets
   * @param inspect whether to serve the inspector protocol, too
   * @throws Error with what workerd said when it ends before
   */
  static async start(
    configFile: string,
    sockets: readonly string[],
    inspect: boolean,
  ): Promise<WorkerdProcess> {
    const inspector = inspect ? [`--inspector-addr=${ANY_PORT}`] : [];
    const fixed = ['--experimental', '--control-fd=3', '--import-path=/'];
    const args = ['serve', ...fixed, ...inspector, configFile];
    // Log lines of the Workers go nowhere: formatting them is the Worker's work, storing is not.
    // A session of its own: Linux shares a busy machine out by sessions, and service, storage and
    // client stand for three machines.
    const child = spawn(binaryPath(), args, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    lookAfter(child);
    const expected = inspect ? [...sockets, INSPECTOR] : sockets;
    const ports = await listen(child, expected);
    return new WorkerdProcess(child, child.pid as number, ports);
  }

  /** The port of a socket. */
  port(socket: string): number {
    const port = this.ports.get(socket);
    if (port === undefined) throw new Error(`workerd has no socket ${socket}`);
    return port;
  }

  get inspectorPort(): number {
    return this.port(INSPECTOR);
  }

  stop(): Promise<void> {
    return end(this.child);
  }
}

function binaryPath(): string {
  const require = createRequire(import.meta.url);
  // wrangler brings the workerd that it deploys for.
  const { default: path } = createRequire(require.resolve('wrangler'))('workerd');
  return path;
}

async function listen(
  child: ChildProcess,
  expected: readonly string[],
): Promise<Map<string, number>> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
  });
  const ports = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, socket, port }: ControlEvent = JSON.parse(line);
    if (event === 'listen-inspector') ports.set(INSPECTOR, port);
    else if (event === 'listen' && socket !== undefined) ports.set(socket, port);
    if (expected.every((name) => ports.has(name))) return ports;
  }
  throw new Error(`workerd ended before it served: ${errors}`);
}
