/** What the client sends, and what it makes of refusals: retries, limits, ends. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  type DirectoryOptions,
  ProblemError,
  StoreDirectory,
} from '../../client/src/index.ts';
import { searchOf } from '../../client/src/search.ts';
import { BASE, open, page, problem, RELEASE, TOKEN } from './support/client-stage.ts';

async function refusal(work: Promise<unknown>): Promise<ProblemError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProblemError);
  return error as ProblemError;
}

/** Sends nothing, and ends when it is told to. */
const hang: DirectoryOptions['fetch'] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

describe('a request', () => {
  it('has its parameters under their dotted names, and the token', async () => {
    const { directory, sent } = open([() => page([])]);
    await directory.list({
      ...{ skip: 0, limit: 5, sort: ['profile.name__desc', 'id'], fields: ['id', 'profile.name'] },
      ...{ verticale: { in: ['BIKE', 'CAR'], notEquals: 'SKI' }, lang: 'fr' },
      position: { latitude: 48.5, longitude: -1e-7, radius: 25 },
    });
    expect(sent[0]?.url).toBe(
      `${BASE}/v2/external/stores?skip=0&limit=5&sort=profile.name__desc,id&fields=id,profile.name` +
        '&verticale.in=BIKE,CAR&verticale.notEquals=SKI&lang=fr' +
        '&position.latitude=48.5&position.longitude=-1e-7&position.radius=25',
    );
    expect(sent[0]?.headers.get('x-access-token')).toBe(TOKEN);
  });

  it('has a delivery point as parameters of its own', async () => {
    const { directory, sent } = open([() => page([])]);
    const delivery = {
      latitude: 45.5,
      longitude: 4.25,
      postalCode: '42000',
      city: 'Saint-Étienne',
    };
    await directory.list({ delivery, sort: ['deliveryPrice'] });
    expect(sent[0]?.url).toBe(
      `${BASE}/v2/external/stores?delivery.latitude=45.5&delivery.longitude=4.25` +
        '&delivery.postalCode=42000&delivery.city=Saint-%C3%89tienne&sort=deliveryPrice',
    );
  });

  it.each([
    [[11, 46, 12, 47], '11,46,12,47'],
    [[170, -10, 190, 10], '170,-10,-170,10'],
    [[-541, -91, -539, 91], '179,-90,-179,90'],
    [[-200, 0, 160, 1], '-180,0,180,1'],
    [[-180, 0, 180, 1], '-180,0,180,1'],
  ] as const)('has the bounds %j of a map as an area of the world', async (bbox, expected) => {
    const { directory, sent } = open([() => page([]), () => page([])]);
    await directory.list({ bbox });
    await Array.fromAsync(directory.stores({ bbox }));
    for (const { url } of sent) expect(url.endsWith(`?bbox=${expected}`), url).toBe(true);
  });

  it('has texts encoded, and instants in UTC', () => {
    const query = { text: "l'été lyon", at: new Date('2026-07-01T20:30+02:00') };
    expect(searchOf(query)).toBe("text=l'%C3%A9t%C3%A9%20lyon&at=2026-07-01T18:30:00.000Z");
    const rental = { openAt: [query.at, 'now'] };
    expect(searchOf(rental)).toBe('openAt=2026-07-01T18:30:00.000Z,now');
  });

  it('has texts that are cut through an emoji, with a sign in place of its half', async () => {
    const half = '\ud83d';
    const answers = Array(7).fill(() => page([]));
    const { directory, sent } = open(answers);
    await directory.list({ q: `${'a'.repeat(99)}🚲`.slice(0, 100) });
    await directory.list({ id: { in: ['🚲', half] }, country: { in: [half] }, after: half });
    await directory.get(half);
    await directory.get('\udeb2🚲', { rentalPointSlug: half });
    await Array.fromAsync(directory.stores({ q: half }));
    expect(sent.map(({ url }) => url.slice(`${BASE}/v2/external/stores`.length))).toEqual([
      `?q=${'a'.repeat(99)}%EF%BF%BD`,
      '?id.in=%F0%9F%9A%B2,%EF%BF%BD&country.in=%EF%BF%BD&after=%EF%BF%BD',
      '/%EF%BF%BD',
      '/%EF%BF%BD%F0%9F%9A%B2?rentalPointSlug=%EF%BF%BD',
      '?q=%EF%BF%BD',
    ]);
    const changes = open([() => problem(410, 'release_gone')]);
    expect(await refusal(changes.directory.changes(half))).toMatchObject({ status: 410 });
    expect(changes.sent[0]?.url).toContain('?since=%EF%BF%BD&');
  });

  it('leaves no token in a log of the directory', async () => {
    const { directory } = open([() => page([])]);
    await directory.list();
    const logged = [
      inspect(directory, { depth: null, showHidden: true }),
      JSON.stringify(directory),
    ];
    for (const text of logged) expect(text).not.toContain(TOKEN);
    expect(logged[0]).toContain('StoreDirectory');
  });

  it('goes below the path of the address', async () => {
    const { directory, sent } = open([() => Response.json({})], {
      baseUrl: `${BASE}/proxy/?x#y`,
    });
    await directory.get("l'été/%2F");
    expect(sent[0]?.url).toBe(`${BASE}/proxy/v2/external/stores/l'%C3%A9t%C3%A9%2F%252F`);
  });

  it('is refused before it is sent when it asks for nothing', async () => {
    const { directory, sent } = open([]);
    await expect(directory.list({ fields: [] })).rejects.toThrow('fields is an empty array');
    expect(sent).toEqual([]);
  });

  it.each([
    ['', 'https://stores.test'],
    ['two\nlines', 'https://stores.test'],
    ['žeton', 'https://stores.test'],
    ['жетон', 'https://stores.test'],
    ['\ud83d', 'https://stores.test'],
    [TOKEN, 'ftp://stores.test'],
  ])(
    'is not made with token %j at %s, and the error does not repeat the token',
    (token, baseUrl) => {
      expect(() => new StoreDirectory({ baseUrl, token })).toThrow(TypeError);
      if (token === '') return;
      expect(() => new StoreDirectory({ baseUrl, token })).not.toThrow(token);
    },
  );
});

