/**
 * Workers KV in a process of its own, as workerd asks for it over HTTP, with the delays and limits
 * that KV has: `GET /<encoded key>` and `POST /bulk/get`. It also stands before the database of the
 * D1 contender, so that a query takes as long as a read.
 *
 * Started with its settings as JSON in the first argument; prints its port.
 */
import { readFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as requestOf,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { TOKEN_KEY_PREFIX } from '../../src/auth/token.ts';
import { OBJECT_PREFIX, POINTER_KEY, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import { Lane } from './lane.ts';
import {
  CONTROL_PATH,
  DATABASE_HEADER,
  type KeyKind,
  LANE_HEADER,
  type LaneSettings,
} from './protocol.ts';

/**
 * Where the values of KV lie: objects of the snapshot where `snapshot build` wrote them, everything else
 * in a folder of small documents, which may change at any time.
 */
interface StandInSettings {
  /** Looked through in this order: one for each release. */
  readonly objects: readonly string[];
  readonly documents: string;
  /** Keys of all index parts. */
  readonly parts: readonly string[];
}

interface Value {
  /** As KV holds it. */
  readonly stored: Buffer;
  /** Whether `stored` can stand between the quotes of JSON as it is. */
  readonly isPlain: boolean;
  /** Length before any encoding. */
  readonly bytes: number;
}

interface BulkRead {
  readonly keys: readonly string[];
  readonly type?: 'text' | 'json';
}

const BULK_PATH = '/bulk/get';
const BULK_KEY_LIMIT = 100;
const BULK_BYTE_LIMIT = 25 * 1024 * 1024;

const settings: StandInSettings = JSON.parse(process.argv[2] ?? '{}');
const parts = new Set(settings.parts);
const lanes = new Map<string, Lane>();
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    end(response, 500);
  });
});
// Connections stay open between samples: opening them is not what is measured.
server.keepAliveTimeout = 0;
server.headersTimeout = 0;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/';
  if (url.startsWith(CONTROL_PATH)) {
    return control(laneOf(url.slice(CONTROL_PATH.length)), request, response);
  }
  const lane = laneOf(String(request.headers[LANE_HEADER] ?? ''));
  const database = request.headers[DATABASE_HEADER];
  if (database) {
    const body = await buffer(request);
    await wait(lane.drawDelay('query', body.toString()));
    return passOn(Number(database), request, body, response);
  }
  if (request.method === 'POST' && url.startsWith(BULK_PATH)) {
    return readMany(lane, (await json(request)) as BulkRead, response);
  }
  const key = decodeURIComponent(url.slice(1).split('?', 1)[0] ?? '');
  return lane.inTurn(() => readOne(lane, key, response));
}

/** Passes a query on to the database at `port`, and its answer back. */
async function passOn(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const query = requestOf({ host: '127.0.0.1', port, method, path: url, headers, agent }, resolve);
  query.on('error', reject).end(body);
  const answer = await promise;
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  await pipeline(answer, response);
}

async function control(lane: Lane, request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'POST') lane.restart((await json(request)) as LaneSettings);
  end(response, 200, Buffer.from(JSON.stringify(lane.report())));
}

async function readOne(lane: Lane, key: string, response: ServerResponse): Promise<void> {
  const delay = delayOf(lane, key);
  const [value] = await Promise.all([count(lane, key), pause(delay)]);
  end(response, value ? 200 : 404, value?.stored);
}

/** A bulk read takes as long as its slowest key. */
async function readMany(lane: Lane, { keys, type }: BulkRead, response: ServerResponse) {
  if (keys.length > BULK_KEY_LIMIT) return end(response, 400, Buffer.from('too many keys'));
  const delay = Math.max(...keys.map((key) => delayOf(lane, key)));
  const reading = Promise.all(keys.map((key) => count(lane, key)));
  const [values] = await Promise.all([reading, pause(delay)]);
  const total = values.reduce((sum, value) => sum + (value?.stored.length ?? 0), 0);
  if (total > BULK_BYTE_LIMIT) return end(response, 413, Buffer.from('too many bytes'));
  const members = keys.flatMap((key, index) => [
    Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    jsonOf(values[index] ?? null, type),
  ]);
  end(response, 200, Buffer.concat([...members, Buffer.from(keys.length === 0 ? '{}' : '}')]));
}

function delayOf(lane: Lane, key: string): number {
  return lane.drawDelay(kindOf(key), key);
}

async function count(lane: Lane, key: string): Promise<Value | null> {
  const value = await readValue(key);
  lane.countBytes(kindOf(key), value?.bytes ?? 0);
  return value;
}

/** A value as a member of a bulk answer: a text, or what its JSON says. */
function jsonOf(value: Value | null, type: BulkRead['type']): Buffer {
  if (!value) return Buffer.from('null');
  const { stored, isPlain } = value;
  if (type === 'json') return stored;
  if (!isPlain) return Buffer.from(JSON.stringify(stored.toString()));
  const quote = Buffer.from('"');
  return Buffer.concat([quote, stored, quote]);
}

function laneOf(name: string): Lane {
  const lane = lanes.get(name) ?? new Lane();
  lanes.set(name, lane);
  return lane;
}

/** A timer takes a millisecond even for nothing. */
async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await wait(milliseconds);
}

function end(response: ServerResponse, status: number, body: Buffer = Buffer.alloc(0)): void {
  response.writeHead(status, { 'content-length': body.length }).end(body);
}

/** The value of `key`, or null when there is none. */
async function readValue(key: string): Promise<Value | null> {
  if (!key.startsWith(OBJECT_PREFIX)) {
    const stored = await readIfThere(join(settings.documents, key));
    return stored && { stored, isPlain: false, bytes: stored.length };
  }
  for (const folder of settings.objects) {
    const bytes = await readIfThere(join(folder, key.split('/').at(-1) as string));
    if (!bytes) continue;
    // The bytes of an object lie in KV as base64.
    const stored = Buffer.from(bytes.toString('base64'), 'latin1');
    return { stored, isPlain: true, bytes: bytes.length };
  }
  return null;
}

/** Every object that is no index part is a chunk. */
function kindOf(key: string): KeyKind {
  if (key === POINTER_KEY) return 'pointer';
  if (key.startsWith(TOKEN_KEY_PREFIX)) return 'token';
  if (key.startsWith(RELEASE_PREFIX)) return 'release';
  if (parts.has(key)) return 'part';
  return key.startsWith(OBJECT_PREFIX) ? 'chunk' : 'other';
}

function readIfThere(file: string): Promise<Buffer | null> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
