/** The tokens in storage: how commands find them, what a new one inherits from the old, and how long that lives on. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { replaceDemoToken } from '../../scripts/start/prepare-storage.ts';
import type { KvStore } from '../../scripts/storage/key-value-store.ts';
import { issueToken, rotateToken, type TokenOrder } from '../../scripts/token/issue-token.ts';
import {
  factsOf,
  findToken,
  readTokens,
  writeRevocation,
} from '../../scripts/token/stored-token.ts';
import { Authenticator } from '../../src/auth/authenticator.ts';
import { expectValid } from '../../src/auth/grant.ts';
import { hashToken, markerOf, publicId, rotationKey, tokenKey } from '../../src/auth/token.ts';
import { READ_STORES } from '../../src/auth/token-record.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { TestContext } from '../support/stores/memory-snapshot.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR = 3_600_000;

const ORDER: TokenOrder = {
  partner: 'Ski Guide',
  scopes: [READ_STORES, 'items:*:GET'],
  expiresAt: null,
  utm: { utm_source: 'skiguide' },
  note: 'winter',
};

let storage: MemoryTarget;
let store: KvStore;

beforeEach(() => {
  storage = new MemoryTarget();
  store = storage.objects;
});

function keep(hash: string, text: string): void {
  storage.values.set(tokenKey(hash), new TextEncoder().encode(text));
}

/** The same, as it is now: another place, which writes arrive at late. */
function elsewhere(): MemoryTarget {
  const other = storage.fork();
  other.writes.length = 0;
  return other;
}

/** What was written elsewhere arrives here, in the place of what is there. */
function receive({ writes, values }: MemoryTarget): void {
  for (const key of writes) storage.values.set(key, values.get(key) as Uint8Array);
}

function issue(order: TokenOrder = ORDER) {
  storage.time = NOW - HOUR;
  return issueToken(store, 'production', order);
}

function rotate(id: string, overlapHours = 24, now = NOW, from = storage) {
  from.time = now;
  return rotateToken(from.objects, 'production', id, overlapHours);
}

const revoke = async (id: string) => writeRevocation(store, await findToken(store, id));

