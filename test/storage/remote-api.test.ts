/** What the client makes of everything that Cloudflare's API can do to a request. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../scripts/cli/command-error.ts';
import { CloudflareError } from '../../scripts/storage/api-answer.ts';
import { ATTEMPTS } from '../../scripts/storage/cloudflare-api.ts';
import { cloudflareKv } from '../../scripts/storage/cloudflare-kv.ts';
import {
  openApi,
  openKv,
  openStandIn,
  type StageOptions,
  TestClock,
} from '../support/cloudflare/stage.ts';
import { CloudflareStandIn, type Fault, STAND_IN_TOKEN } from '../support/cloudflare/stand-in.ts';
import { ok, raw, refuse, type StandInAnswer } from '../support/cloudflare/stand-in-answer.ts';

const HELLO = new TextEncoder().encode('hello');
const HTML = Buffer.from('<html>Bad gateway</html>');

const tooMany = (headers?: Readonly<Record<string, string>>) =>
  refuse(429, 971, 'Please wait', headers);
const BROKEN = refuse(500, 10_001, 'Internal error');

/** So often that the client gives up. */
const always = (fault: Fault): Fault[] => Array(ATTEMPTS).fill(fault);

const standIn = await openStandIn();

/** Of the client. */
let clock: TestClock;

beforeEach(() => {
  clock = new TestClock();
});

afterEach(() => vi.restoreAllMocks());

const openNamespace = (options: StageOptions = {}) => openKv(standIn, { clock, ...options });

/**
 * Has the time limit of a request run out when the stand-in stays silent, and never before: no machine
 * is too slow for that.
 */
function runOutInSilence(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    standIn.onSilence = () => limit.abort(new DOMException('time is up', 'TimeoutError'));
    return limit.signal;
  });
}

/** The error that `work` fails with, which is one of the API. */
async function apiErrorOf(work: Promise<unknown>): Promise<CloudflareError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CloudflareError);
  return error as CloudflareError;
}

describe('a rate limit', () => {
  // By Cloudflare's clock, not by this machine's.
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';

  it.each<[Readonly<Record<string, string>>, number]>([
    [{ 'retry-after': '60' }, 60_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    [{ ratelimit: '"default";r=0;t=40' }, 40_000],
    // Nothing that tells how long: the rest of the window.
    [{ 'retry-after': '1.5' }, 300_000],
    [{}, 300_000],
  ])('with %j is waited out', async (headers, expected) => {
    standIn.failNext(tooMany({ date, ...headers }));
    await openNamespace().get('a');
    expect(Math.max(...clock.waits)).toBeCloseTo(expected, -3);
  });

  it.each([
    ['"default";r=5;t=30', [30_000]],
    ['"default"; t=7; r=0', [7_000]],
    ['"default";r=6;t=30', []],
    ['"default";r=5', []],
  ])('of which little is left holds up the next request: %s', async (ratelimit, expected) => {
    const namespace = openNamespace();
    standIn.failNext({ ...raw(Buffer.from('hello')), headers: { ratelimit } });
    for (let time = 0; time < 2; time++) await namespace.get('a');
    expect(clock.waits).toEqual(expected);
  });

  it('is waited out to its end when a later answer asks for less', async () => {
    standIn.failNext(tooMany({ 'retry-after': '60' }), tooMany({ 'retry-after': '1' }));
    const start = clock.now();
    await Promise.all([openNamespace().get('a'), openNamespace().get('a')]);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
  });
});

it('a day of writes that is used up ends at once: no repetition helps before 0:00 UTC', async () => {
  standIn.failNext(refuse(429, 10_048, 'your account has reached the free usage limit'));
  const error = await apiErrorOf(openNamespace().put('a', HELLO));
  expect(error).toMatchObject({ code: 'api_writes_used_up', exitCode: 1 });
  expect(error.explanation).toContain('0:00 UTC');
  expect([clock.waits, standIn.requests.length]).toEqual([[], 1]);
});

it.each<[string, Fault]>([
  ['a rate limit', tooMany()],
  ['an internal error', BROKEN],
  ['the page of a gateway', { status: 502, body: HTML }],
  ['a dropped connection', 'drop'],
  ['an answer cut short', 'drop answer'],
  ['silence', 'silence'],
])('after %s a writing and a reading are repeated', async (_name, fault) => {
  runOutInSilence();
  standIn.failNext(fault);
  await openNamespace().put('a', HELLO);
  expect(standIn.snapshots.values.get('a')?.toString()).toBe('hello');
  standIn.failNext(fault, fault);
  expect(await openNamespace().get('a')).toEqual(HELLO);
  expect(standIn.requests).toHaveLength(5);
});

describe('waiting', () => {
  it('grows from attempt to attempt up to half a minute, of which chance takes a part, and ends', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.25);
    standIn.failNext(...always(BROKEN));
    await apiErrorOf(openNamespace().get('a'));
    expect(clock.waits).toEqual([125, 250, 500, 1000, 2000, 4000, 7500]);
  });

  it.each<[string, Fault, code: string, words: RegExp]>([
    [
      'an internal error',
      BROKEN,
      'api_failed',
      /: it answered 500: Internal error \[code: 10001\]$/,
    ],
    ['silence', 'silence', 'api_failed', /: it gave no answer at http:.*time is up/],
  ])('ends with what was wrong all the time: %s', async (_what, fault, code, words) => {
    runOutInSilence();
    standIn.failNext(...always(fault));
    const error = await apiErrorOf(openNamespace().put('a', HELLO));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^Cloudflare did not write 1 values to KV: /);
    expect(error.message).toMatch(words);
    expect(standIn.requests).toHaveLength(ATTEMPTS);
  });

  it('lasts as long as the API asks, for requests too that were not refused themselves', async () => {
    const start = clock.now();
    const reasons: string[] = [];
    standIn.snapshots.set('a', 'hello');
    let other: Promise<unknown> | undefined;
    const remark = (reason: string) => {
      reasons.push(reason);
      other = namespace.get('a');
    };
    const namespace = openNamespace({ remark });
    standIn.failNext(tooMany({ 'retry-after': '60' }));
    await namespace.get('a');
    await other;
    expect(Math.max(...clock.waits)).toBe(60_000);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
    expect(reasons).toEqual([expect.stringMatching(/^waiting 60 s: .*Please wait \[code: 971\]/)]);
  });

  it('is left to people when the API asks for more than ten minutes', async () => {
    standIn.failNext(tooMany({ 'retry-after': '3600' }));
    const error = await apiErrorOf(openNamespace().get('a'));
    expect(error.code).toBe('api_failed');
    expect(error.message).toContain('to be repeated after 3600 s');
    expect(standIn.requests).toHaveLength(1);
  });

  it('does not keep an interrupted command from tidying up', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'));
    standIn.snapshots.set('a', 'hello');
    standIn.failNext(BROKEN);
    await openNamespace({ signal }).delete('a');
    expect(standIn.snapshots.values.size).toBe(0);
  });

  it('for an answer ends when the command is interrupted', async () => {
    const interruption = new AbortController();
    const reason = new Error('interrupted');
    standIn.failNext('silence');
    const reading = openNamespace({ signal: interruption.signal }).get('a');
    setTimeout(() => interruption.abort(reason), 50);
    await expect(reading).rejects.toBe(reason);
  });
});

