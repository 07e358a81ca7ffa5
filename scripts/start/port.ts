/** The port to serve on: a number that is free. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { CommandError } from '../cli/command-error.ts';
import { integerFrom } from '../cli/option-values.ts';

/** Where servers on this machine listen: no other machine reaches them. */
export const HOST = '127.0.0.1';

/** Reads a port from the command line. */
export const parsePort = integerFrom(1, 65_535);

/** @throws CommandError port_taken, or when the port cannot be had for another reason */
export async function expectFreePort(port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (!isTaken)
      throw new CommandError(`port ${port} cannot be used: ${cause}`, 'failed', { cause });
    const message = `port ${port} is taken: stop what runs there, or choose another with --port`;
    throw new CommandError(message, 'port_taken', { cause });
  } finally {
    server.close();
  }
}
