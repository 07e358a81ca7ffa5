/** `GET /v2/external/changes`, and what lists have for keeping a copy, at the front door. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { objectKey, POINTER_KEY, RELEASE_PREFIX, releaseKey } from '../../src/snapshot/keys.ts';
import { COMPARED_NAME } from '../../src/snapshot/manifest.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';
import { objectsOf, Place, type Turn, World } from '../support/worker/places.ts';

const CHANGES = '/v2/external/changes';
const LIST = '/v2/external/stores';
/** Stores `from` to `to`, both included. */
const storesFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => buildStore(from + index));

const NOWHERE = '0'.repeat(16);

let world: World;
let place: Place;
let first: Turn;
let second: Turn;

beforeEach(async () => {
  // A second later an isolate looks at the pointer again.
  vi.useFakeTimers({ toFake: ['Date'] });
  world = await World.create();
  place = new Place(world);
  first = world.turnTo(await world.compile(storesFrom(1, 5)));
  const edited = { ...buildStore(2), slug: 'moved' };
  second = world.turnTo(await world.compile([buildStore(1), edited, ...storesFrom(4, 7)]));
  place.see(second);
});

const nameReads = () => place.reads.filter((key) => key.startsWith(RELEASE_PREFIX));

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await place.request(path, headers);
  const text = await response.text();
  return { response, body: text === '' ? null : JSON.parse(text) };
}

/** The code of the problem, with its status. */
async function problem(path: string): Promise<string> {
  const { response, body } = await ask(path);
  return `${response.status} ${body.code}`;
}

/** The parameters that a 400 blames, with the codes of their faults. */
async function faults(path: string): Promise<string[]> {
  const { response, body } = await ask(path);
  expect(response.status).toBe(400);
  return body.errors.map(({ parameter, code }: Record<string, string>) => `${parameter} ${code}`);
}

describe('changes since a release', () => {
  it('are told in the order of ids, with the release to ask about the next time', async () => {
    const log = vi.spyOn(console, 'log');
    const { response, body } = await ask(`${CHANGES}?since=${first.name}`);
    expect(response.status).toBe(200);
    expect(body).toEqual({
      release: second.name,
      since: first.name,
      total: 4,
      docs: [
        { id: storeId(2), slug: 'moved', change: 'changed' },
        { id: storeId(3), slug: 'store-3', change: 'removed' },
        { id: storeId(6), slug: 'store-6', change: 'added' },
        { id: storeId(7), slug: 'store-7', change: 'added' },
      ],
    });
    expect(response.headers.get('x-snapshot-release')).toBe(second.name);
    expect(response.headers.get('link')).toBeNull();
    expect(response.headers.get('last-modified')).toBe(
      new Date(second.pointer.publishedAt).toUTCString(),
    );
    expect(response.headers.get('server-timing')).toMatch(/auth.*load.*query.*render/);
    const query = `since=${first.name}&until=live&skip=0&after=&limit=100`;
    expect(JSON.parse(String(log.mock.lastCall))).toMatchObject({ query, release: second.name });
  });

  it('are none since the live release', async () => {
    const { body } = await ask(`${CHANGES}?since=${second.name}`);
    expect(body).toEqual({ release: second.name, since: second.name, total: 0, docs: [] });
    expect(objectsOf(place.reads)).toEqual([]);
  });

  it('come in pages that stay with one pair, whatever goes live meanwhile', async () => {
    const { response, body } = await ask(`${CHANGES}?limit=2&skip=1&since=${first.name}`);
    expect(body.docs.map(({ id }: { id: string }) => id)).toEqual([storeId(3), storeId(6)]);
    const query = `limit=2&since=${first.name}&until=${second.name}&after=${storeId(6)}`;
    expect(response.headers.get('link')).toBe(`<${CHANGES}?${query}>; rel="next"`);
    const third = world.turnTo(await world.compile([]));
    const later = new Place(world);
    later.see(third);
    place = later;
    const last = await ask(`${CHANGES}?${query}`);
    expect(last.body).toMatchObject({ release: second.name, total: 4 });
    expect(last.body.docs.map(({ id }: { id: string }) => id)).toEqual([storeId(7)]);
    expect(last.response.headers.get('link')).toBeNull();
    expect((await ask(`${CHANGES}?since=${first.name}`)).body).toMatchObject({ total: 5 });
  });

  it('cost one comparison, however many pages are asked for', async () => {
    await ask(`${CHANGES}?since=${first.name}&limit=1`);
    place.reads.length = 0;
    await ask(`${CHANGES}?since=${first.name}&limit=1&after=${storeId(2)}`);
    await ask(`${CHANGES}?since=${first.name}`);
    expect(place.reads).toEqual([]);
  });

  it('are tagged, and not told again to who has them', async () => {
    const path = `${CHANGES}?since=${first.name}`;
    const tag = (await ask(path)).response.headers.get('etag') ?? '';
    const again = await ask(`${CHANGES}?limit=100&since=${first.name}`, { 'if-none-match': tag });
    expect([again.response.status, again.body]).toEqual([304, null]);
    const other = await ask(`${path}&skip=1`, { 'if-none-match': tag });
    expect(other.response.status).toBe(200);
    place = new Place(world);
    place.see(world.turnTo(second.pointer.manifest));
    expect((await ask(path, { 'if-none-match': tag })).response.status).toBe(200);
  });

  it('of a release put live again under another number are those of its content', async () => {
    const again = world.turnTo(first.pointer.manifest);
    place.see(again);
    const { body } = await ask(`${CHANGES}?since=${second.name}`);
    expect(body).toMatchObject({ release: again.name, total: 4 });
    expect((await ask(`${CHANGES}?since=${first.name}`)).body).toMatchObject({ total: 0 });
    const back = await ask(`${CHANGES}?since=${first.name}&until=${second.name}`);
    expect(back.body).toMatchObject({ release: second.name, total: 4 });
  });
});

