/**
 * Guesses tokens from one address at a steady pace, in a process of its own: the one that measures
 * has its event loop for itself. Ends with its standard input, and prints what it was answered.
 */
import { generateToken } from '../../scripts/token/new-token.ts';
import { CHANGES_PATH } from '../../src/http/paths.ts';
import { Connection } from './connection.ts';

const [, , port = '', rate = '', address = ''] = process.argv;

const CONNECTIONS = 16;

/** Milliseconds between two looks at how many guesses are due. */
const TICK = 1;

const idle: Connection[] = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => Connection.open(Number(port))),
);
const statuses: Record<number, number> = {};
const start = performance.now();
let sent = 0;

async function guess(connection: Connection): Promise<void> {
  const lines = [
    `GET ${CHANGES_PATH}?since=1-${sent.toString(16).padStart(16, '0')} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-access-token: ${generateToken('production')}`,
    `cf-connecting-ip: ${address}`,
  ];
  const { status } = await connection.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`));
  statuses[status] = (statuses[status] ?? 0) + 1;
  idle.push(connection);
}

const timer = setInterval(() => {
  const due = ((performance.now() - start) / 1000) * Number(rate);
  while (sent < due && idle.length > 0) {
    sent++;
    void guess(idle.pop() as Connection);
  }
}, TICK);

process.stdin.resume().once('end', () => {
  clearInterval(timer);
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(JSON.stringify({ seconds, statuses }), () => process.exit());
});
process.stdout.write('begun\n');
