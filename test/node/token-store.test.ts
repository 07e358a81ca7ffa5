import { describe, expect, it } from 'vitest';
import { replaceDemoToken } from '../../scripts/token/demo-token.ts';
import { findToken } from '../../scripts/token/find-token.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import { type KeyPage, KvTokenStore } from '../../scripts/token/kv-token-store.ts';
import { readTokens, stateOf } from '../../scripts/token/stored-token.ts';
import { ENVIRONMENTS, hashToken, markerFor, markerOf } from '../../src/auth/token.ts';

/** A namespace in memory whose pages hold two keys. */
function namespace(entries: Iterable<[string, string]> = []) {
  const values = new Map(entries);
  const list = async (options: { prefix: string; cursor?: string }): Promise<KeyPage> => {
    const names = [...values.keys()].filter((name) => name.startsWith(options.prefix)).sort();
    const from = Number(options.cursor ?? 0);
    const keys = names.slice(from, from + 2).map((name) => ({ name }));
    return from + 2 < names.length
      ? { keys, list_complete: false, cursor: String(from + 2) }
      : { keys, list_complete: true };
  };
  return {
    values,
    list,
    get: async (key: string) => values.get(key) ?? null,
    put: async (key: string, value: string) => void values.set(key, value),
    delete: async (key: string) => void values.delete(key),
  };
}

describe('the store behind the commands', () => {
  const NOW = Date.parse('2026-11-20T12:00:00Z');
  const ORDER = { partner: 'a', scopes: ['stores:read:GET'], expiresAt: null, utm: null };

  it('lists all pages, the oldest token first', async () => {
    const store = new KvTokenStore(namespace());
    for (let age = 0; age < 7; age++) {
      await issueToken(store, 'staging', { ...ORDER, partner: `p${age}` }, NOW - age * 1_000);
    }
    const tokens = await readTokens(store);
    expect(tokens.map((each) => each.record?.partner)).toEqual([
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
    const record = JSON.stringify({
      version: 1,
      ...ORDER,
      createdAt: '2026-11-20T12:00:00Z',
      revokedAt: null,
    });
    const hashes = ['abcd1', 'abcd2'].map((start) => start.padEnd(64, '0'));
    const store = new KvTokenStore(namespace(hashes.map((hash) => [`token/${hash}`, record])));
    await expect(findToken(store, 'abcd')).rejects.toThrow('abcd10000000, abcd20000000');
    expect((await findToken(store, 'abcd2')).hash).toBe(hashes[1]);
  });

  it('tells active, expired, revoked and damaged tokens apart', async () => {
    const { values, ...kv } = namespace([[`token/${'0'.repeat(64)}`, '{"version":9}']]);
    const store = new KvTokenStore(kv);
    await issueToken(store, 'staging', { ...ORDER, expiresAt: '2026-11-21T00:00:00Z' }, NOW);
    const tokens = await readTokens(store);
    const end = Date.parse('2026-11-21T00:00:00Z');
    expect(tokens.map((each) => stateOf(each, end - 1))).toEqual(['damaged', 'active']);
    expect(tokens.map((each) => stateOf(each, end))).toEqual(['damaged', 'expired']);
    expect(values.size).toBe(2);
  });

  it.each(ENVIRONMENTS)('stores a token of %s under its hash alone', async (environment) => {
    const kv = namespace();
    const { token: secret, id } = await issueToken(new KvTokenStore(kv), environment, ORDER, NOW);
    const hash = await hashToken(secret);
    expect(markerOf(secret)).toBe(markerFor(environment));
    expect(hash.startsWith(id)).toBe(true);
    expect([...kv.values.keys()]).toEqual([`token/${hash}`]);
    expect(JSON.stringify([...kv.values])).not.toContain(secret);
  });

  it('keeps one demo token, and every token that only looks like one', async () => {
    const kv = namespace();
    const store = new KvTokenStore(kv);
    await issueToken(store, 'development', { ...ORDER, partner: 'demo' }, NOW);
    await replaceDemoToken(store, NOW + 1_000);
    const latest = await replaceDemoToken(store, NOW + 2_000);
    const tokens = await readTokens(store);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]?.id).toBe(latest.id);
  });
});
