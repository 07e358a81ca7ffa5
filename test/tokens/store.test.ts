import { beforeEach, describe, expect, it } from 'vitest';
import { replaceDemoToken } from '../../scripts/start/prepare-storage.ts';
import { issueToken } from '../../scripts/token/issue-token.ts';
import { findToken, readTokens } from '../../scripts/token/stored-token.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { MemoryTokens } from './support/memory-tokens.ts';

let store: MemoryTokens;

beforeEach(() => {
  store = new MemoryTokens();
});

const keep = (hash: string, text: string, metadata?: object | null) =>
  store.stored.set(tokenKey(hash), { text, metadata });

describe('the store behind the commands', () => {
  const ORDER = { partner: 'a', scopes: ['stores:read:GET'], expiresAt: null, utm: null };

  it('lists all, the oldest token first', async () => {
    for (let age = 0; age < 7; age++) {
      store.clock -= 1_000;
      await issueToken(store, 'staging', { ...ORDER, partner: `p${age}` });
    }
    const tokens = await readTokens(store);
    const partners = tokens.map(({ record }) => record?.partner);
    expect(partners).toEqual(partners.toSorted().reverse());
    expect(partners).toHaveLength(7);
  });

  it('calls ids that share their first digits ambiguous, and names them', async () => {
    const record = sealJson({
      version: 1,
      ...ORDER,
      createdAt: '2026-11-20T12:00:00Z',
      revokedAt: null,
    });
    const hashes = ['abcd1', 'abcd2'].map((start) => start.padEnd(64, '0'));
    for (const hash of hashes) keep(hash, record);
    await expect(findToken(store, 'abcd')).rejects.toThrow('abcd10000000, abcd20000000');
    expect((await findToken(store, 'abcd2')).hash).toBe(hashes[1]);
  });

  it.each([
    [undefined, null],
    [null, null],
    [{ name: 'of another program' }, null],
    [{ partner: 'a', replaces: '0123456789ab', cut: ['note'] }, '0123456789ab'],
  ])('reads records that have %j beside them', async (metadata, replaces) => {
    const { token, id } = await issueToken(store, 'staging', { ...ORDER, note: 'old' });
    const hash = await hashToken(token);
    keep(hash, store.stored.get(tokenKey(hash))?.text ?? '', metadata);
    expect(await readTokens(store)).toMatchObject([{ id, record: { note: 'old' }, replaces }]);
  });

  it('keeps one demo token, and every token that only looks like one', async () => {
    await issueToken(store, 'development', { ...ORDER, partner: 'demo' });
    await replaceDemoToken(store);
    store.clock += 1_000;
    const latest = await replaceDemoToken(store);
    const tokens = await readTokens(store);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]?.id).toBe(latest.id);
  });
});