describe('a problem', () => {
  it('is an error with everything that the service told', async () => {
    const errors = [{ parameter: 'limit', code: 'too_large', detail: 'At most 100.' }];
    const { directory } = open([() => problem(400, 'invalid_parameters', { errors })]);
    const error = await refusal(directory.list({ limit: 101 }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_parameters', requestId: 'r1' });
    expect(error.errors).toEqual(errors);
    expect(error.message).toBe('400 invalid_parameters: limit: At most 100.');
    expect(error.retryAfter).toBeNull();
  });

  it.each([
    ['the page of a proxy', 404, '<h1>Not here</h1>', {}],
    ['null', 404, 'null', {}],
    ['a redirection, which is not followed', 302, '', { location: 'https://elsewhere.test/' }],
  ])('is %s', async (_what, status, body, headers) => {
    const { directory, sent } = open([() => new Response(body, { status, headers })]);
    const error = await refusal(directory.list());
    expect(error).toMatchObject({ status, code: 'unexplained', errors: [], type: null });
    expect(sent).toHaveLength(1);
  });
});

describe('a passing failure', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ...[429, 502, 503, 504, 520, 522, 530].map((status) => [status, '7'] as const),
    [503, 'Thu, 01 Jan 2026 00:00:07 GMT'] as const,
  ])('of status %i is tried again after %s', async (status, retryAfter) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') });
    const { directory, waits } = open([() => problem(status, 'x', {}, retryAfter), () => page([])]);
    await directory.list();
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(7000);
    expect(waits[0]).toBeLessThan(7700);
  });

  it('is no connection', async () => {
    const cause = new TypeError('fetch failed');
    const fail = () => Promise.reject(cause);
    const { directory, left } = open([fail, fail, () => page([])], { tries: 2 });
    const error = await directory.list().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).cause).toBe(cause);
    expect(left).toHaveLength(1);
  });

  it('is an answer that is cut off', async () => {
    const { directory } = open([
      () => new Response('{"total":', { headers: RELEASE }),
      () => page([]),
    ]);
    expect((await directory.list()).docs).toEqual([]);
  });

  it.each([400, 401, 403, 404, 410, 500, 519, 531])('is not status %i', async (status) => {
    const { directory, waits } = open([() => problem(status, 'x', {}, '1')]);
    expect(await refusal(directory.list())).toMatchObject({ status });
    expect(waits).toEqual([]);
  });

  it('is a release that is on its way, for five minutes with the time that requests take', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const notYet = () => {
      vi.advanceTimersByTime(20_000);
      return problem(503, 'release_not_here_yet', {}, '5');
    };
    const sleep = async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);
    const { directory, left } = open(Array(20).fill(notYet), { sleep });
    expect(await refusal(directory.changes('9-x'))).toMatchObject({ code: 'release_not_here_yet' });
    // Time counts from the first answer on; the others follow every 25 seconds, or a little more.
    expect(left).toHaveLength(20 - 13);
  });
});

describe('an end', () => {
  it('by a signal that was aborted before sends nothing', async () => {
    const { directory, sent } = open([]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(directory.list({}, { signal })).rejects.toThrow('enough');
    expect(sent).toEqual([]);
  });

  it.each([
    ['a request', hang],
    ['a wait', async () => problem(429, 'rate_limited', {}, '60')],
  ])('by a signal comes during %s', async (_during, fetch) => {
    const control = new AbortController();
    const directory = new StoreDirectory({ baseUrl: BASE, token: TOKEN, fetch });
    const listed = directory.list({}, { signal: control.signal });
    setTimeout(() => control.abort(new Error('enough')), 20);
    await expect(listed).rejects.toThrow('enough');
  });

  it('comes when a try takes too long, its body included', async () => {
    const slow: DirectoryOptions['fetch'] = async (url, init) =>
      Object.assign(new Response(null, { headers: RELEASE }), { text: () => hang(url, init) });
    const { directory } = open([], { fetch: slow, timeout: 20, tries: 1 });
    await expect(directory.list()).rejects.toThrow('No answer within 20 ms.');
  });
});
