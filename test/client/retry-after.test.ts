/** What the client makes of every form of `Retry-After`, as it comes over a connection. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProblemError, StoreDirectory } from '../../client/src/index.ts';
import { RELEASE, TOKEN } from './support/client-stage.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
/** Headers that ask for no wait. */
const NO_WAIT = ['0', '00', 'Sun, 06 Nov 1994 08:49:37 GMT'];
/** Headers that count as none. */
const MALFORMED = [
  ...['', '-5', '+3', '1.5', '1e1', '0x10', '5 s', 'soon', 'NaN', 'Infinity', 'Invalid Date'],
  // Of these `Date.parse` makes dates of some year.
  ...['5, 5', '1,5', '2027-01-01', '01 Jan 2027', 'Fri, 01 Jan 2027 00:00:00 +0000'],
  // A Thursday that is a Friday, and a day that is none.
  ...['Thu, 01 Jan 2027 00:00:00 GMT', 'Tue, 30 Feb 2027 00:00:00 GMT'],
];
/** No header, and one that is sent twice, which `fetch` joins. */
const NONE: string[] = [];
const TWICE = ['5', '5'];
/** Headers that ask for seven seconds. */
const SEVEN_SECONDS = ['7', ' 7 ', '7\t', '007', 'Thu, 01 Jan 2026 00:00:07 GMT'];

/** How the service refuses every request; an array is a header that is sent more than once. */
let refusal: { status: number; code: string; retryAfter: string | readonly string[] };
let refusals: number;

const server = createServer((_request, response) => {
  if (refusals-- > 0) {
    const { status, code, retryAfter } = refusal;
    const headers = [retryAfter].flat().flatMap((value) => ['retry-after', value]);
    response.writeHead(status, headers).end(JSON.stringify({ code }));
  } else response.writeHead(200, RELEASE).end('{"total":0,"docs":[]}');
});
let baseUrl: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Lists stores where the first `count` requests are refused. @returns the waits, and how it ends */
async function listAfter(count: number, refused: typeof refusal) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  refusal = refused;
  refusals = count;
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const directory = new StoreDirectory({ baseUrl, token: TOKEN, sleep });
  const error = await directory.list().then(
    () => null,
    (reason: unknown) => reason as ProblemError,
  );
  return { waits, error };
}

/** Waits are spread by up to a tenth. */
function expectWaits(waits: readonly number[], expected: readonly number[]): void {
  expect(waits).toHaveLength(expected.length);
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(expected[index] as number);
    expect(wait).toBeLessThan((expected[index] as number) * 1.1);
  }
}

describe('a request that fails', () => {
  const failing = (retryAfter: string | readonly string[]) =>
    ({ status: 503, code: 'storage_unreachable', retryAfter }) as const;

  it.each([...MALFORMED, NONE, TWICE].map((value) => ({ value })))(
    'waits on its own after $value',
    async ({ value }) => {
      const { waits, error } = await listAfter(9, failing(value));
      expect(error).toMatchObject({ code: 'storage_unreachable', retryAfter: null });
      expectWaits(waits, [500, 1000, 2000, 4000]);
    },
  );

  it.each(NO_WAIT)('waits for half a second after %j', async (value) => {
    const { waits, error } = await listAfter(9, failing(value));
    expect(error).toMatchObject({ retryAfter: 0 });
    expectWaits(waits, [500, 500, 500, 500]);
  });

  it.each(SEVEN_SECONDS)('waits for seven seconds after %j', async (value) => {
    const { waits, error } = await listAfter(1, failing(value));
    expect(error).toBeNull();
    expectWaits(waits, [7000]);
  });

  it.each(['121', '9'.repeat(20), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is given up at once after %j',
    async (value) => {
      const { waits, error } = await listAfter(9, failing(value));
      expect(error?.retryAfter).toBeGreaterThan(120_000);
      expect(waits).toEqual([]);
    },
  );
});

describe('a release that is on its way', () => {
  const notYet = (retryAfter: string | readonly string[]) =>
    ({ status: 503, code: 'release_not_here_yet', retryAfter }) as const;

  it.each([...NO_WAIT, ...MALFORMED, '1', NONE, TWICE].map((value) => ({ value })))(
    'is asked for every five seconds, for five minutes, after $value',
    async ({ value }) => {
      const { waits, error } = await listAfter(100, notYet(value));
      expect(error).toMatchObject({ code: 'release_not_here_yet' });
      expectWaits(waits, Array(60).fill(5000));
    },
  );

  it.each(SEVEN_SECONDS)('is asked for after seven seconds, after %j', async (value) => {
    const { waits, error } = await listAfter(1, notYet(value));
    expect(error).toBeNull();
    expectWaits(waits, [7000]);
  });

  it.each(['301', '9'.repeat(20)])('is given up at once after %j', async (value) => {
    const { waits, error } = await listAfter(9, notYet(value));
    expect(error).toBeInstanceOf(ProblemError);
    expect(waits).toEqual([]);
  });
});
