import type { KVNamespace } from '@cloudflare/workers-types';
import { describe, expect, it } from 'vitest';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { replaceDemoToken } from '../../scripts/token/demo-token.ts';
import { findToken } from '../../scripts/token/find-token.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import { revokeToken } from '../../scripts/token/revoke-token.ts';
import { rotateToken } from '../../scripts/token/rotate-token.ts';
import { listTokens, stateOf } from '../../scripts/token/token-facts.ts';
import { ENVIRONMENTS, hashToken, markerFor, markerOf, tokenKey } from '../../src/auth/token.ts';
import { sealJson } from '../../src/sealed-json.ts';
import { MemoryTokens } from './memory-tokens.ts';

const encoder = new TextEncoder();

/** Local KV over a namespace in memory whose pages hold two keys. */
function openKv(entries: Iterable<[string, string]> = []) {
  const values = new Map([...entries].map(([key, text]) => [key, encoder.encode(text)]));
  const beside = new Map<string, unknown>();
  const list = async (options: { prefix: string; cursor?: string | null }) => {
    const names = [...values.keys()].filter((name) => name.startsWith(options.prefix)).sort();
    const from = Number(options.cursor ?? 0);
    const keys = names.slice(from, from + 2).map((name) => ({ name, metadata: beside.get(name) }));
    return from + 2 < names.length
      ? { keys, list_complete: false, cursor: String(from + 2) }
      : { keys, list_complete: true };
  };
  const namespace = {
    list,
    get: async (key: string) => values.get(key)?.slice().buffer ?? null,
    put: async (
      key: string,
      value: Uint8Array<ArrayBuffer>,
      { metadata }: { metadata: object },
    ) => {
      values.set(key, value);
      beside.set(key, metadata);
    },
    delete: async (key: string) => void values.delete(key),
  };
  return { values, store: new LocalKv(namespace as unknown as KVNamespace) };
}

