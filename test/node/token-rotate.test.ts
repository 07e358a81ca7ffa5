/** Rotation of tokens: what the new one inherits, and how long the old one lives on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueToken, type TokenOrder } from '../../scripts/token/issue-token.ts';
import { rotateToken } from '../../scripts/token/rotate-token.ts';
import { readTokens, stateOf } from '../../scripts/token/stored-token.ts';
import type { TokenStore } from '../../scripts/token/token-store.ts';
import { Authenticator } from '../../src/auth/authenticator.ts';
import { READ_STORES } from '../../src/auth/scope.ts';
import { hashToken, markerOf, publicId, TOKEN_KEY_PREFIX } from '../../src/auth/token.ts';
import { TestBackground } from '../shared/memory-snapshot.ts';
import { callTool } from './call-tool.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR = 3_600_000;

const ORDER: TokenOrder = {
  partner: 'Ski Guide',
  scopes: [READ_STORES, 'items:*:GET'],
  expiresAt: null,
  utm: { utm_source: 'skiguide' },
  note: 'winter',
};

let records: Map<string, string>;
let store: TokenStore;

beforeEach(() => {
  records = new Map();
  store = {
    hashes: async (start) => [...records.keys()].filter((hash) => hash.startsWith(start)).sort(),
    read: async (hash) => records.get(hash) ?? null,
    write: async (hash, record) => void records.set(hash, record),
    delete: async (hash) => void records.delete(hash),
  };
});

function rotate(id: string, overlapHours = 24, now = NOW) {
  return rotateToken(store, { environment: 'production', id, overlapHours, now });
}

/** Whether the service admits a token at `now`, an isolate that knows nothing yet. */
async function isAdmitted(token: string, now: number): Promise<boolean> {
  const reader = {
    get: async (key: string) => records.get(key.slice(TOKEN_KEY_PREFIX.length)) ?? null,
  };
  const authenticator = new Authenticator(reader, 'production', { now: () => now });
  const headers = new Headers({ 'x-access-token': token });
  try {
    await authenticator.authenticate(headers, READ_STORES, new TestBackground());
    return true;
  } catch {
    return false;
  }
}

describe('a rotation', () => {
  it('gives a new secret to the same partner, with the same rights', async () => {
    const old = await issueToken(store, 'production', ORDER, NOW - HOUR);
    const { issued } = await rotate(old.id);
    expect(issued.token).not.toBe(old.token);
    expect(markerOf(issued.token)).toBe('live');
    expect(issued.id).toBe(publicId(await hashToken(issued.token)));
    expect(issued.record).toEqual({ ...old.record, createdAt: new Date(NOW).toISOString() });
    expect([...records.values()].join()).not.toContain(issued.token);
  });

  it('lets both be admitted for the overlap, then the new one only', async () => {
    const old = await issueToken(store, 'production', ORDER, NOW - HOUR);
    const { issued, replaced } = await rotate(old.id, 2);
    expect(replaced).toMatchObject({ id: old.id, record: { revokedAt: null } });
    for (const [token, end] of [
      [old.token, NOW + 2 * HOUR],
      [issued.token, Number.POSITIVE_INFINITY],
    ] as const) {
      for (const now of [NOW, NOW + 2 * HOUR - 1, NOW + 2 * HOUR, NOW + 99 * HOUR]) {
        expect(await isAdmitted(token, now)).toBe(now < end);
      }
    }
  });

  it('without overlap revokes the old one', async () => {
    const old = await issueToken(store, 'production', ORDER, NOW - HOUR);
    const { issued, replaced } = await rotate(old.id, 0);
    expect(replaced.record.revokedAt).toBe(new Date(NOW).toISOString());
    expect(await isAdmitted(old.token, NOW)).toBe(false);
    expect(await isAdmitted(issued.token, NOW)).toBe(true);
  });

  it('lengthens no life: an end before that of the overlap stands, for both', async () => {
    const expiresAt = new Date(NOW + HOUR).toISOString();
    const old = await issueToken(store, 'production', { ...ORDER, expiresAt }, NOW - HOUR);
    const { issued, replaced } = await rotate(old.id);
    expect([issued.record.expiresAt, replaced.record.expiresAt]).toEqual([expiresAt, expiresAt]);
  });

  it('of a token that was rotated before is refused, naming what replaces it', async () => {
    const old = await issueToken(store, 'production', ORDER, NOW - HOUR);
    const { issued } = await rotate(old.id);
    const before = new Map(records);
    for (const overlap of [0, 48]) {
      await expect(rotate(old.id, overlap, NOW + HOUR)).rejects.toMatchObject({
        code: 'token_replaced',
        message: expect.stringContaining(`${issued.id} replaces it`),
        details: { id: old.id, replacedBy: issued.id },
      });
    }
    expect(records).toEqual(before);
    const next = await rotate(issued.id, 24, NOW + HOUR);
    expect(next.issued.record).toMatchObject({ expiresAt: null });
    expect(next.issued.record.replacedBy).toBeUndefined();
  });

  it.each(['revoked', 'expired', 'damaged'])('of a token that is %s is refused', async (state) => {
    const end = new Date(NOW).toISOString();
    const dates = state === 'expired' ? { expiresAt: end } : { revokedAt: end };
    const old = await issueToken(store, 'production', ORDER, NOW - HOUR);
    const hash = await hashToken(old.token);
    records.set(hash, state === 'damaged' ? '{' : JSON.stringify({ ...old.record, ...dates }));
    const before = new Map(records);
    await expect(rotate(old.id)).rejects.toMatchObject({
      code: 'token_inactive',
      details: { id: old.id, state },
    });
    expect(records).toEqual(before);
  });

  it('that is cut short leaves the old token working', async () => {
    const old = await issueToken(store, 'production', ORDER, NOW - HOUR);
    const oldHash = await hashToken(old.token);
    const { write } = store;
    for (const failing of [
      (hash: string) => hash !== oldHash,
      (hash: string) => hash === oldHash,
    ]) {
      store.write = async (hash, record) => {
        if (failing(hash)) throw new Error('the power is out');
        return write(hash, record);
      };
      await expect(rotate(old.id, 0)).rejects.toThrow('the power is out');
      expect(await isAdmitted(old.token, NOW)).toBe(true);
    }
    const states = (await readTokens(store)).map((token) => stateOf(token, NOW));
    expect(states).toEqual(['active', 'active']);
  });
});

