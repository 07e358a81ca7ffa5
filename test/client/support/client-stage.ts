/** A client whose requests get the answers that a test has written down. */
import { type DirectoryOptions, StoreDirectory } from '../../../client/src/index.ts';

export const BASE = 'https://stores.test';
export const TOKEN = 'acme_sk_test_0123456789abcdefghijkl';
export const RELEASE = { 'x-snapshot-release': '7-abc' };

type Reply = () => Response | Promise<Response>;

/** A page of a list. */
export const page = (docs: object[], headers: Record<string, string> = {}) =>
  Response.json({ total: docs.length, docs }, { headers: { ...RELEASE, ...headers } });

/** A problem document. */
export const problem = (status: number, code: string, more: object = {}, retryAfter?: string) =>
  Response.json(
    { type: `/docs/problems/${code}`, title: 'T', status, detail: 'D.', code, ...more },
    {
      status,
      headers: {
        'x-request-id': 'r1',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      },
    },
  );

/** A directory whose requests get `replies` in turn, and which waits no longer than it says. */
export function open(replies: readonly Reply[], options: Partial<DirectoryOptions> = {}) {
  const sent: { url: string; headers: Headers }[] = [];
  const waits: number[] = [];
  const queue = [...replies];
  const directory = new StoreDirectory({
    baseUrl: BASE,
    token: TOKEN,
    fetch: async (url, init) => {
      sent.push({ url, headers: new Headers(init.headers) });
      const reply = queue.shift();
      if (!reply) throw new Error('one request too many');
      return reply();
    },
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds);
      signal?.throwIfAborted();
    },
    ...options,
  });
  return { directory, sent, waits, left: queue };
}
