/**
 * Damage through the front door: whichever object of a new release a fresh isolate needs, flipped or
 * cut, the release before answers, and the log says what is damaged and where.
 */

import { env } from 'cloudflare:workers';
import type { MockInstance } from 'vitest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SORT_FIELDS } from '../../../src/model/sort-fields.ts';
import { objectKey, releaseName } from '../../../src/snapshot/keys.ts';
import { type Manifest, UNHELD_PARTS } from '../../../src/snapshot/manifest.ts';
import { compileValues, GENERATION } from '../../support/stores/memory-snapshot.ts';
import { buildStore, storeId } from '../../support/stores/store-builder.ts';
import {
  issueToken,
  openStage,
  PUBLISHED_AT,
  publishStores,
} from '../../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const ID = storeId(1).toUpperCase();
const FIRST = [buildStore(1, { id: ID })];
const SECOND = [buildStore(1, { id: ID }), buildStore(2), buildStore(3)];

/** A request that needs a part, which a fresh isolate reads for it. */
function requestFor(part: string): string {
  const [kind, column, lang] = part.split('/');
  if (kind === 'rank') {
    if (column !== 'name') return `${LIST}?sort=${fieldOf(column)}`;
    return `${LIST}?sort=profile.name${lang === 'root' ? '' : `&lang=${lang}`}`;
  }
  const path = REQUESTS[part];
  if (path === undefined) throw new Error(`no request of this test needs the part ${part}`);
  return LIST + path;
}

const REQUESTS: Readonly<Record<string, string>> = {
  chunks: '',
  verticales: '?verticale.in=BIKE',
  ids: `/${ID}`,
  'id-cases': `?after=${'0'.repeat(24)}`,
  slugs: '/store-1',
  places: '?position.latitude=48&position.longitude=7&position.radius=50',
};

/** A field that lists can be sorted by in a column. */
function fieldOf(column: string | undefined): string {
  return Object.entries(SORT_FIELDS).find(([, own]) => own === column)?.[0] ?? `none for ${column}`;
}

const counts = { injected: 0, found: 0 };
let errors: MockInstance<typeof console.error>;
let token: string;
let first: Manifest;
let second: Manifest;
/** Objects that are no parts. */
let chunkKeys: string[];

beforeAll(async () => {
  token = await issueToken();
  first = await publishStores(FIRST);
  second = await publishStores(SECOND);
  const parts = Object.values(second.parts).map(({ hash }) => objectKey(GENERATION, hash));
  const { values } = await compileValues(SECOND, PUBLISHED_AT);
  chunkKeys = [...values.keys()].filter((key) => key.includes('/object/') && !parts.includes(key));
});

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => {
  const { injected, found } = counts;
  console.info(
    `${injected} damaged objects asked for, ${found} found, the release before answered`,
  );
});

/** Node's test flips every byte of each (`snapshot/damage.test.ts`); here it is some, for the whole way. */
const DAMAGES: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'flipped at the start': (bytes) => flip(bytes, 0),
  'flipped in the middle': (bytes) => flip(bytes, bytes.length >> 1),
  'flipped at the end': (bytes) => flip(bytes, bytes.length - 1),
  'cut by a byte': (bytes) => bytes.slice(0, -1),
  'cut to nothing': () => new Uint8Array(0),
};

const flip = (bytes: Uint8Array, offset: number) =>
  bytes.map((byte, index) => (index === offset ? byte ^ 4 : byte));

/** A fresh isolate that finds the objects of `keys` damaged. */
function openDamaged(keys: readonly string[], damage: (bytes: Uint8Array) => Uint8Array) {
  const real = env.SNAPSHOTS.get.bind(env.SNAPSHOTS) as (...args: unknown[]) => Promise<unknown>;
  const spoil = (key: string, text: unknown) =>
    keys.includes(key) && typeof text === 'string'
      ? damage(Uint8Array.fromBase64(text)).toBase64()
      : text;
  const get = async (asked: string | string[], options: unknown) => {
    const found = await real(asked, options);
    if (!(found instanceof Map)) return spoil(asked as string, found);
    return new Map([...found].map(([key, text]) => [key, spoil(key, text)]));
  };
  return openStage({ SNAPSHOTS: { get } as unknown as KVNamespace });
}

/** Expects that the release before answers, and that the log names the object. */
async function expectFound(path: string, keys: readonly string[], what: string): Promise<void> {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    counts.injected++;
    errors.mockClear();
    const stage = openDamaged(keys, damage);
    for (let turn = 0; turn < 2; turn++) {
      const response = await stage.request(path, { token });
      expect([name, response.status]).toEqual([name, 200]);
      const release = response.headers.get('x-snapshot-release');
      expect([name, release]).toEqual([name, releaseName(1, first.release)]);
      await response.arrayBuffer();
    }
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines).toHaveLength(1);
    expect(lines[0].event).toBe('release_unreadable');
    expect(lines[0].error).toContain(releaseName(2, second.release));
    expect(lines[0].error).toContain(what);
    expect(lines[0].error).toContain(`(${keys[0]}) `);
    counts.found++;
  }
}

describe('a fresh isolate answers from the release before', () => {
  it('whichever part of the new one is damaged', async () => {
    const names = Object.keys(second.parts).filter((name) => !UNHELD_PARTS.includes(name));
    const tested = new Set<string>();
    for (const name of names) {
      const hash = second.parts[name]?.hash as string;
      // Equal parts are one object; what both releases have would leave none to answer.
      if (tested.has(hash) || first.parts[name]?.hash === hash) continue;
      tested.add(hash);
      await expectFound(requestFor(name), [objectKey(GENERATION, hash)], 'part');
    }
    expect(tested.size).toBeGreaterThan(5);
  });

  it('when its documents are damaged', async () => {
    for (const key of chunkKeys) await expectFound(`${LIST}?limit=3`, [key], 'chunk');
    expect(chunkKeys.length).toBeGreaterThan(0);
  });
});
