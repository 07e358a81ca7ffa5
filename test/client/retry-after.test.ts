/** How long the client waits, whatever form the `Retry-After` of a refusal has. */
import { expect, it } from 'vitest';
import { readRetryAfter } from '../../client/src/retry-after.ts';
import { open, problem } from './support/client-stage.ts';

/** Headers with the seconds that they ask for; null: they count as none. */
const asking = (seconds: number | null, ...headers: readonly (string | null)[]) =>
  headers.map((header) => [header, seconds] as const);

it.each([
  ...asking(0, '0', '00', 'Sun, 06 Nov 1994 08:49:37 GMT'),
  ...asking(7, '7', '007', 'Thu, 01 Jan 2026 00:00:07 GMT'),
  ...asking(1e20, `1${'0'.repeat(20)}`),
  ...asking(null, null, '', '-5', '+3', '1.5', '1e1', '0x10', '5 s', 'soon', 'NaN'),
  // Of these `Date.parse` makes dates of some year. A header that is sent twice comes as "5, 5".
  ...asking(null, '5, 5', '1,5', '2027-01-01', '01 Jan 2027', 'Fri, 01 Jan 2027 00:00:00 +0000'),
  // A Thursday that is a Friday, and a day that is none.
  ...asking(null, 'Thu, 01 Jan 2027 00:00:00 GMT', 'Tue, 30 Feb 2027 00:00:00 GMT'),
  ...asking(null, 'Infinity', 'Invalid Date'),
])('%o asks for %d seconds', (header, seconds) => {
  const milliseconds = readRetryAfter(header, Date.parse('2026-01-01T00:00:00Z'));
  expect(milliseconds).toBe(seconds === null ? null : 1000 * seconds);
});

it.each<[code: string, retryAfter: string | undefined, waits: readonly number[]]>([
  ['storage_unreachable', undefined, [0.5, 1, 2, 4]],
  ['storage_unreachable', 'Sun, 06 Nov 1994 08:49:37 GMT', Array(4).fill(0.5)],
  ['storage_unreachable', '120', Array(4).fill(120)],
  ['storage_unreachable', '121', []],
  ['storage_unreachable', 'Fri, 31 Dec 9999 23:59:59 GMT', []],
  ['release_not_here_yet', undefined, Array(60).fill(5)],
  ['release_not_here_yet', '4', Array(60).fill(5)],
  ['release_not_here_yet', '30', Array(10).fill(30)],
  ['release_not_here_yet', '301', []],
])('after each %s with %s it waits for %j seconds', async (code, retryAfter, expected) => {
  const { directory, waits } = open(Array(99).fill(() => problem(503, code, {}, retryAfter)));
  await expect(directory.list()).rejects.toMatchObject({ code });
  expect(waits).toHaveLength(expected.length);
  for (const [index, seconds] of expected.entries()) {
    const wait = (waits[index] as number) / 1000;
    expect(wait).toBeGreaterThanOrEqual(seconds);
    // Waits are spread by up to a tenth.
    expect(wait).toBeLessThan(1.1 * seconds);
  }
});