describe('a release that cannot be compared with', () => {
  it('is not here yet when its number is higher than what this place has seen', async () => {
    const path = `${CHANGES}?since=99-${NOWHERE}`;
    const faultsLogged = vi.spyOn(console, 'error');
    faultsLogged.mockClear();
    const { response, body } = await ask(path);
    expect([response.status, body.code]).toEqual([503, 'release_not_here_yet']);
    // Everyday lag, which operators need not hear of.
    expect(faultsLogged).not.toHaveBeenCalled();
    expect(response.headers.get('retry-after')).toBe('30');
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=6000;w=60');
    expect(await problem(`${CHANGES}?since=${first.name}&until=99-${NOWHERE}`)).toBe(
      '503 release_not_here_yet',
    );
  });

  it('is gone when it never was, or was another one', async () => {
    expect(await problem(`${CHANGES}?since=1-${NOWHERE}`)).toBe('410 release_gone');
    expect(await problem(`${CHANGES}?since=2-${NOWHERE}`)).toBe('410 release_gone');
    const swapped = second.name.replace(/^2/, '1');
    expect(await problem(`${CHANGES}?since=${swapped}`)).toBe('410 release_gone');
    const { body } = await ask(`${CHANGES}?since=${swapped}`);
    expect(body.detail).toContain(`No release ${swapped} is kept. Read the whole list again`);
  });

  it('is gone when its generation has been deleted, though its name is still there', async () => {
    const old = GENERATION.replace('2026', '2025');
    const third = world.turnTo(await world.compile(storesFrom(2, 9), old));
    const fourth = world.turnTo(await world.compile(storesFrom(1, 9)));
    place.see(fourth);
    vi.setSystemTime(Date.now() + 2_000);
    expect((await ask(`${CHANGES}?since=${third.name}`)).response.status).toBe(200);
    const another = new Place(world);
    another.see(fourth);
    place = another;
    for (const key of [...world.values.keys()]) if (key.includes(old)) world.values.delete(key);
    expect(await problem(`${CHANGES}?since=${third.name}`)).toBe('410 release_gone');
    expect(await problem(`${CHANGES}?since=${first.name}&until=${third.name}`)).toBe(
      '410 release_gone',
    );
    // What is missing of the live generation may only be late.
    const part = fourth.pointer.manifest.parts[COMPARED_NAME]?.hash ?? '';
    world.values.delete(objectKey(GENERATION, part));
    expect(await problem(`${CHANGES}?since=${first.name}`)).toBe('503 storage_unreachable');
  });

  it('costs no more reads than are said, the first time, and none the second', async () => {
    await ask(`${LIST}?limit=0`);
    place.reads.length = 0;
    const path = `${CHANGES}?since=1-${NOWHERE}&until=2-${NOWHERE}`;
    for (let time = 0; time < 2; time++) {
      expect(await problem(path)).toBe('410 release_gone');
      expect(place.reads).toHaveLength(2);
    }
    expect(await problem(`${CHANGES}?since=3-${NOWHERE}`)).toBe('503 release_not_here_yet');
    expect(place.reads).toHaveLength(2);
  });
});

describe('a fresh isolate', () => {
  it('reads the pointer, the release that is named and what is compared, and no other index', async () => {
    await ask(`${CHANGES}?since=${first.name}`);
    expect(place.reads.filter((key) => key === POINTER_KEY)).toHaveLength(1);
    expect(nameReads()).toEqual([releaseKey(first.name)]);
    // Ids of both releases, and what is compared of each.
    expect(objectsOf(place.reads)).toHaveLength(4);
  });
});

describe('the query for changes', () => {
  it('is refused with every fault', async () => {
    expect(await faults(CHANGES)).toEqual(['since missing_parameter']);
    expect(await faults(`${CHANGES}?since=&limit=1001&sort=id&lang=fr`)).toEqual([
      ...['sort unknown_parameter', 'lang unknown_parameter'],
      ...['since empty_value', 'limit out_of_range'],
    ]);
    expect(await faults(`${CHANGES}?since=7&until=0-${NOWHERE}`)).toEqual([
      ...['since malformed_value', 'until malformed_value'],
    ]);
    expect(await faults(`${CHANGES}?since=2-${NOWHERE}&until=1-${NOWHERE}`)).toEqual([
      'until out_of_range',
    ]);
    expect(await faults(`${CHANGES}?since=${first.name}&skip=0&after=${storeId(1)}`)).toEqual([
      'skip not_together',
    ]);
    expect(await faults(`${CHANGES}?since=${first.name}&after=x&skip=-1`)).toEqual([
      ...['skip out_of_range', 'skip not_together', 'after malformed_value'],
    ]);
  });
});

describe('lists', () => {
  const next = async (query: string) =>
    (await ask(`${LIST}?${query}`)).response.headers.get('link');
  const link = (query: string) => `<${LIST}?${query}>; rel="next"`;

  it('lead on by after in the order of ids, and by skip in others', async () => {
    expect(await next('skip=1&limit=2&fields=slug')).toBe(
      link(`limit=2&fields=slug&after=${storeId(4)}`),
    );
    expect(await next('sort%5B%5D=id__asc&limit=1')).toBe(link(`limit=1&after=${storeId(1)}`));
    expect(await next('sort=slug&limit=2&skip=1')).toBe(link('sort=slug&limit=2&skip=3'));
    const near = 'position.latitude=48&position.longitude=7&position.radius=50';
    expect(await next(`${near}&limit=1&sort=id`)).toBe(link(`${near}&limit=1&sort=id&skip=1`));
  });
});
