/**
 * Serves `/explore` with snapshots to browsers on this machine.
 *
 *     /explore                         the page of the service, told that it shows snapshots
 *     /files/…, /favicon.svg           what it loads
 *     /snapshots.json                  which snapshots they are, and how two differ
 *     /snapshots/(before|after)/v2/…   a list of stores, and one store, without a token
 *
 * It listens on loopback alone, and answers requests to loopback alone: a page elsewhere that has a
 * name of its own led here (DNS rebinding) is refused by `Host`.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { pageHeaders } from '../../src/http/pages/policy.ts';
import { EXPLORE_PATH, FAVICON_PATH, FILE_PREFIX, LIST_PATH } from '../../src/http/paths.ts';
import { problemReply } from '../../src/http/problem-response.ts';
import type { Reply } from '../../src/http/reply.ts';
import { SECURITY_HEADERS } from '../../src/http/security-headers.ts';
import { ProblemError } from '../../src/problem.ts';
import { SITE_FOLDER } from '../../web/build/site-folder.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import type { PlaceChanges } from '../diff/compare-places.ts';
import { expectFreePort, HOST } from '../start/port.ts';
import { answersFrom, type SnapshotAnswers } from './snapshot-answers.ts';

/** A list of stores, and one store. */
const STORES_PATH = new RegExp(`^/snapshots/(before|after)${LIST_PATH}(?:/([^/]+))?$`);

/** Names by which a browser on this machine reaches it. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** A release that is shown. */
export interface ViewedRelease {
  /** For people: the folder, or where it is live. */
  readonly name: string;
  readonly release: CompiledRelease;
}

interface ViewedReleases {
  /** Null when there is nothing to compare with. */
  readonly before: ViewedRelease | null;
  readonly after: ViewedRelease;
  readonly changes: PlaceChanges | null;
}

/** Listens. @throws CommandError port_taken */
export async function openViewServer({ before, after, changes }: ViewedReleases, port: number) {
  await expectFreePort(port);
  const facts = {
    before: before && factsOf(before, 'before'),
    after: factsOf(after, 'after'),
    changes,
  };
  const answers: Answers = {
    before: before && answersFrom(before.release),
    after: answersFrom(after.release),
  };
  const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port}`);
  const server = createServer(async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    const isKnown = hosts.includes(request.headers.host ?? '');
    const answer = isKnown
      ? await replyTo(request.method, path, query, facts, answers).catch((error: unknown) =>
          problemReply(error, { path, requestId: 'view' }),
        )
      : refuseHost();
    response.writeHead(answer.status, {
      ...SECURITY_HEADERS,
      'cross-origin-resource-policy': 'same-origin',
      ...answer.headers,
    });
    response.end(request.method === 'HEAD' ? null : answer.body);
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    url: `http://${HOST}:${port}${EXPLORE_PATH}`,
    /** Ends at once, whatever is under way. */
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Answers = Readonly<Record<'before' | 'after', SnapshotAnswers | null>>;

/** @throws ProblemError */
async function replyTo(
  method: string | undefined,
  path: string,
  query: string,
  facts: object,
  answers: Answers,
): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') {
    const headers = { allow: 'GET, HEAD' };
    throw new ProblemError('method_not_allowed', 'Only GET and HEAD.', { headers });
  }
  if (path === '/') return { status: 302, body: null, headers: { location: EXPLORE_PATH } };
  if (path === EXPLORE_PATH) return explorePage();
  if (path === '/snapshots.json') return reply(JSON.stringify(facts), 'application/json');
  if (path === FAVICON_PATH || path.startsWith(FILE_PREFIX)) return fileReply(path);
  const [, role, id] = STORES_PATH.exec(path) ?? [];
  const asked = answers[role as keyof Answers];
  if (!asked) throw unknownPath();
  return id === undefined ? asked.list(query) : asked.get(decoded(id), query);
}

/** @throws ProblemError route_unknown */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unknownPath();
  }
}

function factsOf({ name, release }: ViewedRelease, role: string) {
  const { release: id, storeCount } = release.manifest;
  return { name, release: id, storeCount, base: `/snapshots/${role}` };
}

async function explorePage(): Promise<Reply> {
  const page = await readFile(join(SITE_FOLDER, EXPLORE_PATH, 'index.html'), 'utf8');
  const body = page.replace('data-source="service"', 'data-source="snapshots"');
  return reply(body, 'text/html; charset=utf-8', pageHeaders(EXPLORE_PATH));
}

/** @throws ProblemError route_unknown */
async function fileReply(path: string): Promise<Reply> {
  if (!/^\/(?:files\/)?[\w.-]+$/.test(path)) throw unknownPath();
  const body = await readFile(join(SITE_FOLDER, path)).catch(() => {
    throw unknownPath();
  });
  const type = getMimeType(path) ?? 'application/octet-stream';
  return reply(body, type, { 'cache-control': 'max-age=3600' });
}

function reply(body: Reply['body'], type: string, more: Reply['headers'] = {}): Reply {
  const headers = { 'content-type': type, 'cache-control': 'no-store', ...more };
  return { status: 200, body, headers };
}

function refuseHost(): Reply {
  const body = 'This is for browsers on this machine alone.\n';
  return { status: 421, body, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

function unknownPath(): ProblemError {
  return new ProblemError('route_unknown', 'There is no such path.');
}
