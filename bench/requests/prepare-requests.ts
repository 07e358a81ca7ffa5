/** Turns requests into bytes to send, and says what must come back. */
import { type Answer, ask } from '../client/connection.ts';
import type { PreparedRequest } from '../client/drive.ts';
import { BYTES_HEADER, CASE_HEADER } from '../contenders/limit-headers.ts';
import type { TokenName, TokenTexts } from '../data/publisher.ts';
import { type BenchRequest, statusOf } from './request.ts';

const END_OF_LINE = '\r\n';

const SERVER_HEADERS = ['content-length', 'date', 'connection'];

export class RequestWriter {
  private readonly tokens: TokenTexts;
  /** Port of the service, from which entity tags of conditional requests and lengths of answers come. */
  private readonly port: number;

  constructor(tokens: TokenTexts, port: number) {
    this.tokens = tokens;
    this.port = port;
  }

  /** Returns the request as every contender gets it; the length of its answer is not known. */
  async prepare(request: BenchRequest): Promise<PreparedRequest> {
    const status = statusOf(request.case);
    const tag = status === 304 ? [`if-none-match: ${await this.entityTag(request)}`] : [];
    return {
      bytes: this.write(request.token, request.path, [`${CASE_HEADER}: ${request.case}`, ...tag]),
      status,
      length: null,
    };
  }

  prepareAll(requests: readonly BenchRequest[]): Promise<PreparedRequest[]> {
    return Array.fromAsync(requests, (request) => this.prepare(request));
  }

  /** Returns requests with the lengths of the answers that the service gives now, as the limit needs them. */
  prepareExact(requests: readonly BenchRequest[]): Promise<PreparedRequest[]> {
    return Array.fromAsync(requests, async (request) => {
      const prepared = await this.prepare(request);
      const { bytes } = await ask(this.port, prepared.bytes);
      return withLength(prepared, bytes);
    });
  }

  /**
   * Returns a request that needs the same index parts and no documents: the same query with `limit=0`, or a
   * store of the same form that does not exist, as no name is read backwards.
   */
  primer({ token, path }: BenchRequest): Uint8Array {
    const backwards = (name: string) => Array.from(name).reverse().join('');
    const primer = path.replace(/limit=\d+/, 'limit=0').replace(/(?<=stores\/)[^?]+/, backwards);
    return this.write(token, primer);
  }

  /** Returns a request with a good token. */
  preparePath(path: string): PreparedRequest {
    return { bytes: this.write('plain', path), status: 200, length: null };
  }

  /** Returns a request as it goes over the wire. @param token null to send none */
  private write(
    token: TokenName | null,
    path: string,
    headers: readonly string[] = [],
  ): Uint8Array {
    const tokens = token === null ? [] : [`x-access-token: ${this.tokens[token]}`];
    const lines = [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', ...tokens, ...headers, '', ''];
    return Buffer.from(lines.join(END_OF_LINE), 'latin1');
  }

  private async entityTag({ token, path }: BenchRequest): Promise<string> {
    const tag = headersOf(await ask(this.port, this.write(token, path))).get('etag');
    if (tag === null) throw new Error(`${path}: the answer has no ETag`);
    return tag;
  }
}

/** Returns the request that is answered with a body of `length` bytes, by the limit too. */
export function withLength(prepared: PreparedRequest, length: number): PreparedRequest {
  const headers = prepared.bytes.subarray(0, -END_OF_LINE.length);
  const header = Buffer.from(`${BYTES_HEADER}: ${length}${END_OF_LINE}${END_OF_LINE}`, 'latin1');
  return { ...prepared, bytes: Buffer.concat([headers, header]), length };
}

/** Returns what the limit has to answer in a case: all but the headers that the server adds by itself. */
export function constantAnswer(answer: Answer): unknown {
  const headers = headersOf(answer);
  for (const name of SERVER_HEADERS) headers.delete(name);
  return { status: answer.status, headers: [...headers] };
}

export function headersOf({ head }: Answer): Headers {
  const [, ...lines] = head.split(END_OF_LINE);
  return new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
}
