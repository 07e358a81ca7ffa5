/** How long the client waits, whatever form the `Retry-After` of a refusal has. */
import { afterEach, expect, it, vi } from 'vitest';
import type { ProblemError } from '../../client/src/index.ts';
import { open, page, problem } from './support/client-stage.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Headers with the seconds that they ask for; null: they count as none. */
const asking = (seconds: number | null, ...values: readonly (string | undefined)[]) =>
  values.map((value) => ({ value, seconds }));

const FORMS = [
  ...asking(0, '0', '00', 'Sun, 06 Nov 1994 08:49:37 GMT'),
  ...asking(7, '7', '007', 'Thu, 01 Jan 2026 00:00:07 GMT'),
  ...[1, 121, 301].flatMap((seconds) => asking(seconds, `${seconds}`)),
  ...asking(1e9, '9'.repeat(20), 'Fri, 31 Dec 9999 23:59:59 GMT'),
  ...asking(null, undefined, '', '-5', '+3', '1.5', '1e1', '0x10', '5 s', 'soon', 'NaN'),
  // Of these `Date.parse` makes dates of some year. A header that is sent twice comes as "5, 5".
  ...asking(null, '5, 5', '1,5', '2027-01-01', '01 Jan 2027', 'Fri, 01 Jan 2027 00:00:00 +0000'),
  // A Thursday that is a Friday, and a day that is none.
  ...asking(null, 'Thu, 01 Jan 2027 00:00:00 GMT', 'Tue, 30 Feb 2027 00:00:00 GMT'),
  ...asking(null, 'Infinity', 'Invalid Date'),
];

afterEach(() => {
  vi.useRealTimers();
});

/** Lists stores where the first `count` requests are refused. @returns the waits, and how it ends */
async function listAfter(count: number, code: string, retryAfter: string | undefined) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const refuse = () => problem(503, code, {}, retryAfter);
  const { directory, waits } = open([...Array(count).fill(refuse), () => page([])]);
  const error = await directory.list().then(
    () => null,
    (reason: ProblemError) => reason,
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
async function expectAsked(code: string, value: string | undefined, seconds: number, most: number) {
  const { waits, error } = await listAfter(1, code, value);
  expectWaits(waits, seconds > most ? [] : [1000 * seconds]);
  if (seconds > most) expect(error?.retryAfter).toBeGreaterThan(1000 * most);
  else expect(error).toBeNull();
}

it.each(FORMS)(
  'a request that fails waits for $seconds s after $value',
  async ({ value, seconds }) => {
    const code = 'storage_unreachable';
    if (seconds) return expectAsked(code, value, seconds, 120);
    const { waits, error } = await listAfter(9, code, value);
    expect(error).toMatchObject({ code, retryAfter: seconds });
    expectWaits(waits, seconds === 0 ? [500, 500, 500, 500] : [500, 1000, 2000, 4000]);
  },
);

it.each(FORMS)(
  'a release is asked for every five seconds, or $seconds s, after $value',
  async ({ value, seconds }) => {
    const code = 'release_not_here_yet';
    if (seconds && seconds > 5) return expectAsked(code, value, seconds, 300);
    const { waits, error } = await listAfter(100, code, value);
    expect(error).toMatchObject({ code });
    expectWaits(waits, Array(60).fill(5000));
  },
);