describe('a refusal', () => {
  const NO_ROUTE = 'No route for the URI';
  const redirection = { location: `${standIn.variables.CLOUDFLARE_API_BASE_URL}/elsewhere` };

  it.each<[string, StandInAnswer, string]>([
    ...[400, 401, 403, 404, 409, 413].map((status): [string, StandInAnswer, string] => {
      return [`status ${status}`, refuse(status, 7003, NO_ROUTE), `${NO_ROUTE} [code: 7003]`];
    }),
    [
      'a redirection: the token stays with its host',
      { status: 307, headers: redirection, body: Buffer.alloc(0) },
      'answered 307',
    ],
  ])('is final: %s', async (_name, answer, words) => {
    standIn.failNext(answer);
    const error = await apiErrorOf(openNamespace().put('a', HELLO));
    expect(error).toMatchObject({ code: 'api_refused', exitCode: 1 });
    expect(error.message).toContain(words);
    expect(standIn.requests).toHaveLength(1);
  });

  it('of a token never shows it, even when the answer does', async () => {
    const token = 'wrong-token-wrong-token';
    const error = await apiErrorOf(
      openNamespace({ variables: { CLOUDFLARE_API_TOKEN: token } }).put('a', HELLO),
    );
    expect(error.explanation).toContain('Workers KV Storage: Edit');
    expect(error.message).toContain('Authentication error: Bearer [token]');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(token);
    expect(JSON.stringify(error)).not.toContain(token);
  });

  it('is not confused with a missing key', async () => {
    expect(await openNamespace().get('a')).toBeNull();
    const error = await apiErrorOf(cloudflareKv(openApi(standIn), 'f'.repeat(32)).get('a'));
    expect(error.message).toContain('namespace not found [code: 10013]');
    expect(error.explanation).toContain('the account that has what wrangler.toml names');
  });
});

describe('an answer', () => {
  it.each<[string, StandInAnswer]>([
    ['another result', ok('stored')],
    ['no result', { ...refuse(400, 10_026, 'namespace is read only'), status: 200 }],
    ['no JSON', { status: 200, body: HTML }],
  ])('of an unknown shape is no refusal, for a write may have been done: %s', async (_, answer) => {
    standIn.failNext(answer);
    const error = await openNamespace()
      .put('a', HELLO)
      .catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(CommandError);
    expect(String(error)).toContain(
      'asked to write 1 values to KV, and sent a result of an unknown',
    );
    expect(standIn.requests).toHaveLength(1);
  });

  it('that cannot come is told by its cause', async () => {
    const stopped = await CloudflareStandIn.start();
    const { variables } = stopped;
    stopped.stop();
    const namespace = openNamespace({ variables });
    const error = await apiErrorOf(namespace.get('a'));
    expect(error.code).toBe('api_failed');
    expect(error.message).toMatch(/at http:[^ ]* \(ECONNREFUSED\)/);
  });
});

it('the token is carried in one header, and only there', async () => {
  await openNamespace().put('a', HELLO);
  expect(JSON.stringify(standIn.requests)).not.toContain(STAND_IN_TOKEN);
});
