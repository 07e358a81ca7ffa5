/** What the client makes of everything that Cloudflare's API can do to a request. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ATTEMPTS } from '../../scripts/storage/cloudflare-api.ts';
import { cloudflareKv } from '../../scripts/storage/cloudflare-kv.ts';
import {
  apiErrorOf,
  openApi,
  openKv,
  openStandIn,
  runOutInSilence,
  type StageOptions,
  TestClock,
} from '../support/cloudflare/stage.ts';
import { CloudflareStandIn, type Fault, STAND_IN_TOKEN } from '../support/cloudflare/stand-in.ts';
import { ok, refuse } from '../support/cloudflare/stand-in-answer.ts';

const HELLO = new TextEncoder().encode('hello');
const HTML = Buffer.from('<html>Bad gateway</html>');

const answered = (answer: ReturnType<typeof refuse>): Fault => ({ kind: 'answer', answer });

const TOO_MANY = answered(refuse(429, 971, 'Please wait'));
const BROKEN = answered(refuse(500, 10_001, 'Internal error'));

/** So often that the client gives up. */
const always = (fault: Fault) => Array.from({ length: ATTEMPTS }, () => fault);

const standIn = await openStandIn();

afterEach(() => vi.restoreAllMocks());

const openNamespace = (options?: StageOptions) => openKv(standIn, options);

const askedToWait = (header: string) =>
  answered(refuse(429, 971, 'Please wait', { 'retry-after': header }));

const PASSING: readonly (readonly [string, Fault])[] = [
  ['a rate limit', TOO_MANY],
  ['an internal error', BROKEN],
  ['the page of a gateway', answered({ status: 502, body: HTML })],
  ['a dropped connection', { kind: 'drop' }],
  ['an answer cut short', { kind: 'drop answer' }],
  ['silence', { kind: 'silence' }],
];

describe('a rate limit that does not say how long', () => {
  it.each([
    ['is waited out', {}, 300_000],
    ['is waited for as its header says', { ratelimit: '"default";r=0;t=40' }, 40_000],
  ])('%s', async (_what, headers, expected) => {
    const clock = new TestClock();
    standIn.failNext(answered(refuse(429, 971, 'Please wait', headers)));
    await openNamespace({ clock }).get('a');
    expect(Math.max(...clock.waits)).toBeCloseTo(expected, -3);
  });
});

describe('a rate limit with Retry-After', () => {
  // By Cloudflare's clock, not by this machine's.
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';

  it.each([
    ...['60', '60 ', 'Thu, 01 Jan 2026 00:01:00 GMT'].map((header) => [header, 60_000] as const),
    // No header: the rest of the window.
    ...['', '-5', '+3', '1.5', '5, 5', '2027-01-01'].map((header) => [header, 300_000] as const),
  ])('"%s" is waited out', async (header, expected) => {
    const clock = new TestClock();
    const headers = { date, 'retry-after': header };
    standIn.failNext(answered(refuse(429, 971, 'Please wait', headers)));
    await openNamespace({ clock }).get('a');
    expect(Math.max(...clock.waits)).toBeCloseTo(expected, -3);
  });
});

describe('a day of writes that is used up', () => {
  it('ends at once: no repetition helps before 0:00 UTC', async () => {
    const clock = new TestClock();
    standIn.failNext(
      answered(refuse(429, 10_048, 'your account has reached the free usage limit')),
    );
    const error = await apiErrorOf(openNamespace({ clock }).put('a', HELLO));
    expect(error).toMatchObject({ code: 'api_writes_used_up', exitCode: 1 });
    expect(error.explanation).toContain('0:00 UTC');
    expect([clock.waits, standIn.requests.length]).toEqual([[], 1]);
  });
});

it.each(PASSING)('after %s a writing and a reading are repeated', async (_name, fault) => {
  runOutInSilence(standIn);
  standIn.failNext(fault);
  await openNamespace().put('a', HELLO);
  expect(standIn.snapshots.values.get('a')?.toString()).toBe('hello');
  standIn.failNext(fault, fault);
  expect(await openNamespace().get('a')).toEqual(HELLO);
  expect(standIn.requests).toHaveLength(5);
});

