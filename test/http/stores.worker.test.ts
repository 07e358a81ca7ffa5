/**
 * Lists and single stores from the outside: examples, worked out by hand, of what is shown, and the headers
 * that go with it. What the oracle says of random requests is beside this file.
 */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Store } from '../../src/model/store.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { LIST, loggedLines, openService, type Stage } from '../support/worker/harness.ts';

let stage: Stage;
let token: string;

/** Publishes, and begins with an isolate that knows nothing. */
async function serve(stores: readonly SourceStore[]): Promise<void> {
  ({ stage, token } = await openService(stores));
}

const ask = (query: string, init: RequestInit = {}) =>
  stage.request(`${LIST}?${query}`, { token, ...init });

describe('words', () => {
  it('lead on by skip, in the order of ids too, and stay out of the log', async () => {
    await serve([1, 2, 3].map((number) => buildStore(number, { 'profile.name': 'Secretive' })));
    const response = await ask('q=secretive&sort=id&fields=id,slug&limit=2');
    const best = await ask('q=secretive&limit=1');
    const lines = JSON.stringify(loggedLines());
    // A comma may be taken for the end of a link.
    const next = '?q=secretive&sort=id&fields=id%2Cslug&limit=2&skip=2>';
    expect(response.headers.get('link')).toContain(next);
    expect(lines).toContain('q=1 words');
    expect(lines).not.toContain('secretive');
    expect(best.headers.get('link')).toContain('?q=secretive&limit=1&skip=1>');
  });

  it('tell with HEAD how they were read, and not with a 304', async () => {
    await serve([buildStore(1, { 'profile.name': 'Marché' })]);
    expect(await (await ask('q=marcxe')).json()).toMatchObject({ total: 1 });
    const head = await ask('q=marcxe', { method: 'HEAD' });
    expect(head.headers.get('x-search-reading')).toBe('close');
    const tag = head.headers.get('etag') ?? '';
    const same = await ask('q=marcxe', { headers: { 'if-none-match': tag } });
    expect([same.status, same.headers.get('x-search-reading')]).toEqual([304, null]);
  });
});

it('a delivery point stays out of the log but for two decimals', async () => {
  await serve([buildStore(1)]);
  const town = 'delivery.postalCode=SW1A%202AA&delivery.city=Secretive';
  const query = (longitude: string) =>
    `delivery.latitude=48.2999&delivery.longitude=${longitude}&${town}`;
  const statuses = [200, 200, 400].map((status) => ({ status }));
  const asked = ['-0.009', '7', '7&limit=x'].map((longitude) => ask(query(longitude)));
  expect(await Promise.all(asked)).toMatchObject(statuses);
  const one = await stage.request(`${LIST}/store-1?${query('7')}`, { token });
  expect(one.status).toBe(400);
  const lines = JSON.stringify(loggedLines());
  expect(lines).toContain('delivery=48.29,0"');
  expect(lines).toContain('delivery=48.29,7"');
  expect(lines).not.toMatch(/secretive|sw1a|48\.299/i);
});

it('an instant is told in every answer and link, once if it is sent twice, beside others', async () => {
  await serve([buildStore(1), buildStore(2)]);
  const [early, late] = ['2026-07-01T08:00:00.000Z', '2026-07-02T15:00:00.000Z'];
  const query = `openAt=${late}&openAt[]=2026-07-01T10:00%2B02:00,2026-07-01T08:00Z&limit=1`;
  const { headers, status } = await ask(query);
  expect([status, headers.get('x-open-at')]).toEqual([200, `${early}, ${late}`]);
  const [, next = ''] = /[?](.*)>/.exec(headers.get('link') ?? '') ?? [];
  expect(next.split('&').slice(2)).toEqual([`openAt=${early}%2C${late}`]);
  const tag = { 'if-none-match': headers.get('etag') ?? '' };
  const same = await ask(`limit=1&openAt=${early},${late}`, { headers: tag });
  expect([same.status, same.headers.get('x-open-at')]).toEqual([304, `${early}, ${late}`]);
  const none = await ask(`openAt=2026-07-01T02:00Z,${late}&limit=0`, { method: 'HEAD' });
  expect(none.headers.get('x-open-at')).toBe(`2026-07-01T02:00:00.000Z, ${late}`);
});

describe('opening', () => {
  const AT = '2026-07-01T08:30:00.000Z';
  const LAST_AT = '2100-12-31T23:59:59.999Z';
  /** Within eight days to the last millisecond, and one second later. */
  const [SOON, LATER] = ['2026-07-09T08:30:00.000Z', '2026-07-09T08:30:01.000Z'];
  const closedUntil = (number: number, opening: string) => {
    const to = new Date(Date.parse(opening) - 1000).toISOString();
    return buildStore(number, {
      'temporal.schedule.openingHours': [
        { id: 'h', day: '*', from: '00:00', to: '00:00', open: true },
      ],
      'temporal.schedule.closedRanges': [{ id: 'c', from: '2026-06-01T00:00:00Z', to }],
    });
  };

  beforeAll(() => serve([buildStore(1), closedUntil(2, SOON), closedUntil(3, LATER)]));

  const openings = async (query: string) => {
    const { docs } = await (await ask(`fields=opening&${query}`)).json<{ docs: Store[] }>();
    return docs.map(({ opening }) => opening);
  };

  it('is told of each store, until the next change within 192 hours', async () => {
    const day = { at: AT, isOpen: true, nextChange: '2026-07-01T16:00:00.000Z' };
    expect(await openings('at=2026-07-01T10:30%2B02:00')).toEqual([
      day,
      { at: AT, isOpen: false, nextChange: SOON },
      { at: AT, isOpen: false, nextChange: null },
    ]);
    // The last second before the opening is closed, whole.
    const query = `openAt=2026-07-09T08:29:59.001Z,${SOON}&at=2026-07-09T08:29:59Z`;
    expect(await openings(query)).toEqual([
      { at: '2026-07-09T08:29:59.000Z', isOpen: true, nextChange: '2026-07-09T16:00:00.000Z' },
    ]);
    expect(await openings(`at=${SOON}&limit=2`)).toMatchObject([
      { isOpen: true },
      { isOpen: true, nextChange: null },
    ]);
    const nextMorning = { at: LAST_AT, isOpen: false, nextChange: '2101-01-01T08:00:00.000Z' };
    expect(await openings(`at=${LAST_AT}&limit=1`)).toEqual([nextMorning]);
  });

  it('of now is that of the beginning of the minute, in tags and links too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const list = `${LIST}?limit=1&`;
    for (const path of [list, `${LIST}/store-1?`]) {
      vi.setSystemTime('2026-07-01T08:30:59.999Z');
      const now = await stage.request(`${path}at=now`, { token, method: 'HEAD' });
      const tag = { 'if-none-match': now.headers.get('etag') ?? '' };
      const same = await stage.request(`${path}at=${AT}`, { token, headers: tag });
      expect([now.status, same.status]).toEqual([200, 304]);
      vi.setSystemTime('2026-07-01T08:31:00Z');
      const later = await stage.request(`${path}at=now`, { token, headers: tag });
      expect(later.status).toBe(200);
    }
    vi.setSystemTime('2026-07-01T08:30:59.999Z');
    expect(await openings('at=now&limit=1')).toMatchObject([{ at: AT }]);
    const { headers } = await stage.request(`${list}at=now`, { token });
    expect(headers.get('link')).toMatch(new RegExp(`limit=1&after=[0-9a-f]{24}&at=${AT}>`));
    vi.useRealTimers();
  });
});
