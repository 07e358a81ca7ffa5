/** Stores are answered as bytes: no whole store is parsed or stringified on the way. */
import { reset } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { Utm } from '../../src/model/utm.ts';
import { ratedStore, storeAt } from '../support/stores/store-variants.ts';
import { issueToken, openStage, publishStores, type Stage } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const KEYS = ['id', 'profile', 'geo', 'modules'] as const;
const STORES = [storeAt(1, [48, 7], [48.1, 7]), ratedStore(2, 4.5, 10), storeAt(3, [48.2, 7])];

let stage: Stage;
let token: string;
let parse: MockInstance<typeof JSON.parse>;

beforeEach(async () => {
  await publishStores(STORES);
  stage = openStage();
  token = await issueToken();
  forbidWholeStores();
});

afterEach(() => reset());

/** From here on JSON throws at any text or value that holds a whole store. */
function forbidWholeStores(): void {
  const { parse: realParse, stringify: realStringify } = JSON;
  parse = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (isStoreText(String(text))) throw new Error('a whole store was parsed');
    return realParse(text, reviver);
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest: unknown[]) => {
    if (holdsStore(value)) throw new Error('a whole store was stringified');
    return Reflect.apply(realStringify, JSON, [value, ...rest]);
  });
}

function isStoreText(text: string): boolean {
  return KEYS.every((key) => text.includes(`"${key}":`));
}

function holdsStore(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return KEYS.every((key) => key in value) || Object.values(value).some(holdsStore);
}

const POSITION_QUERY = 'position.latitude=48.1&position.longitude=7&position.radius=50';

describe('without whole stores in JSON', () => {
  it('the ban bites', () => {
    const store = { id: 1, profile: 2, geo: 3, modules: 4 };
    expect(() => JSON.stringify({ docs: [store] })).toThrow('a whole store was stringified');
    const text = '{"id":1,"profile":2,"geo":3,"modules":4}';
    expect(() => JSON.parse(text)).toThrow('a whole store was parsed');
    expect(JSON.parse('{"id":1}')).toEqual({ id: 1 });
  });

  const utm = { utm_source: 'acme' };

  it.each<[string, Utm | null]>([
    ['', null],
    ['?lang=en&sort=name__desc', null],
    [`?${POSITION_QUERY}`, null],
    ['?fields=id,profile,geo,modules,pageUrl', null],
    ['', utm],
    ['/store-1?lang=en', null],
    ['/store-1?rentalPointSlug=point-1', utm],
    ['/store-1?fields=id,profile.name,geo.locations.slug,modules', null],
  ])('"%s" is answered, for %o', async (path, attribution) => {
    token = await issueToken({ utm: attribution });
    expect((await stage.request(LIST + path, { token })).status).toBe(200);
  });

  it('the ban covers the engine: it has seen the token record and the manifest parsed', async () => {
    await stage.request(LIST, { token });
    const texts = parse.mock.calls.map(([text]) => String(text));
    expect(texts.some((text) => text.includes('"partner"'))).toBe(true);
    expect(texts.some((text) => text.includes('"storeCount"'))).toBe(true);
  });
});
