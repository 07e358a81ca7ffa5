/** Passes a query on to the database and its answer back. */
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

const agent = new Agent({ keepAlive: true });

/** @param port where the database listens */
export async function passOn(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const query = ask({ host: '127.0.0.1', port, method, path: url, headers, agent }, resolve);
  query.on('error', reject).end(body);
  const answer = await promise;
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  await pipeline(answer, response);
}
