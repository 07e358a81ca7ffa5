/** A list of stores over HTTP that refuses, changes and counts as a test wants it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListServer extends AsyncDisposable {
  readonly url: string;
  readonly slugs: readonly string[];
  readonly requests: readonly string[];
  readonly tokens: readonly unknown[];
  readonly mostAtOnce: number;
}

export interface ListFaults {
  /** From this request on another release answers. */
  readonly releaseChangesAt?: number;
  /** The number of a request, how it is refused, and `Retry-After`. */
  readonly refusals?: readonly (readonly [number, number, string | null])[];
}

export async function openListServer(count: number, faults: ListFaults = {}): Promise<ListServer> {
  const slugs = Array.from({ length: count }, (_, number) => `store-${number}`);
  const seen = { requests: [] as string[], tokens: [] as unknown[], mostAtOnce: 0 };
  let atOnce = 0;
  const server = createServer((request, response) => {
    seen.requests.push(request.url ?? '');
    seen.tokens.push(request.headers['x-access-token']);
    const number = seen.requests.length;
    atOnce++;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, atOnce);
    // A moment later, so that requests meet.
    setTimeout(() => {
      atOnce--;
      const refusal = faults.refusals?.find(([at]) => at === number);
      if (refusal) {
        const [, status, after] = refusal;
        response.writeHead(status, after === null ? {} : { 'retry-after': after });
        const problem = { code: 'token_unknown', title: 'Access token unknown' };
        response.end(JSON.stringify({ ...problem, detail: 'No such token.' }));
        return;
      }
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      const skip = Number(searchParams.get('skip') ?? 0);
      const docs = slugs.slice(skip, skip + Number(searchParams.get('limit'))).map((slug) => ({
        id: slug,
        slug,
        profile: { name: slug },
        geo: { location: null },
      }));
      const isLater = number >= (faults.releaseChangesAt ?? Number.POSITIVE_INFINITY);
      response.writeHead(200, { 'x-snapshot-release': isLater ? '2-b' : '1-a' });
      response.end(JSON.stringify({ total: count, docs }));
    }, 5);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ slugs, requests: seen.requests, tokens: seen.tokens },
    url: `http://127.0.0.1:${port}`,
    get mostAtOnce() {
      return seen.mostAtOnce;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