/** Whether the service admits a token at `now`, an isolate that knows nothing yet. */
async function isAdmitted(token: string, now = NOW): Promise<boolean> {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const text = (key: string) => new TextDecoder().decode(storage.values.get(key)) || null;
  const reader = { get: async (keys: string[]) => new Map(keys.map((key) => [key, text(key)])) };
  const authenticator = new Authenticator(reader, 'production', () => {});
  const headers = new Headers({ 'x-access-token': token });
  try {
    expectValid(await authenticator.authenticate(headers, new TestContext()));
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

/** What lists tell of a token. */
async function listed(id: string) {
  return factsOf(await findToken(store, id), NOW);
}

describe('commands for tokens', () => {
  it('list all, the oldest token first', async () => {
    for (let age = 0; age < 7; age++) {
      storage.time -= 1_000;
      await issueToken(store, 'production', { ...ORDER, partner: `p${age}` });
    }
    const { tokens } = await readTokens(store);
    const partners = tokens.map(({ record }) => record.partner);
    expect(partners).toEqual(partners.toSorted().reverse());
    expect(partners).toHaveLength(7);
  });

  it('call ids that share their first digits ambiguous, and name them', async () => {
    const { record } = await issue();
    storage.values.clear();
    const hashes = ['abcd1', 'abcd2'].map((start) => start.padEnd(64, '0'));
    for (const hash of hashes) keep(hash, sealJson(record));
    await expect(findToken(store, 'abcd')).rejects.toThrow('abcd10000000, abcd20000000');
    expect((await findToken(store, 'abcd2')).hash).toBe(hashes[1]);
  });

  it('keep one demo token, and every token that only looks like one', async () => {
    await issueToken(store, 'development', { ...ORDER, partner: 'demo' });
    await replaceDemoToken(store);
    storage.time += 1_000;
    const latest = await replaceDemoToken(store);
    const { tokens } = await readTokens(store);
    expect(tokens).toHaveLength(2);
    expect(tokens[1]?.id).toBe(latest.id);
  });
});

describe('a rotation', () => {
  it('gives a new secret to the same partner, with the same rights', async () => {
    const old = await issue();
    const { issued } = await rotate(old.id);
    expect(issued.token).not.toBe(old.token);
    expect(markerOf(issued.token)).toBe('live');
    expect(issued.id).toBe(publicId(await hashToken(issued.token)));
    const createdAt = new Date(NOW).toISOString();
    expect(issued.record).toEqual({ ...old.record, createdAt, replaces: old.id });
  });

  it.each([2, 0])('lets both be admitted for %i hours, then the new one only', async (hours) => {
    const old = await issue();
    const { issued, replaced } = await rotate(old.id, hours);
    const end = new Date(NOW + hours * HOUR).toISOString();
    const ends = hours > 0 ? { revokedAt: null, expiresAt: end } : { revokedAt: end };
    expect(replaced).toMatchObject({ id: old.id, ...ends, replacedBy: [issued.id] });
    for (const [token, last] of [
      [old.token, NOW + hours * HOUR],
      [issued.token, Number.POSITIVE_INFINITY],
    ] as const) {
      for (const now of [NOW, NOW + 2 * HOUR - 1, NOW + 2 * HOUR, NOW + 99 * HOUR]) {
        expect(await isAdmitted(token, now)).toBe(now < last);
      }
    }
  });

  it('lengthens no life: an end before that of the overlap stands, for both', async () => {
    const expiresAt = new Date(NOW + HOUR).toISOString();
    const old = await issue({ ...ORDER, expiresAt });
    const { issued, replaced } = await rotate(old.id);
    expect([issued.record.expiresAt, replaced.expiresAt]).toEqual([expiresAt, expiresAt]);
    expect(await isAdmitted(old.token, NOW + HOUR)).toBe(false);
  });

  it('of a token that was rotated before is refused, naming what replaces it', async () => {
    const old = await issue();
    const { issued } = await rotate(old.id);
    const before = new Map(storage.values);
    for (const overlap of [0, 48]) {
      await expect(rotate(old.id, overlap, NOW + HOUR)).rejects.toMatchObject({
        code: 'token_replaced',
        message: expect.stringContaining(`${issued.id} replaces it`),
        details: { id: old.id, replacedBy: [issued.id] },
      });
    }
    expect(storage.values).toEqual(before);
    const next = await rotate(issued.id, 24, NOW + HOUR);
    expect(next.issued.record).toMatchObject({ expiresAt: null });
    expect(await listed(next.issued.id)).toMatchObject({ replaces: issued.id });
  });

  it.each([
    ['revoked', { code: 'token_inactive', details: expect.objectContaining({ state: 'revoked' }) }],
    ['expired', { code: 'token_inactive', details: expect.objectContaining({ state: 'expired' }) }],
    ['damaged', { code: 'token_damaged' }],
  ])('of a token that is %s is refused', async (state, refusal) => {
    const end = new Date(NOW).toISOString();
    const dates = state === 'expired' ? { expiresAt: end } : { revokedAt: end };
    const old = await issue();
    const text = state === 'damaged' ? '{' : sealJson({ ...old.record, ...dates });
    keep(await hashToken(old.token), text);
    const before = new Map(storage.values);
    await expect(rotate(old.id)).rejects.toMatchObject(refusal);
    expect(storage.values).toEqual(before);
  });
});

describe('a revocation', () => {
  it.each([0, 24])(
    'outlasts a rotation with %i h overlap that has not seen it',
    async (overlap) => {
      const old = await issue();
      const other = elsewhere();
      await revoke(old.id);
      const { issued } = await rotate(old.id, overlap, NOW + 1_000, other);
      receive(other);
      expect(await isAdmitted(old.token, NOW + 2_000)).toBe(false);
      expect(await isAdmitted(issued.token, NOW + 2_000)).toBe(true);
      expect(await listed(old.id)).toMatchObject({ state: 'revoked', replacedBy: [issued.id] });
    },
  );

  it('of a token that is in its overlap keeps what replaces it in sight', async () => {
    const old = await issue();
    const { issued } = await rotate(old.id);
    const next = await rotate(issued.id);
    await revoke(issued.id);
    expect(await isAdmitted(issued.token)).toBe(false);
    expect(await isAdmitted(next.issued.token)).toBe(true);
    expect(await listed(issued.id)).toMatchObject({
      state: 'revoked',
      replaces: old.id,
      replacedBy: [next.issued.id],
    });
  });
});

it('two rotations at once both issue a token that works, and the old one names both', async () => {
  const old = await issue();
  const other = elsewhere();
  const first = await rotate(old.id, 2);
  const second = await rotate(old.id, 3, NOW, other);
  receive(other);
  for (const { issued } of [first, second]) expect(await isAdmitted(issued.token)).toBe(true);
  const ids = [first.issued.id, second.issued.id].sort();
  expect([...(await listed(old.id)).replacedBy].sort()).toEqual(ids);
  expect(await isAdmitted(old.token, NOW + 2 * HOUR - 1)).toBe(true);
  expect(await isAdmitted(old.token, NOW + 3 * HOUR)).toBe(false);
});

describe('a rotation that breaks off', () => {
  it.each([0, 24])(
    'before the old one ended (overlap %i h) gives its secret away',
    async (hours) => {
      const old = await issue();
      const hash = await hashToken(old.token);
      const oldKeys = [tokenKey(hash), rotationKey(hash)];
      storage.isOut = (key) => oldKeys.includes(key);
      const { issued, failure } = await rotate(old.id, hours);
      expect(failure).toBe('the power is out');
      expect(await isAdmitted(issued.token)).toBe(true);
      expect(await isAdmitted(old.token)).toBe(true);
      // The next try finds the one that is there.
      storage.isOut = () => false;
      const again = await rotate(old.id, hours);
      expect(again.failure).toBeNull();
      expect([...(await listed(old.id)).replacedBy].sort()).toEqual(
        [issued.id, again.issued.id].sort(),
      );
    },
  );

  it('while the new one is stored leaves the old one working, and names what may be there', async () => {
    const old = await issue();
    storage.isOut = () => true;
    await expect(rotate(old.id, 0)).rejects.toMatchObject({
      code: 'token_unconfirmed',
      message: expect.stringMatching(
        /^token [0-9a-f]{12} may have been stored, and its secret is lost.*the power is out/,
      ),
      details: { id: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
    expect(await isAdmitted(old.token)).toBe(true);
    expect((await findToken(store, old.id)).record.revokedAt).toBeNull();
  });
});