describe('the commands', () => {
  let state: string;

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'token-rotate-'));
  });

  afterAll(() => rm(state, { recursive: true, force: true }));

  const token = (...args: string[]) =>
    callTool('token', args, { env: { STORE_DIRECTORY_STATE: state } });

  it('show a token without its secret and rotate it, printing the new secret once', async () => {
    const issued = JSON.parse(
      (await token('issue', '--partner', 'Ski Guide', '--note', 'winter', '--json')).stdout,
    );
    const rotated = JSON.parse((await token('rotate', issued.id, '--json')).stdout);
    expect(rotated).toMatchObject({
      environment: 'development',
      partner: 'Ski Guide',
      note: 'winter',
      state: 'active',
      expiresAt: null,
      replaces: { id: issued.id, state: 'active', expiresAt: expect.any(String) },
    });
    expect(rotated.token).not.toBe(issued.token);
    const shown = await token('show', rotated.id.slice(0, 6), '--json');
    const { token: secret, environment: _, replaces: __, ...known } = rotated;
    expect(JSON.parse(shown.stdout)).toEqual(known);
    expect(shown.stdout).not.toContain(secret);
    const text = (await token('show', issued.id)).stdout;
    expect(text).toMatch(new RegExp(`^id +${issued.id}\nstate +active\npartner +Ski Guide\n`));
    expect(text).toContain(`\nreplaced by  ${rotated.id}\n`);
    const again = await token('rotate', issued.id, '--json');
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout).error).toMatchObject({
      code: 'token_replaced',
      replacedBy: rotated.id,
    });
    const last = (await token('rotate', rotated.id, '--overlap', '0')).stdout;
    expect(last.match(/rsd_sk_test_\w+/g)).toHaveLength(1);
    expect(last).toContain(`It replaces ${rotated.id}, which is revoked`);
  });

  it.each([
    ['show', 'xyz'],
    ['rotate', 'xyz'],
    ['rotate', '0123', '--overlap', '-1'],
    ['rotate', '0123', '--overlap', 'soon'],
    ['rotate', '0123', '--overlap', '8761'],
    ['list', '--remote'],
  ])('end with 2 on %s %s %s %s', async (...args) => {
    const { code, stdout } = await token(...args.filter((arg) => arg !== undefined));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
