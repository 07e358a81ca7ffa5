/** A workerd process that serves a configuration on free ports of the loopback interface. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { lookAfter } from '../child-process.ts';

/** An address that lets the system choose the port. */
export const ANY_PORT = '127.0.0.1:0';

/** What the inspector protocol counts as among the sockets. */
export const INSPECTOR = 'inspector';

/** What workerd writes to its control pipe. */
interface ControlEvent {
  readonly event: string;
  readonly socket?: string;
  readonly port: number;
}

/**
 * Starts workerd and waits until every socket listens.
 * @param sockets names of the configuration's sockets; `INSPECTOR` to serve its protocol, too
 * @throws Error with what workerd said when it ends before
 */
export async function startWorkerd(configFile: string, sockets: readonly string[]) {
  const inspector = sockets.includes(INSPECTOR) ? [`--inspector-addr=${ANY_PORT}`] : [];
  const fixed = ['--experimental', '--control-fd=3', '--import-path=/'];
  const args = ['serve', ...fixed, ...inspector, configFile];
  // Log lines of the Workers go nowhere: formatting them is the Worker's work, storing is not.
  // A session of its own: Linux shares a busy machine out by sessions, and service, storage and
  // client stand for three machines.
  const child = spawn(binaryPath(), args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = lookAfter(child);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
  });
  const ports = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, socket, port }: ControlEvent = JSON.parse(line);
    if (event === 'listen-inspector') ports.set(INSPECTOR, port);
    else if (event === 'listen' && socket !== undefined) ports.set(socket, port);
    if (!sockets.every((name) => ports.has(name))) continue;
    const portOf = (name: string) => ports.get(name) as number;
    return { pid: child.pid as number, portOf, stop };
  }
  throw new Error(`workerd ended before it served: ${errors}`);
}

function binaryPath(): string {
  const require = createRequire(import.meta.url);
  // wrangler brings the workerd that it deploys for.
  const { default: path } = createRequire(require.resolve('wrangler'))('workerd');
  return path;
}
