import type { KVNamespace } from '@cloudflare/workers-types';
import { describe, expect, it } from 'vitest';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { replaceDemoToken } from '../../scripts/token/demo-token.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import { revokeToken } from '../../scripts/token/revoke-token.ts';
import { rotateToken } from '../../scripts/token/rotate-token.ts';
import { factsOf, findToken, readTokens } from '../../scripts/token/stored-token.ts';
import { ENVIRONMENTS, hashToken, markerFor, markerOf, tokenKey } from '../../src/auth/token.ts';
import { sealJson } from '../../src/sealed-json.ts';
import { MemoryTokens } from './support/memory-tokens.ts';

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
    const tokens = await readTokens(store);
    expect(tokens.map(({ record }) => record?.partner)).toEqual([
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
    const tokens = await readTokens(store);
    const end = Date.parse('2026-11-21T00:00:00Z');
    expect(tokens.map((each) => factsOf(each, end - 1).state)).toEqual(['damaged', 'active']);
    expect(tokens.map((each) => factsOf(each, end).state)).toEqual(['damaged', 'expired']);
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

  it('tells what became of each token', async () => {
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
    const tokens = await readTokens(store);
    const whole = { partner: 'Vélo ⚡', note: 'pilot', utm, scopes: ['stores:read:GET'] };
    expect(tokens.map((token) => factsOf(token, NOW + 4))).toMatchObject([
      { ...whole, id: old.id, replacedBy: [issued.id], expiresAt: '2026-11-20T13:00:00.002Z' },
      { ...whole, id: revoked.id, revokedAt: '2026-11-20T12:00:00.003Z', expiresAt: null },
      { ...whole, id: issued.id, replaces: old.id, replacedBy: [], expiresAt: null },
    ]);
  });

  it.each([
    [undefined, null],
    [null, null],
    [{ name: 'of another program' }, null],
    [{ partner: 'a', replaces: '0123456789ab', cut: ['note'] }, '0123456789ab'],
  ])('reads records that have %j beside them', async (metadata, replaces) => {
    const store = new MemoryTokens();
    const { token, id } = await issueToken(store, 'staging', { ...ORDER, note: 'old' }, NOW);
    const key = tokenKey(await hashToken(token));
    store.stored.set(key, { text: store.stored.get(key)?.text ?? '', metadata });
    expect(await readTokens(store)).toMatchObject([{ id, record: { note: 'old' }, replaces }]);
  });

  it('keeps one demo token, and every token that only looks like one', async () => {
    const { store } = openKv();
    await issueToken(store, 'development', { ...ORDER, partner: 'demo' }, NOW);
    await replaceDemoToken(store, NOW + 1_000);
    const latest = await replaceDemoToken(store, NOW + 2_000);
    const tokens = await readTokens(store);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]?.id).toBe(latest.id);
  });
});
