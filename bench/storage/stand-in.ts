/**
 * Workers KV in a process of its own, as workerd asks for it over HTTP, with the delays and limits
 * that KV has: `GET /<encoded key>` and `POST /bulk/get`. It also stands before the database of the
 * D1 contender, so that a query takes as long as a read.
 *
 * Started with its settings as JSON in the first argument; prints its port, and ends with its standard
 * input.
 */
import { existsSync } from 'node:fs';
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
import { isReadAlone } from '../../src/storage/reading.ts';
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

const BULK_PATH = '/bulk/get';
const BULK_KEY_LIMIT = 100;
const BULK_BYTE_LIMIT = 25 * 1024 * 1024;

const settings: StandInSettings = JSON.parse(process.argv[2] ?? '{}');
const parts = new Set(settings.parts);
const lanes = new Map<string, Lane>();
const agent = new Agent({ keepAlive: true });

// Connections stay open between samples: opening them is not what is measured.
const timeouts = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
const server = createServer(timeouts, (request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    end(response, 500);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

process.stdin.resume().once('end', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/';
  if (url.startsWith(CONTROL_PATH)) {
    const lane = laneOf(url.slice(CONTROL_PATH.length));
    if (request.method === 'POST') lane.restart((await json(request)) as LaneSettings);
    return end(response, 200, JSON.stringify(lane.report));
  }
  const lane = laneOf(String(request.headers[LANE_HEADER] ?? ''));
  const database = request.headers[DATABASE_HEADER];
  if (database) {
    const body = await buffer(request);
    await wait(lane.drawDelay('query', body.toString()));
    return passOn(Number(database), request, body, response);
  }
  if (request.method === 'POST' && url.startsWith(BULK_PATH)) {
    const { keys } = (await json(request)) as { readonly keys: readonly string[] };
    return readMany(lane, keys, response);
  }
  const key = decodeURIComponent(url.slice(1).split('?', 1)[0] ?? '');
  const [value] = await lane.singles.add(() => readValues(lane, [key]));
  end(response, value ? 200 : 404, value ?? '');
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

async function readMany(lane: Lane, keys: readonly string[], response: ServerResponse) {
  if (keys.length > BULK_KEY_LIMIT) return end(response, 400, 'too many keys');
  const values = await readValues(lane, keys);
  const total = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  if (total > BULK_BYTE_LIMIT) return end(response, 413, 'too many bytes');
  const members = keys.flatMap((key, index) => [
    Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    ...jsonOf(key, values[index] ?? null),
  ]);
  end(response, 200, Buffer.concat([...members, Buffer.from('}')]));
}

const QUOTE = Buffer.from('"');

/** Returns a value as a text of JSON. Base64 can stand between the quotes as it is. */
function jsonOf(key: string, value: Buffer | null): Buffer[] {
  if (value && key.startsWith(OBJECT_PREFIX)) return [QUOTE, value, QUOTE];
  return [Buffer.from(JSON.stringify(value?.toString() ?? null))];
}

/** Returns values in the order of their keys, null where there is none, as late as the slowest key. */
async function readValues(lane: Lane, keys: readonly string[]): Promise<(Buffer | null)[]> {
  const delay = Math.max(...keys.map((key) => lane.drawDelay(kindOf(key), key)));
  const reading = Promise.all(keys.map((key) => readValue(lane, key)));
  // A timer takes a millisecond even for nothing.
  const [values] = await Promise.all([reading, delay > 0 && wait(delay)]);
  return values;
}

function laneOf(name: string): Lane {
  const lane = lanes.get(name) ?? new Lane();
  lanes.set(name, lane);
  return lane;
}

function end(response: ServerResponse, status: number, body: string | Buffer = ''): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Returns what KV holds under `key`, or null: objects that are read together lie there as base64. */
async function readValue(lane: Lane, key: string): Promise<Buffer | null> {
  const isObject = key.startsWith(OBJECT_PREFIX);
  const files = isObject
    ? settings.objects.map((folder) => join(folder, key.split('/').at(-1) as string))
    : [join(settings.documents, key)];
  for (const file of files) {
    if (!existsSync(file)) continue;
    const bytes = await readFile(file);
    lane.countBytes(kindOf(key), bytes.length);
    const isText = isObject && !isReadAlone(bytes.length);
    return isText ? Buffer.from(bytes.toString('base64'), 'latin1') : bytes;
  }
  return null;
}

/** Returns the kind of a key: every object that is no index part is a chunk. */
function kindOf(key: string): KeyKind {
  if (key === POINTER_KEY) return 'pointer';
  if (key.startsWith(TOKEN_KEY_PREFIX)) return 'token';
  if (key.startsWith(RELEASE_PREFIX)) return 'release';
  if (parts.has(key)) return 'part';
  return key.startsWith(OBJECT_PREFIX) ? 'chunk' : 'other';
}
