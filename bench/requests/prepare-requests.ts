/** Turns the request log into bytes to send, with the answers that the service gives to them. */
import type { Connection, WholeAnswer } from '../client/connection.ts';
import type { PreparedRequest } from '../client/drive.ts';
import type { BenchCase, BenchRequest } from './request.ts';
import type { BenchTokens } from './tokens.ts';

export interface PreparedCase extends BenchCase {
  readonly prepared: readonly PreparedRequest[];
  /** Answers of the service, in order of the requests. */
  readonly answers: readonly WholeAnswer[];
}

/** Headers that the server adds by itself. */
const SERVER_HEADERS = ['content-length', 'date', 'connection'];

/** Asks the service every request of the log once. */
export async function prepareCases(
  log: readonly BenchCase[],
  tokens: BenchTokens,
  service: Connection,
): Promise<PreparedCase[]> {
  const cases: PreparedCase[] = [];
  let number = 0;
  for (const group of log) {
    const prepared: PreparedRequest[] = [];
    const answers: WholeAnswer[] = [];
    for (const request of group.requests) {
      const bytes = await requestBytes(request, number++, tokens, service);
      const answer = await service.fetch(bytes);
      const isExact = answer.status === 200 || answer.status === 304;
      prepared.push({ bytes, status: answer.status, length: isExact ? answer.bytes : null });
      answers.push(answer);
    }
    cases.push({ ...group, prepared, answers });
  }
  return cases;
}

/** What the limit has to answer to each request of the log, by its number. */
export function constantAnswers(cases: readonly PreparedCase[]): unknown {
  return cases.flatMap(({ answers }) =>
    answers.map(({ status, bytes, head }) => ({ status, bytes, headers: headersOf(head) })),
  );
}

/** The request of the path alone, as bytes: what else a client sends is short. */
async function requestBytes(
  request: BenchRequest,
  number: number,
  tokens: BenchTokens,
  service: Connection,
): Promise<Uint8Array> {
  const { path, token, conditional } = request;
  const headers = [`x-bench-request: ${number}`];
  const text = token && tokens.texts[token];
  if (!conditional) return writeRequest(path, text, headers);
  const { head } = await service.fetch(writeRequest(path, text, headers));
  const etag = new Map(headersOf(head)).get('etag');
  if (etag === undefined) throw new Error(`${path}: the answer has no ETag`);
  return writeRequest(path, text, [...headers, `if-none-match: ${etag}`]);
}

/** A request as it goes over the wire. @param token null to send none */
export function writeRequest(
  path: string,
  token: string | null,
  headers: readonly string[] = [],
): Uint8Array {
  const tokenLines = token === null ? [] : [`x-access-token: ${token}`];
  const lines = [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', ...tokenLines, ...headers, '', ''];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/** The headers of an answer in lower case, without those that the server adds by itself. */
function headersOf(head: string): [name: string, value: string][] {
  return head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    })
    .filter(([name]) => !SERVER_HEADERS.includes(name));
}
