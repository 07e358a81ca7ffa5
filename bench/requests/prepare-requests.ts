/** Turns requests into bytes to send, and says what must come back. */
import { type Answer, ask } from '../client/connection.ts';
import type { PreparedRequest } from '../client/drive.ts';
import { BYTES_HEADER, CASE_HEADER } from '../contenders/limit-headers.ts';
import type { TokenTexts } from '../data/publisher.ts';
import { type BenchRequest, statusOf } from './request.ts';

const END_OF_LINE = '\r\n';

/** Headers that the server adds by itself. */
const SERVER_HEADERS = ['content-length', 'date', 'connection'];

export class RequestWriter {
  private readonly tokens: TokenTexts;
  /** Of the service, which tells the entity tags of conditional requests and the lengths of answers. */
  private readonly port: number;

  constructor(tokens: TokenTexts, port: number) {
    this.tokens = tokens;
    this.port = port;
  }

  /** The request as every contender gets it; the length of its answer is not known. */
  async prepare(request: BenchRequest): Promise<PreparedRequest> {
    const status = statusOf(request.case);
    const tag = status === 304 ? [`if-none-match: ${await this.entityTag(request)}`] : [];
    return {
      bytes: this.write(request, request.path, [`${CASE_HEADER}: ${request.case}`, ...tag]),
      status,
      length: null,
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
      const { bytes } = await ask(this.port, prepared.bytes);
      exact.push(withLength(prepared, bytes));
    }
    return exact;
  }

  /** The request for what needs the same index and no documents. */
  primer(request: BenchRequest): Uint8Array {
    return this.write(request, request.primer);
  }

  /** A request with a good token. */
  preparePath(path: string): PreparedRequest {
    const bytes = writeRequest(path, this.tokens.plain);
    return { bytes, status: 200, length: null };
  }

  private write({ token }: BenchRequest, path: string, headers: readonly string[] = []) {
    return writeRequest(path, token && this.tokens[token], headers);
  }

  private async entityTag(request: BenchRequest): Promise<string> {
    const { head } = await ask(this.port, this.write(request, request.path));
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
export function constantAnswer({ status, head }: Answer): unknown {
  return { status, headers: headersOf(head) };
}

/** A header of an answer, or undefined. @param name in lower case */
export function headerOf({ head }: Answer, name: string): string | undefined {
  return new Map(headersOf(head)).get(name);
}

/** A request as it goes over the wire. @param token null to send none */
function writeRequest(
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
