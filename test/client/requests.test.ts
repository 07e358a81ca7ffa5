/** What the client sends, and what it makes of refusals: retries, limits, ends. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  type DirectoryOptions,
  ProblemError,
  StoreDirectory,
} from '../../client/src/index.ts';
import { BASE, open, page, problem, RELEASE, TOKEN } from './support/client-stage.ts';

/** Sends nothing, and ends when it is told to. */
const hang: DirectoryOptions['fetch'] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

describe('a request', () => {
  type Ask = (directory: StoreDirectory) => Promise<unknown>;
  const list =
    (query: Parameters<StoreDirectory['list']>[0]): Ask =>
    (directory) =>
      directory.list(query);
  const at = new Date('2026-07-01T20:30+02:00');
  /** What cutting through an emoji leaves: a sign stands in its place. */
  const half = '\ud83d';

  it.each<[string, Ask, string]>([
    [
      'its parameters under their dotted names',
      list({
        ...{ skip: 0, limit: 5, sort: ['profile.name__desc', 'id'], fields: ['id'], lang: 'fr' },
        verticale: { in: ['BIKE', 'CAR'], notEquals: 'SKI' },
        position: { latitude: 48.5, longitude: -1e-7, radius: 25 },
      }),
      '/stores?skip=0&limit=5&sort=profile.name__desc,id&fields=id&lang=fr' +
        '&verticale.in=BIKE,CAR&verticale.notEquals=SKI' +
        '&position.latitude=48.5&position.longitude=-1e-7&position.radius=25',
    ],
    [
      'a delivery point as parameters of its own',
      list({
        delivery: { latitude: 45.5, longitude: 4.25, postalCode: '42000', city: 'Saint-Étienne' },
        sort: ['deliveryPrice'],
      }),
      '/stores?delivery.latitude=45.5&delivery.longitude=4.25' +
        '&delivery.postalCode=42000&delivery.city=Saint-%C3%89tienne&sort=deliveryPrice',
    ],
    ...(
      [
        [[11, 46, 12, 47], '11,46,12,47'],
        [[170, -10, 190, 10], '170,-10,-170,10'],
        [[-541, -91, -539, 91], '179,-90,-179,90'],
        [[-200, 0, 160, 1], '-180,0,180,1'],
        [[-180, 0, 180, 1], '-180,0,180,1'],
      ] as const
    ).map(([bbox, expected]): [string, Ask, string] => {
      return [`the bounds ${bbox} of a map as an area`, list({ bbox }), `/stores?bbox=${expected}`];
    }),
    [
      'texts encoded, and instants in UTC',
      list({ q: "l'été lyon", at, openAt: [at, 'now'] }),
      "/stores?q=l'%C3%A9t%C3%A9%20lyon&at=2026-07-01T18:30:00.000Z&openAt=2026-07-01T18:30:00.000Z,now",
    ],
    [
      'texts that are cut through an emoji',
      list({ q: `a🚲`.slice(0, 2), id: { in: ['🚲', half] }, after: half }),
      '/stores?q=a%EF%BF%BD&id.in=%F0%9F%9A%B2,%EF%BF%BD&after=%EF%BF%BD',
    ],
    [
      'the same in a walk',
      (directory) => Array.fromAsync(directory.stores({ q: half, bbox: [170, -10, 190, 10] })),
      '/stores?q=%EF%BF%BD&bbox=170,-10,-170,10',
    ],
    [
      'the same of one store',
      (directory) => directory.get('\udeb2🚲', { rentalPointSlug: half }),
      '/stores/%EF%BF%BD%F0%9F%9A%B2?rentalPointSlug=%EF%BF%BD',
    ],
    [
      'the same of changes',
      (directory) => directory.changes(half),
      '/changes?since=%EF%BF%BD&limit=1000',
    ],
    [
      'a slug with signs of URLs',
      (directory) => directory.get("l'été/%2F"),
      "/stores/l'%C3%A9t%C3%A9%2F%252F",
    ],
  ])('has %s, below the path of the address, and the token', async (_, ask, expected) => {
    const { directory, sent } = open([() => page([])], { baseUrl: `${BASE}/proxy/?x#y` });
    await ask(directory);
    expect(sent[0]?.url).toBe(`${BASE}/proxy/v2/external${expected}`);
    expect(sent[0]?.headers.get('x-access-token')).toBe(TOKEN);
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

  it('is refused before it is sent when it asks for nothing', async () => {
    const { directory, sent } = open([]);
    await expect(directory.list({ fields: [] })).rejects.toThrow('fields is an empty array');
    expect(sent).toEqual([]);
  });

  it.each([
    ...['', 'two\nlines', 'žeton', '\ud83d'].map((token) => ({ baseUrl: BASE, token })),
    { baseUrl: 'ftp://stores.test', token: TOKEN },
  ])('is not made with %j, and the error does not repeat the token', (options) => {
    expect(() => new StoreDirectory(options)).toThrow(TypeError);
    // Every text has the empty one.
    if (options.token === '') return;
    expect(() => new StoreDirectory(options)).not.toThrow(options.token);
  });
});

describe('a problem', () => {
  it('is an error with everything that the service told', async () => {
    const errors = [{ parameter: 'limit', code: 'too_large', detail: 'At most 100.' }];
    const { directory } = open([() => problem(400, 'invalid_parameters', { errors })]);
    const listed = directory.list({ limit: 101 });
    await expect(listed).rejects.toThrow(ProblemError);
    await expect(listed).rejects.toMatchObject({
      ...{ status: 400, code: 'invalid_parameters', requestId: 'r1', retryAfter: null, errors },
      message: '400 invalid_parameters: limit: At most 100.',
    });
  });

  it.each([
    ['the page of a proxy', 404, '<h1>Not here</h1>', {}],
    ['null', 404, 'null', {}],
    ['a redirection, which is not followed', 302, '', { location: 'https://elsewhere.test/' }],
  ])('is %s', async (_what, status, body, headers) => {
    const { directory, sent } = open([() => new Response(body, { status, headers })]);
    const expected = { name: 'ProblemError', status, code: 'unexplained', errors: [], type: null };
    await expect(directory.list()).rejects.toMatchObject(expected);
    expect(sent).toHaveLength(1);
  });
});

describe('a passing failure', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ...[429, 502, 503, 504, 520, 530].map((status) => [status, 1] as const),
    ...[401, 404, 410, 500, 519, 531].map((status) => [status, 0] as const),
  ])('is told by its status: %i is tried again %i times', async (status, times) => {
    const { directory, waits } = open([() => problem(status, 'x', {}, '1'), () => page([])]);
    const outcome = await directory.list().catch((reason: unknown) => reason);
    expect(outcome).toMatchObject(times === 0 ? { status } : { docs: [] });
    expect(waits).toHaveLength(times);
  });

  it('is no connection', async () => {
    const cause = new TypeError('fetch failed');
    const fail = () => Promise.reject(cause);
    const { directory, left } = open([fail, fail, () => page([])], { tries: 2 });
    const listed = directory.list();
    await expect(listed).rejects.toThrow(ConnectionError);
    await expect(listed).rejects.toHaveProperty('cause', cause);
    expect(left).toHaveLength(1);
  });

  it('is an answer that is cut off', async () => {
    const { directory } = open([
      () => new Response('{"total":', { headers: RELEASE }),
      () => page([]),
    ]);
    expect((await directory.list()).docs).toEqual([]);
  });

  it('is a release that is on its way, for five minutes with the time that requests take', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const notYet = () => {
      vi.advanceTimersByTime(20_000);
      return problem(503, 'release_not_here_yet', {}, '5');
    };
    const sleep = async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);
    const { directory, left } = open(Array(20).fill(notYet), { sleep });
    await expect(directory.changes('9-x')).rejects.toMatchObject({ code: 'release_not_here_yet' });
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
