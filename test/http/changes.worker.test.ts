/** `GET /v2/external/changes`, and what lists have for keeping a copy, at the front door. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import {
  OBJECT_PREFIX,
  objectKey,
  POINTER_KEY,
  RELEASE_PREFIX,
  releaseKey,
} from '../../src/snapshot/keys.ts';
import { COMPARED_NAME } from '../../src/snapshot/manifest.ts';
import {
  GENERATION,
  publish,
  type Turn,
  turnTo,
  upload,
} from '../support/stores/memory-snapshot.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  CHANGES,
  issueToken,
  LIST,
  loggedFaults,
  loggedLines,
  NEAR,
  openStage,
  type Stage,
} from '../support/worker/harness.ts';
import { codesOf } from '../support/worker/query-faults.ts';

/** Stores `from` to `to`, both included. */
const storesFrom = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => buildStore(from + index));

const NOWHERE = '0'.repeat(16);

const { values } = storage;

let stage: Stage;
let token: string;
let first: Turn;
let second: Turn;

beforeEach(async () => {
  // A second later an isolate looks at the pointer again.
  vi.useFakeTimers({ toFake: ['Date'] });
  storage.reset();
  stage = openStage();
  token = await issueToken();
  first = await publish(values, storesFrom(1, 5));
  const edited = buildStore(2, { slug: 'moved' });
  second = await publish(values, [buildStore(1), edited, ...storesFrom(4, 7)]);
});

const readsOf = (prefix: string) =>
  storage.reads.map(({ key }) => key).filter((key) => key.startsWith(prefix));

const ask = (path: string, headers = {}) => stage.request(path, { token, headers });

/** The answer about changes. */
async function changes(query: string, sent: Record<string, string> = {}) {
  const response = await ask(`${CHANGES}?${query}`, sent);
  const { status, headers } = response;
  const text = await response.text();
  return { status, headers, body: text === '' ? null : JSON.parse(text) };
}

/** The status of a refusal, with the code of the problem. */
async function problem(query: string): Promise<string> {
  const { status, body } = await changes(query);
  return `${status} ${body.code}`;
}

const idsOf = ({ body }: Awaited<ReturnType<typeof changes>>) =>
  body.docs.map(({ id }: { id: string }) => id);

describe('changes since a release', () => {
  it('are told in the order of ids, with the release to ask about the next time', async () => {
    const { headers, body } = await changes(`since=${first.name}`);
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
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-snapshot-release': second.name,
      'last-modified': new Date(second.pointer.publishedAt).toUTCString(),
      'server-timing': expect.stringMatching(/auth.*load.*query.*render/),
    });
    expect(headers.get('link')).toBeNull();
    const query = `since=${first.name}&until=live&skip=0&after=&limit=100`;
    expect(loggedLines()).toMatchObject([{ query, release: second.name }]);
  });

  it('come in pages that stay with one pair, whatever goes live meanwhile', async () => {
    const page = await changes(`limit=2&skip=1&since=${first.name}`);
    expect(idsOf(page)).toEqual([storeId(3), storeId(6)]);
    const query = `limit=2&since=${first.name}&until=${second.name}&after=${storeId(6)}`;
    expect(page.headers.get('link')).toBe(`<${CHANGES}?${query}>; rel="next"`);
    await publish(values, []);
    stage = openStage();
    const last = await changes(query);
    expect(last.body).toMatchObject({ release: second.name, total: 4 });
    expect([idsOf(last), last.headers.get('link')]).toEqual([[storeId(7)], null]);
    expect((await changes(`since=${first.name}`)).body).toMatchObject({ total: 5 });
  });

  it('are tagged, and not told again to who has them', async () => {
    const query = `since=${first.name}`;
    const { headers } = await changes(query);
    const tag = { 'if-none-match': headers.get('etag') ?? '' };
    expect(await changes(`limit=100&${query}`, tag)).toMatchObject({ status: 304, body: null });
    expect((await changes(`${query}&skip=1`, tag)).status).toBe(200);
    turnTo(values, second.pointer.manifest);
    stage = openStage();
    expect((await changes(query, tag)).status).toBe(200);
  });

  it('of a release put live again under another number are those of its content', async () => {
    const again = turnTo(values, first.pointer.manifest);
    const { body } = await changes(`since=${second.name}`);
    expect(body).toMatchObject({ release: again.name, total: 4 });
    expect((await changes(`since=${first.name}`)).body).toMatchObject({ total: 0 });
    const back = await changes(`since=${first.name}&until=${second.name}`);
    expect(back.body).toMatchObject({ release: second.name, total: 4 });
  });
});

