import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { type ProblemError, StoreDirectory } from '../../client/src/index.ts';
import { serve } from '../support/serve.ts';
import { RELEASE, TOKEN } from './support/client-stage.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
/** Seconds that each header asks for. */
const ASKED: readonly (readonly [value: string, seconds: number])[] = [
  ...['0', '00', 'Sun, 06 Nov 1994 08:49:37 GMT'].map((value) => [value, 0] as const),
  ...['7', ' 7 ', '7\t', '007', 'Thu, 01 Jan 2026 00:00:07 GMT'].map(
    (value) => [value, 7] as const,
  ),
  ['1', 1],
  ['121', 121],
  ['301', 301],
  ...['9'.repeat(20), 'Fri, 31 Dec 9999 23:59:59 GMT'].map((value) => [value, 1e9] as const),
];
/** Headers that count as none; an array is a header that is sent so often, which `fetch` joins. */
const NONE: readonly (string | readonly string[])[] = [
  [],
  ['5', '5'],
  ...['', '-5', '+3', '1.5', '1e1', '0x10', '5 s', 'soon', 'NaN', 'Infinity', 'Invalid Date'],
  // Of these `Date.parse` makes dates of some year.
  ...['5, 5', '1,5', '2027-01-01', '01 Jan 2027', 'Fri, 01 Jan 2027 00:00:00 +0000'],
  // A Thursday that is a Friday, and a day that is none.
  ...['Thu, 01 Jan 2027 00:00:00 GMT', 'Tue, 30 Feb 2027 00:00:00 GMT'],
];
const FORMS = [...ASKED, ...NONE.map((value) => [value, null] as const)].map(
  ([value, seconds]) => ({ value, seconds }),
);

/** How the service refuses requests, and how many more. */
let refusal: { code: string; retryAfter: string | readonly string[] };
let refusals: number;

const { origin: baseUrl, close } = await serve((_request, response) => {
  if (refusals-- > 0) {
    const { code, retryAfter } = refusal;
    const headers = [retryAfter].flat().flatMap((value) => ['retry-after', value]);
    response.writeHead(503, headers).end(JSON.stringify({ code }));
  } else response.writeHead(200, RELEASE).end('{"total":0,"docs":[]}');
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(close);

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

/** Expects so long a wait to be asked for, once, and no wait where that is longer than `most`. */
async function expectAsked(code: string, retryAfter: string, seconds: number, most: number) {
  const { waits, error } = await listAfter(1, { code, retryAfter });
  expectWaits(waits, seconds > most ? [] : [1000 * seconds]);
  if (seconds > most) expect(error?.retryAfter).toBeGreaterThan(1000 * most);
  else expect(error).toBeNull();
}

it.each(FORMS)('a request that fails waits for $seconds s after $value', async (form) => {
  const { value, seconds } = form;
  const code = 'storage_unreachable';
  if (seconds) return expectAsked(code, value as string, seconds, 120);
  const { waits, error } = await listAfter(9, { code, retryAfter: value });
  expect(error).toMatchObject({ code, retryAfter: seconds });
  expectWaits(waits, seconds === 0 ? [500, 500, 500, 500] : [500, 1000, 2000, 4000]);
});

it.each(FORMS)(
  'a release is asked for every five seconds, or $seconds s, after $value',
  async (form) => {
    const { value, seconds } = form;
    const code = 'release_not_here_yet';
    if (seconds && seconds > 5) return expectAsked(code, value as string, seconds, 300);
    const { waits, error } = await listAfter(100, { code, retryAfter: value });
    expect(error).toMatchObject({ code });
    expectWaits(waits, Array(60).fill(5000));
  },
);