describe('waiting', () => {
  it('grows from attempt to attempt, up to half a minute, and ends', async () => {
    const clock = new TestClock();
    standIn.failNext(...always(BROKEN));
    const error = await apiErrorOf(openNamespace({ clock }).get('a'));
    expect(error).toMatchObject({ code: 'api_failed', details: { status: 500 } });
    expect(error.message).toBe(
      "Cloudflare's API did not read a from KV: it answered 500: Internal error [code: 10001]",
    );
    expect(standIn.requests).toHaveLength(ATTEMPTS);
    expect(clock.waits.map(Math.round)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  });

  it('is jittered over the whole length', async () => {
    const clock = new TestClock();
    clock.chance = 0.25;
    standIn.failNext(BROKEN, BROKEN);
    await openNamespace({ clock }).put('a', HELLO);
    expect(clock.waits).toEqual([125, 250]);
  });

  it('lasts as long as the API asks, for requests too that were not refused themselves', async () => {
    const clock = new TestClock();
    const start = clock.now();
    const reasons: string[] = [];
    standIn.snapshots.set('a', 'hello');
    let other: Promise<unknown> | undefined;
    const onWait = (milliseconds: number, reason: string) => {
      reasons.push(`${milliseconds} ${reason}`);
      other = namespace.get('a');
    };
    const namespace = openNamespace({ clock, onWait });
    standIn.failNext(askedToWait('60'));
    await namespace.get('a');
    await other;
    expect(Math.max(...clock.waits)).toBe(60_000);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
    expect(reasons).toEqual([expect.stringMatching(/^60000 .*Please wait \[code: 971\]/)]);
  });

  it('is left to people when the API asks for more than ten minutes', async () => {
    standIn.failNext(askedToWait('3600'));
    const error = await apiErrorOf(openNamespace().get('a'));
    expect(error.code).toBe('api_rate_limited');
    expect(error.message).toContain('to be repeated after 3600 s');
    expect(standIn.requests).toHaveLength(1);
  });

  it('does not keep an interrupted command from tidying up', async () => {
    const interruption = new AbortController();
    interruption.abort(new Error('interrupted'));
    standIn.snapshots.set('a', 'hello');
    standIn.failNext(BROKEN);
    await openNamespace({ signal: interruption.signal }).delete('a');
    expect(standIn.snapshots.values.size).toBe(0);
  });

  it('for an answer ends when the command is interrupted', async () => {
    const interruption = new AbortController();
    const reason = new Error('interrupted');
    standIn.failNext({ kind: 'silence' });
    const reading = openNamespace({ signal: interruption.signal }).get('a');
    setTimeout(() => interruption.abort(reason), 50);
    await expect(reading).rejects.toBe(reason);
  });
});

describe('a refusal', () => {
  it.each([400, 401, 403, 404, 409, 413])('with status %i is final', async (status) => {
    standIn.failNext(answered(refuse(status, 7003, 'No route for the URI')));
    const error = await apiErrorOf(openNamespace().put('a', HELLO));
    expect(error).toMatchObject({ code: 'api_refused', details: { status }, exitCode: 1 });
    expect(error.message).toContain('No route for the URI [code: 7003]');
    // What may be set wrong is told where a setting may be the reason.
    expect(error.explanation !== null).toBe([401, 403, 404].includes(status));
    expect(standIn.requests).toHaveLength(1);
  });

  it('inside an answer of status 200 is one', async () => {
    standIn.failNext(answered({ ...refuse(400, 10_026, 'namespace is read only'), status: 200 }));
    const error = await apiErrorOf(openNamespace().put('a', HELLO));
    expect(error.code).toBe('api_refused');
    expect(error.message).toContain('namespace is read only [code: 10026]');
    expect(standIn.requests).toHaveLength(1);
  });

  it('of a token never shows it, even when the answer does', async () => {
    const token = 'wrong-token-wrong-token';
    const error = await apiErrorOf(
      openNamespace({ variables: { CLOUDFLARE_API_TOKEN: token } }).put('a', HELLO),
    );
    expect(error.details).toMatchObject({ status: 403 });
    expect(error.explanation).toContain('Workers KV Storage: Edit');
    expect(error.message).toContain('Authentication error: Bearer [token]');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(token);
    expect(JSON.stringify(error)).not.toContain(token);
  });

  it('is what a redirection counts as: the token stays with its host', async () => {
    const headers = { location: `${standIn.variables.CLOUDFLARE_API_BASE_URL}/elsewhere` };
    standIn.failNext(answered({ status: 307, headers, body: Buffer.alloc(0) }));
    const { details } = await apiErrorOf(openNamespace().get('a'));
    expect(details).toMatchObject({ status: 307 });
    expect(standIn.requests).toHaveLength(1);
  });

  it('is not confused with a missing key', async () => {
    expect(await openNamespace().get('a')).toBeNull();
    const error = await apiErrorOf(cloudflareKv(openApi(standIn), 'f'.repeat(32)).get('a'));
    expect(error.message).toContain('namespace not found [code: 10013]');
    expect(error.explanation).toContain('CLOUDFLARE_ACCOUNT_ID must be the account');
  });
});

describe('an answer', () => {
  it('that is no JSON is asked for again, and named in the end', async () => {
    const page = answered({ status: 200, body: HTML });
    standIn.failNext(page);
    await openNamespace().put('a', HELLO);
    standIn.failNext(...always(page));
    const error = await apiErrorOf(openNamespace().put('a', HELLO));
    expect(error.message).toContain('it sent no JSON');
  });

  it('of an unknown shape is an error, and no refusal: a write may have been done', async () => {
    standIn.failNext(answered(ok({ keys: [] })));
    const keys = openNamespace().list('a');
    const error = await apiErrorOf(keys.next());
    expect(error.message).toContain('asked to list the keys of KV below a, and sent a result of');
    standIn.failNext(answered(ok('stored')));
    const written = await apiErrorOf(openNamespace().put('a', HELLO));
    expect([error.code, written.code]).toEqual(['api_unexpected', 'api_unexpected']);
    expect(standIn.requests).toHaveLength(2);
  });

  it('that never comes is not waited for', async () => {
    runOutInSilence(standIn);
    standIn.failNext(...always({ kind: 'silence' }));
    const error = await apiErrorOf(openNamespace().get('a'));
    expect(error.code).toBe('api_unreachable');
    expect(error.message).toMatch(/gave no answer at http:.*timed out/);
  });

  it('that cannot come is told by its cause', async () => {
    const stopped = await CloudflareStandIn.start();
    const { variables } = stopped;
    await stopped.stop();
    const namespace = openNamespace({ variables });
    const error = await apiErrorOf(namespace.get('a'));
    expect(error.code).toBe('api_unreachable');
    expect(error.message).toMatch(/at http:.*\/client\/v4 \(ECONNREFUSED/);
  });
});

describe('requests', () => {
  it('carry the token in one header, and only there', async () => {
    await openNamespace().put('a', HELLO);
    expect(JSON.stringify(standIn.requests)).not.toContain(STAND_IN_TOKEN);
  });
});