describe('a release that cannot be compared with', () => {
  it('is not here yet when its number is higher than what this place has seen', async () => {
    const { headers } = await changes(`since=99-${NOWHERE}`);
    expect(headers.get('retry-after')).toBe('30');
    for (const query of [`since=99-${NOWHERE}`, `since=${first.name}&until=99-${NOWHERE}`]) {
      expect(await problem(query)).toBe('503 release_not_here_yet');
    }
    // Everyday lag, which operators need not hear of.
    expect(loggedFaults()).toEqual([]);
  });

  it('is gone when it never was, or was another one', async () => {
    const swapped = second.name.replace(/^2/, '1');
    for (const since of [`1-${NOWHERE}`, `2-${NOWHERE}`, swapped]) {
      expect(await problem(`since=${since}`)).toBe('410 release_gone');
    }
    const { body } = await changes(`since=${swapped}`);
    expect(body.detail).toContain(`No release ${swapped} is kept. Read the whole list again`);
  });

  it('is gone when its generation has been deleted, though its name is still there', async () => {
    const old = GENERATION.replace('2026', '2025');
    const third = turnTo(values, await upload(values, storesFrom(2, 9), old));
    const fourth = await publish(values, storesFrom(1, 9));
    vi.setSystemTime(Date.now() + 2_000);
    expect((await changes(`since=${third.name}`)).status).toBe(200);
    stage = openStage();
    for (const key of [...values.keys()]) if (key.includes(old)) values.delete(key);
    for (const query of [`since=${third.name}`, `since=${first.name}&until=${third.name}`]) {
      expect(await problem(query)).toBe('410 release_gone');
    }
    // What is missing of the live generation may only be late.
    const part = fourth.pointer.manifest.parts[COMPARED_NAME]?.hash ?? '';
    values.delete(objectKey(GENERATION, part));
    expect(await problem(`since=${first.name}`)).toBe('503 storage_unreachable');
  });

  it('costs no more reads than are said, the first time, and none the second', async () => {
    await ask(`${LIST}?limit=0`);
    storage.reads.length = 0;
    for (let time = 0; time < 2; time++) {
      expect(await problem(`since=1-${NOWHERE}&until=2-${NOWHERE}`)).toBe('410 release_gone');
      expect(storage.reads).toHaveLength(2);
    }
    expect(await problem(`since=3-${NOWHERE}`)).toBe('503 release_not_here_yet');
    expect(storage.reads).toHaveLength(2);
  });
});

it('a fresh isolate reads the pointer, the release that is named and what is compared, and no other index', async () => {
  const { body } = await changes(`since=${second.name}`);
  expect(body).toEqual({ release: second.name, since: second.name, total: 0, docs: [] });
  // Since the live release nothing has changed, whatever it has.
  expect(readsOf(OBJECT_PREFIX)).toEqual([]);
  await changes(`since=${first.name}`);
  expect(readsOf(POINTER_KEY)).toHaveLength(1);
  expect(readsOf(RELEASE_PREFIX)).toEqual([releaseKey(first.name)]);
  // Ids of both releases, and what is compared of each.
  expect(readsOf(OBJECT_PREFIX)).toHaveLength(4);
});

it.each([
  ['', 'missing_parameter since'],
  [
    'since=&limit=1001&sort=id&lang=fr',
    ...['unknown_parameter sort', 'unknown_parameter lang'],
    ...['empty_value since', 'out_of_range limit'],
  ],
  [`since=7&until=0-${NOWHERE}`, 'malformed_value since', 'malformed_value until'],
  [`since=2-${NOWHERE}&until=1-${NOWHERE}`, 'out_of_range until'],
  [`since=1-${NOWHERE}&skip=0&after=${storeId(1)}`, 'not_together skip'],
  [
    `since=1-${NOWHERE}&after=x&skip=-1`,
    ...['out_of_range skip', 'not_together skip', 'malformed_value after'],
  ],
])('the query for changes is refused with every fault: %s', (query, ...faults) => {
  expect(codesOf(query, CHANGES_QUERY)).toEqual(faults);
});

it.each([
  ['skip=1&limit=2&fields=slug', `limit=2&fields=slug&after=${storeId(4)}`],
  ['sort%5B%5D=id__asc&limit=1', `limit=1&after=${storeId(1)}`],
  ['sort=slug&limit=2&skip=1', 'sort=slug&limit=2&skip=3'],
  [`${NEAR}&limit=1&sort=id`, `${NEAR}&limit=1&sort=id&skip=1`],
])('lists lead on by after in the order of ids, and by skip in others: %s', async (query, next) => {
  const { headers } = await ask(`${LIST}?${query}`);
  expect(headers.get('link')).toBe(`<${LIST}?${next}>; rel="next"`);
});
