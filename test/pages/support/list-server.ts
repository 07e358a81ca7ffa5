/** A list of stores over HTTP that refuses and counts as a test wants it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIST_PATH } from '../../../src/http/paths.ts';

export interface ListServer extends AsyncDisposable {
  readonly url: string;
  readonly slugs: readonly string[];
  readonly requests: readonly string[];
  readonly tokens: readonly unknown[];
  readonly mostAtOnce: number;
}

export interface ListFaults {
  /** How many stores it says there are: as many by default. */
  readonly total?: number;
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
      const start = slugs.indexOf(searchParams.get('after') ?? '') + 1;
      const docs = slugs.slice(start, start + Number(searchParams.get('limit'))).map((slug) => ({
        id: slug,
        slug,
        profile: { name: '', verticales: [] },
        geo: { location: null },
        reviews: { external: null },
      }));
      searchParams.set('after', docs.at(-1)?.id ?? '');
      const link = `<${LIST_PATH}?${searchParams}>; rel="next"`;
      const isLast = start + docs.length === count;
      response.writeHead(200, { 'x-snapshot-release': '1-a', ...(!isLast && { link }) });
      response.end(JSON.stringify({ total: faults.total ?? count, docs }));
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
