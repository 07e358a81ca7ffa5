/**
 * Workers KV as workerd asks for it over HTTP, read from folders: `GET /<encoded key>` answers the
 * value or 404. Objects of the snapshot lie in the folder that `snapshot build` wrote, everything
 * else in one of small documents. Reads are counted.
 */
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';

interface Env {
  /** Disk services. */
  readonly OBJECTS: Fetcher;
  readonly DOCUMENTS: Fetcher;
}

const BULK_PATH = '/bulk/get';

let reads = 0;

/** The namespace. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === 'POST' && pathname === BULK_PATH) return readMany(request, env);
    if (request.method !== 'GET') return new Response(null, { status: 405 });
    if (pathname === '/') return Response.json({ keys: [], list_complete: true, cursor: null });
    const key = pathname.slice(1);
    return read(searchParams.has('urlencoded') ? decodeURIComponent(key) : key, env);
  },
} satisfies ExportedHandler<Env>;

/** Answers how many values have been read since the process started. */
export const counter = {
  fetch: () => Response.json({ reads }),
} satisfies ExportedHandler<Env>;

async function read(key: string, env: Env): Promise<Response> {
  reads++;
  const file = key.startsWith(OBJECT_PREFIX)
    ? await env.OBJECTS.fetch(`http://disk/${key.slice(OBJECT_PREFIX.length)}`)
    : await env.DOCUMENTS.fetch(`http://disk/${key}`);
  if (file.ok) return file;
  await file.body?.cancel();
  return new Response(null, { status: 404 });
}

async function readMany(request: Request, env: Env): Promise<Response> {
  const { keys } = await request.json<{ keys: string[] }>();
  const values = await Promise.all(
    keys.map(async (key): Promise<[string, string | null]> => {
      const value = await read(key, env);
      return [key, value.ok ? await value.text() : null];
    }),
  );
  return Response.json(Object.fromEntries(values));
}
