/** Objects that are missing, damaged or cut short: asked for again, and never served. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { objectKey } from '../../src/snapshot/keys.ts';
import { compileValues, GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, PUBLISHED_AT, publishStores } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

let errors: MockInstance<typeof console.error>;
let token: string;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  token = await issueToken();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const events = () => errors.mock.calls.map(([line]) => JSON.parse(String(line)).event as string);

/** What may become of a value in KV. */
const DAMAGES: [string, (text: string) => string | null][] = [
  ['missing', () => null],
  ['cut short', (text) => text.slice(0, -4)],
  ['empty', () => ''],
  ['other bytes of the same length', (text) => text.replace(/./, (at) => otherDigit(at))],
  ['no base64', (text) => `!${text.slice(1)}`],
];

function otherDigit(digit: string): string {
  return BASE64[(BASE64.indexOf(digit) + 1) % 64] as string;
}

describe.each(['an index part', 'a chunk'])('%s in KV', (kind) => {
  /** Publishes two stores; the key of the object that is to be damaged, and its good value. */
  async function publish(): Promise<{ key: string; good: string }> {
    const stores = [buildStore(1), buildStore(2)];
    const manifest = await publishStores(stores);
    const parts = Object.values(manifest.parts).map(({ hash }) => objectKey(GENERATION, hash));
    const { values } = await compileValues(stores, PUBLISHED_AT);
    const objects = [...values.keys()].filter((key) => key.includes('/object/'));
    const chunk = objects.find((key) => !parts.includes(key));
    const key =
      kind === 'a chunk' ? chunk : objectKey(GENERATION, manifest.parts.chunks?.hash ?? '');
    return { key: key as string, good: (await env.SNAPSHOTS.get(key as string)) as string };
  }

  it.each(DAMAGES)('that is %s to a cache is asked for past it', async (_, damage) => {
    const { key, good } = await publish();
    const real = env.SNAPSHOTS.get.bind(env.SNAPSHOTS) as (...args: unknown[]) => Promise<unknown>;
    const lives: number[] = [];
    const get = async (asked: string | string[], options: { cacheTtl?: number }) => {
      const value = await real(asked, options);
      if (asked !== key) return value;
      lives.push(options.cacheTtl ?? 0);
      return lives.length === 1 ? damage(good) : value;
    };
    const stage = openStage({ SNAPSHOTS: { get } as unknown as KVNamespace });
    const response = await stage.request(`${LIST}?limit=1&fields=slug`, { token });
    expect(await response.json()).toEqual({ total: 2, docs: [{ slug: 'store-1' }] });
    // The first read takes what any cache has; the second no older than half a minute.
    expect(lives).toEqual([30 * 24 * 3600, 30]);
    expect(events()).toEqual([]);
  });

  it.each(DAMAGES)('that stays %s is a 503, until it is there', async (_, damage) => {
    const { key, good } = await publish();
    const bad = damage(good);
    if (bad === null) await env.SNAPSHOTS.delete(key);
    else await env.SNAPSHOTS.put(key, bad);
    const stage = openStage();
    const response = await stage.request(`${LIST}?limit=1`, { token });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'storage_unreachable' });
    expect(events()).toEqual(['release_unreadable', 'storage_unreachable']);
    await env.SNAPSHOTS.put(key, good);
    expect((await stage.request(`${LIST}?limit=1`, { token })).status).toBe(200);
  });
});
