/** The port to serve on: a number that is free. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { CommandError } from '../cli/command-error.ts';

const PORT_PATTERN = /^[1-9]\d{0,4}$/;
const HIGHEST_PORT = 65_535;

/** Reads a port from the command line. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = PORT_PATTERN.test(text) ? Number(text) : Number.NaN;
  if (port <= HIGHEST_PORT) return port;
  throw new InvalidArgumentError(`Expected a number from 1 to ${HIGHEST_PORT}.`);
}

/** @throws CommandError port_taken, or when the port cannot be had for another reason */
export async function expectFreePort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (!isTaken) throw new CommandError(`port ${port} cannot be used: ${cause}`, { cause });
    const message = `port ${port} is taken: stop what runs there, or choose another with --port`;
    throw new CommandError(message, { code: 'port_taken', cause });
  } finally {
    server.close();
  }
}
