/** Ports for servers that tests start in processes of their own. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port, below those that systems give to programs that ask for any, as other
 * tests do: none of them gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(20_000 * Math.random());
    const server = createServer();
    const isFree = await new Promise<boolean>((settle) => {
      server.once('error', () => settle(false));
      server.listen(port, '127.0.0.1', () => settle(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
