/**
 * Lists and single stores from the outside, worked out by hand: what random requests seldom reach, and what
 * is told beside the stores. Beside this file an oracle knows the answers to random requests.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { buildProfile, buildStore } from '../support/stores/store-builder.ts';
import { hiddenStore } from '../support/stores/store-variants.ts';
import { LIST, loggedLines, openService, watchLog } from '../support/worker/harness.ts';

beforeEach(watchLog);

/** Serves these stores. Returns what asks for a list of them. */
async function serve(stores: readonly SourceStore[]) {
  const { ask } = await openService(stores);
  return (query: string, init: RequestInit = {}) => ask(`${LIST}?${query}`, init);
}

it('countries are counted once each, as most stores of the release spell them, by code unit', async () => {
  const inCountry = (number: number, country: string, displayAddress: boolean): SourceStore => {
    const { main } = buildStore(number).geo;
    const canonicalComponents = { ...main.canonicalComponents, country };
    const geo = { displayAddress, main: { ...main, canonicalComponents }, rentalPoints: [] };
    return buildStore(number, { geo });
  };
  const shown = ['FRANCE', 'France ', 'France ', '__proto__', '10', '9', 'île', '-'];
  const ask = await serve([
    ...shown.map((country, index) => inCountry(index, country, true)),
    ...[18, 19].map((number) => inCountry(number, 'FRANCE', false)),
  ]);
  const counts = '"10":1,"9":1,"France ":3,"__proto__":1,"île":1';
  expect(await (await ask('facets=countries&limit=0')).text()).toBe(
    `{"total":10,"docs":[],"facets":{"countries":{${counts}}}}`,
  );
});

describe('words', () => {
  it('lead on by skip, in the order of ids too, and stay out of the log', async () => {
    const profile = buildProfile({ name: 'Secretive' });
    const ask = await serve([1, 2, 3].map((number) => buildStore(number, { profile })));
    const response = await ask('q=secretive&sort=id&fields=id,slug&limit=2');
    const best = await ask('q=secretive&limit=1');
    // A comma may be taken for the end of a link.
    const next = '?q=secretive&sort=id&fields=id%2Cslug&limit=2&skip=2>';
    expect(response.headers.get('link')).toContain(next);
    expect(best.headers.get('link')).toContain('?q=secretive&limit=1&skip=1>');
    const logged = JSON.stringify(loggedLines());
    expect(logged).toContain('q=1 words');
    expect(logged).not.toContain('secretive');
  });

  it('are read with slips where no store at all has them, and it is told', async () => {
    const profile = buildProfile({ name: 'Marché 12345' });
    const ask = await serve([buildStore(1, { profile }), hiddenStore(2)]);
    const readingOf = async (query: string) => {
      const response = await ask(query);
      const { total } = await response.json<{ total: number }>();
      return `${response.headers.get('x-search-reading')} ${total}`;
    };
    // A store that other conditions leave out has the word.
    expect(await readingOf('q=marche&verticale.in=SKI')).toBe('exact 0');
    const head = await ask('q=mrache', { method: 'HEAD' });
    expect(head.headers.get('x-search-reading')).toBe('close');
    const tag = head.headers.get('etag') ?? '';
    const same = await ask('q=mrache', { headers: { 'if-none-match': tag } });
    expect([same.status, same.headers.get('x-search-reading')]).toEqual([304, null]);
    expect(await readingOf('q=mrache')).toBe('close 1');
    // Two slips, digits, four letters; only the hidden store has a rental point in `Town point-1`.
    for (const none of ['amrhce', '12354', 'mrac', 'town+point']) {
      expect(await readingOf(`q=${none}`), none).toBe('close 0');
    }
  });
});

it('a delivery point comes back in links, and stays out of the log but for two decimals', async () => {
  const { modules } = buildStore();
  const ranges = [{ min: 0, max: 20_000, price: 5, specificPrices: [] }];
  const delivery = { ...modules.delivery, enabled: true, ranges };
  const { ask } = await openService(
    [1, 2].map((number) => buildStore(number, { modules: { ...modules, delivery } })),
  );
  const query =
    'delivery.latitude=48.2999&delivery.longitude=-0.009&delivery.postalCode=SW1A%202AA&delivery.city=Secretive';
  const { headers } = await ask(`${LIST}?${query}&limit=1&sort=deliveryPrice,distance`);
  const next = `?${query}&limit=1&sort=deliveryPrice%2Cdistance&skip=1>`;
  expect(headers.get('link')).toContain(next);
  await ask(`${LIST}?${query}&limit=x`);
  await ask(`${LIST}/store-1?${query}`);
  const logged = JSON.stringify(loggedLines());
  expect(logged).toContain('delivery=48.29,0"');
  expect(logged).not.toMatch(/secretive|sw1a|48\.299/i);
});

describe('instants', () => {
  const AT = '2026-07-01T08:30:00.000Z';

  it('are told in every answer and link, once if one is sent twice, beside others', async () => {
    const ask = await serve([buildStore(1), buildStore(2)]);
    const later = '2026-07-02T15:00:00.000Z';
    const query = `openAt=${later}&openAt[]=2026-07-01T10:30%2B02:00,2026-07-01T08:30Z&limit=1`;
    const { headers, status } = await ask(query);
    expect([status, headers.get('x-open-at')]).toEqual([200, `${AT}, ${later}`]);
    const [, next = ''] = /[?](.*)>/.exec(headers.get('link') ?? '') ?? [];
    expect(next.split('&').slice(2)).toEqual([`openAt=${AT}%2C${later}`]);
    const tag = { 'if-none-match': headers.get('etag') ?? '' };
    const same = await ask(`limit=1&openAt=${AT},${later}`, { headers: tag });
    expect([same.status, same.headers.get('x-open-at')]).toEqual([304, `${AT}, ${later}`]);
    const none = await ask(`openAt=2026-07-01T02:00Z,${later}&limit=0`, { method: 'HEAD' });
    expect(none.headers.get('x-open-at')).toBe(`2026-07-01T02:00:00.000Z, ${later}`);
  });

  it.each([
    [`${LIST}?limit=1&openAt=`, `&openAt=${AT}>`],
    [`${LIST}?limit=1&at=`, `&at=${AT}>`],
    [`${LIST}/store-1?at=`, null],
  ])(
    'that are now are the beginning of the minute, in tags and links too: %s',
    async (path, end) => {
      const { ask } = await openService([buildStore(1), buildStore(2)]);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-07-01T08:30:59.999Z') });
      const { headers } = await ask(`${path}now`);
      if (end) expect(headers.get('link')).toContain(end);
      if (path.includes('openAt')) expect(headers.get('x-open-at')).toBe(AT);
      const tag = { 'if-none-match': headers.get('etag') ?? '' };
      const statusOf = async (instant: string) =>
        (await ask(path + instant, { headers: tag })).status;
      expect(await statusOf(AT)).toBe(304);
      vi.setSystemTime(Date.parse('2026-07-01T08:31:00Z'));
      expect(await statusOf('now')).toBe(200);
    },
  );
});