describe('the store behind the commands', () => {
  const NOW = Date.parse('2026-11-20T12:00:00Z');
  const ORDER = { partner: 'a', scopes: ['stores:read:GET'], expiresAt: null, utm: null };

  it('lists all pages, the oldest token first', async () => {
    const { store } = openKv();
    for (let age = 0; age < 7; age++) {
      await issueToken(store, 'staging', { ...ORDER, partner: `p${age}` }, NOW - age * 1_000);
    }
    const tokens = await listTokens(store);
    expect(tokens.map(({ known }) => known?.partner)).toEqual([
      'p6',
      'p5',
      'p4',
      'p3',
      'p2',
      'p1',
      'p0',
    ]);
  });

  it('calls ids that share their first digits ambiguous, and names them', async () => {
    const record = sealJson({
      version: 1,
      ...ORDER,
      createdAt: '2026-11-20T12:00:00Z',
      revokedAt: null,
    });
    const hashes = ['abcd1', 'abcd2'].map((start) => start.padEnd(64, '0'));
    const { store } = openKv(hashes.map((hash) => [`token/${hash}`, record]));
    await expect(findToken(store, 'abcd')).rejects.toThrow('abcd10000000, abcd20000000');
    expect((await findToken(store, 'abcd2')).hash).toBe(hashes[1]);
  });

  it('tells active, expired, revoked and damaged tokens apart', async () => {
    const { values, store } = openKv([[`token/${'0'.repeat(64)}`, sealJson({ version: 9 })]]);
    await issueToken(store, 'staging', { ...ORDER, expiresAt: '2026-11-21T00:00:00Z' }, NOW);
    const tokens = await listTokens(store);
    const end = Date.parse('2026-11-21T00:00:00Z');
    expect(tokens.map((each) => stateOf(each, end - 1))).toEqual(['damaged', 'active']);
    expect(tokens.map((each) => stateOf(each, end))).toEqual(['damaged', 'expired']);
    expect(values.size).toBe(2);
  });

  it.each(ENVIRONMENTS)('stores a token of %s under its hash alone', async (environment) => {
    const { values, store } = openKv();
    const { token: secret, id } = await issueToken(store, environment, ORDER, NOW);
    const hash = await hashToken(secret);
    expect(markerOf(secret)).toBe(markerFor(environment));
    expect(hash.startsWith(id)).toBe(true);
    expect([...values.keys()]).toEqual([`token/${hash}`]);
    const texts = [...values].map(([key, bytes]) => key + new TextDecoder().decode(bytes));
    expect(texts.join()).not.toContain(secret);
  });

  it('lists in one request, reading no value, whatever became of the tokens', async () => {
    const store = new MemoryTokens();
    const utm = { utm_source: 'velo' };
    const order = { ...ORDER, partner: 'Vélo ⚡', note: 'pilot', utm };
    const [old, revoked] = [
      await issueToken(store, 'staging', order, NOW),
      await issueToken(store, 'staging', order, NOW + 1),
    ];
    store.clock = NOW + 2;
    const options = { environment: 'staging', id: old.id, overlapHours: 1 } as const;
    const { issued } = await rotateToken(store, options);
    await revokeToken(store, revoked.id, NOW + 3);
    store.lists = 0;
    store.reads = 0;
    const tokens = await listTokens(store);
    expect([store.lists, store.reads]).toEqual([1, 0]);
    const whole = { partner: 'Vélo ⚡', note: 'pilot', utm, scopes: ['stores:read:GET'] };
    expect(tokens.map(({ id, known }) => ({ id, ...known }))).toMatchObject([
      { ...whole, id: old.id, replacedBy: [issued.id], expiresAt: '2026-11-20T13:00:00.002Z' },
      { ...whole, id: revoked.id, revokedAt: '2026-11-20T12:00:00.003Z', expiresAt: null },
      { ...whole, id: issued.id, replaces: old.id, replacedBy: [], expiresAt: null },
    ]);
    for (const { known } of tokens) expect(known?.cut).toBeUndefined();
  });

  it('reads records that have nothing beside them which can be read', async () => {
    const store = new MemoryTokens();
    const { token, id } = await issueToken(store, 'staging', { ...ORDER, note: 'old' }, NOW);
    const key = tokenKey(await hashToken(token));
    const text = store.stored.get(key)?.text ?? '';
    for (const metadata of [undefined, null, { name: 'of somebody else' }]) {
      store.stored.set(key, { text, metadata });
      expect(await listTokens(store)).toMatchObject([{ id, known: { note: 'old' } }]);
    }
  });

  it('cuts in lists what KV has no room for, and shows it whole', async () => {
    const store = new MemoryTokens();
    const long = '⚡'.repeat(200);
    const utm = { utm_source: long, utm_medium: long, utm_campaign: long };
    const scopes = ['stores', 'items', '*'].flatMap((domain) =>
      ['read', 'write', '*'].flatMap((action) =>
        ['GET', 'POST', '*'].map((route) => `${domain}:${action}:${route}`),
      ),
    );
    const note = '⚡'.repeat(500);
    const order = { partner: long, scopes, expiresAt: '2026-12-31T00:00:00Z', utm, note };
    const { id } = await issueToken(store, 'staging', order, NOW);
    const known = async () => (await listTokens(store))[0]?.known;
    expect(await known()).toMatchObject({
      partner: long,
      scopes: scopes.slice(0, 4),
      note: `${'⚡'.repeat(60)}…`,
      utm: null,
      cut: ['note', 'utm', 'scopes'],
    });
    expect((await findToken(store, id)).record).toMatchObject(order);
    await revokeToken(store, id, NOW);
    expect(await known()).toMatchObject({
      partner: `${'⚡'.repeat(60)}…`,
      cut: ['note', 'utm', 'scopes', 'partner'],
    });
    expect((await findToken(store, id)).record).toMatchObject(order);
    const words = Array(4).fill('a'.repeat(400));
    await issueToken(store, 'staging', { ...order, scopes: words.map((w) => `${w}:a:a`) }, NOW - 1);
    expect(await known()).toMatchObject({ scopes: [], cut: ['note', 'utm', 'partner', 'scopes'] });
    const short = { ...ORDER, note };
    await issueToken(store, 'staging', short, NOW + 1);
    expect((await listTokens(store))[2]?.known).toMatchObject({
      note: `${'⚡'.repeat(60)}…`,
      partner: 'a',
      cut: ['note'],
    });
  });

  it('keeps one demo token, and every token that only looks like one', async () => {
    const { store } = openKv();
    await issueToken(store, 'development', { ...ORDER, partner: 'demo' }, NOW);
    await replaceDemoToken(store, NOW + 1_000);
    const latest = await replaceDemoToken(store, NOW + 2_000);
    const tokens = await listTokens(store);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]?.id).toBe(latest.id);
  });
});
