/** Turns requests into bytes to send, and says what must come back. */
import type { WholeAnswer } from '../client/connection.ts';
import type { PreparedRequest } from '../client/drive.ts';
import type { LastingConnection } from '../client/lasting-connection.ts';
import { BYTES_HEADER, CASE_HEADER } from '../contenders/limit-headers.ts';
import type { BenchTokens } from '../data/tokens.ts';
import { type BenchRequest, statusOf } from './request.ts';

const END_OF_LINE = '\r\n';

/** Headers that the server adds by itself. */
const SERVER_HEADERS = ['content-length', 'date', 'connection'];

export class RequestWriter {
  private readonly tokens: BenchTokens;
  /** Tells the entity tags that conditional requests carry, and the lengths of answers. */
  private readonly service: LastingConnection;

  constructor(tokens: BenchTokens, service: LastingConnection) {
    this.tokens = tokens;
    this.service = service;
  }

  /** The request as it is sent to anybody; the length of its answer is not known. */
  async prepare(request: BenchRequest): Promise<PreparedRequest> {
    const tag = request.conditional ? [`if-none-match: ${await this.entityTag(request)}`] : [];
    return {
      bytes: this.write(request, request.path, [`${CASE_HEADER}: ${request.case}`, ...tag]),
      status: statusOf(request.case),
      length: null,
      leastBytes: request.leastBytes,
    };
  }

  async prepareAll(requests: readonly BenchRequest[]): Promise<PreparedRequest[]> {
    const prepared: PreparedRequest[] = [];
    for (const request of requests) prepared.push(await this.prepare(request));
    return prepared;
  }

  /** The same with the lengths of the answers that the service gives now; the limit has to be told. */
  async prepareExact(requests: readonly BenchRequest[]): Promise<PreparedRequest[]> {
    const exact: PreparedRequest[] = [];
    for (const request of requests) {
      const prepared = await this.prepare(request);
      const { bytes } = await this.service.send(prepared.bytes);
      exact.push(withLength(prepared, bytes));
    }
    return exact;
  }

  /** The request without a condition, or for an answer that is not the one with this entity tag. */
  writeRequest(request: BenchRequest, tag: string | null = null): Uint8Array {
    return this.write(request, request.path, tag === null ? [] : [`if-none-match: ${tag}`]);
  }

  /** The request for what needs the same index and no documents. */
  primer(request: BenchRequest): Uint8Array {
    return this.write(request, request.primer);
  }

  /** A good token, for requests that are written elsewhere. */
  get goodToken(): string {
    return this.tokens.texts.plain;
  }

  /** A list request with a good token. */
  writePath(path: string): Uint8Array {
    return writeRequest(path, this.tokens.texts.plain);
  }

  private write({ token }: BenchRequest, path: string, headers: readonly string[] = []) {
    return writeRequest(path, token && this.tokens.texts[token], headers);
  }

  private async entityTag(request: BenchRequest): Promise<string> {
    const { head } = await this.service.fetch(this.write(request, request.path));
    const tag = new Map(headersOf(head)).get('etag');
    if (tag === undefined) throw new Error(`${request.path}: the answer has no ETag`);
    return tag;
  }
}

/** The request that is answered with a body of `length` bytes, by the limit too. */
export function withLength(prepared: PreparedRequest, length: number): PreparedRequest {
  const headers = prepared.bytes.subarray(0, -END_OF_LINE.length);
  const header = Buffer.from(`${BYTES_HEADER}: ${length}${END_OF_LINE}${END_OF_LINE}`, 'latin1');
  return { ...prepared, bytes: Buffer.concat([headers, header]), length };
}

/** What the limit has to answer in a case: status and headers of `answer`. */
export function constantAnswer({ status, head }: WholeAnswer): unknown {
  return { status, headers: headersOf(head) };
}

/** A header of an answer, or undefined. @param name in lower case */
export function headerOf({ head }: WholeAnswer, name: string): string | undefined {
  return new Map(headersOf(head)).get(name);
}

/** A request as it goes over the wire. @param token null to send none */
export function writeRequest(
  path: string,
  token: string | null,
  headers: readonly string[] = [],
): Uint8Array {
  const tokenLines = token === null ? [] : [`x-access-token: ${token}`];
  const lines = [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', ...tokenLines, ...headers, '', ''];
  return Buffer.from(lines.join(END_OF_LINE), 'latin1');
}

/** The headers of an answer in lower case, without those that the server adds by itself. */
function headersOf(head: string): [name: string, value: string][] {
  return head
    .split(END_OF_LINE)
    .slice(1)
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    })
    .filter(([name]) => !SERVER_HEADERS.includes(name));
}
