/** Tokens that nobody has issued: how often storage is asked about them, and who else notices. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { RECORD_LIFETIME, STALE_LIMIT } from '../../src/auth/authenticator.ts';
import { networkOf, UNKNOWN_NETWORK } from '../../src/auth/network.ts';
import { generateToken } from '../../src/auth/token.ts';
import { buildStore } from '../shared/store-builder.ts';
import { stage as authenticatorStage, issue } from './authenticator-stage.ts';
import { issueToken, newAddress, openStage, publishStores, type Stage } from './harness.ts';

const LIST = '/v2/external/stores';
const CHANGES = '/v2/external/changes';

/** Tokens that are looked up for one address in a minute, as wrangler.toml has it. */
const LIMIT = 60;
const MINUTE = 60_000;

let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
  return reset();
});

/** Status and code of the answer to a token that comes from `address`. */
async function answer(stage: Stage, token: string, address?: string, path = LIST): Promise<string> {
  const headers = address === undefined ? {} : { 'cf-connecting-ip': address };
  const response = await stage.request(path, { token, headers });
  const { code } = await response.json<{ code?: string }>();
  return code === undefined ? `${response.status}` : `${response.status} ${code}`;
}

/** Guesses from `address` until one is refused unseen: the minute may end meanwhile. */
async function useUp(stage: Stage, address: string): Promise<void> {
  const guess = () => answer(stage, generateToken('development'), address);
  while ((await guess()) !== '429 address_limited') {
    await Promise.all(Array.from({ length: LIMIT }, guess));
  }
}

/** What `ask` gives at an address that has used up its allowance, however often minutes end. */
async function whileUsedUp<Value>(stage: Stage, address: string, ask: () => Promise<Value>) {
  for (;;) {
    await useUp(stage, address);
    const minute = Math.floor(Date.now() / MINUTE);
    const value = await ask();
    if (Math.floor(Date.now() / MINUTE) === minute) return value;
  }
}

describe('a flood of guesses from one address', () => {
  it('asks storage at most as often as the limit allows, whatever is asked for', async () => {
    await publishStores([buildStore()]);
    const stage = openStage();
    // The release is in memory, as it is wherever anybody is served.
    await stage.request('/healthz');
    const tokens = vi.spyOn(stage.env.TOKENS, 'get');
    const snapshots = vi.spyOn(stage.env.SNAPSHOTS, 'get');
    const begun = Math.floor(Date.now() / MINUTE);
    const guess = (index: number) => {
      const release = index.toString(16).padStart(16, '0');
      const path = index % 2 === 0 ? LIST : `${CHANGES}?since=1-${release}`;
      return answer(stage, generateToken('development'), '198.51.100.7', path);
    };
    const counts = new Map<string, number>();
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => guess(i + round)));
      for (const each of answers) counts.set(each, (counts.get(each) ?? 0) + 1);
    }
    const minutes = Math.floor(Date.now() / MINUTE) - begun + 1;
    const refused = counts.get('401 token_unknown') ?? 0;
    expect([...counts.keys()].sort()).toEqual(['401 token_unknown', '429 address_limited']);
    expect(refused + (counts.get('429 address_limited') ?? 0)).toBe(2_000);
    expect(refused).toBeGreaterThanOrEqual(LIMIT);
    expect(refused).toBeLessThanOrEqual(LIMIT * minutes);
    expect(tokens.mock.calls.length).toBeLessThanOrEqual(LIMIT * minutes);
    // One read for the name of a made-up release, and now and then one for the pointer.
    expect(snapshots.mock.calls.length).toBeLessThanOrEqual(2 * LIMIT * minutes);
  });

  it('leaves tokens in memory alone, there and elsewhere', async () => {
    await publishStores([buildStore()]);
    const [known, elsewhere] = [await issueToken(), await issueToken()];
    const stage = openStage();
    const address = newAddress();
    expect(await answer(stage, known, address)).toBe('200');
    expect(await answer(stage, elsewhere, '203.0.113.5')).toBe('200');
    const read = vi.spyOn(stage.env.TOKENS, 'get');
    const answers = await whileUsedUp(stage, address, async () => {
      read.mockClear();
      return [await answer(stage, known, address), await answer(stage, elsewhere, '203.0.113.5')];
    });
    expect(answers).toEqual(['200', '200']);
    expect(read).not.toHaveBeenCalled();
  });

  it('keeps a good token out that is not in memory, at that address alone', async () => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    const stage = openStage();
    const answers = await whileUsedUp(stage, '198.51.100.9', async () => [
      await answer(openStage(), token, '198.51.100.9'),
      await answer(openStage(), token, '198.51.100.10'),
    ]);
    expect(answers).toEqual(['429 address_limited', '200']);
  });

  it('counts an IPv6 network as one address', async () => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    const stage = openStage();
    const network = newAddress().replace('::1', '');
    const answers = await whileUsedUp(stage, `${network}::1`, async () => [
      await answer(openStage(), token, `${network}:a:b:c:d`),
      await answer(openStage(), token, newAddress()),
    ]);
    expect(answers).toEqual(['429 address_limited', '200']);
  });
});

describe('a refusal for guessing', () => {
  it('says how long to wait, and is a problem as all others are', async () => {
    const limit = async () => ({ success: false });
    const stage = openStage({ GUESS_LIMITER: { limit }, GUESS_LIMIT_PERIOD: '10' });
    const response = await stage.request(LIST, { token: generateToken('development') });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit-policy')).toBeNull();
    expect(await response.json()).toMatchObject({
      type: '/docs/problems/address_limited',
      detail: expect.stringContaining('Wait 10 seconds.'),
    });
  });

  it.each([
    ['token_missing', undefined],
    ['token_malformed', 'nonsense'],
    ['token_wrong_environment', generateToken('production')],
  ])('never takes the place of %s, which asks no storage', async (code, token) => {
    const limit = vi.fn(async () => ({ success: false }));
    const stage = openStage({ GUESS_LIMITER: { limit } });
    const response = await stage.request(LIST, token === undefined ? {} : { token });
    expect(await response.json()).toMatchObject({ status: 401, code });
    expect(limit).not.toHaveBeenCalled();
  });
});

describe('what is counted', () => {
  /** A stage whose limiter notes by what it counts, and a way to ask with a token. */
  function watched() {
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: true };
    };
    return { keys, stage: openStage({ GUESS_LIMITER: { limit } }) };
  }

  it('is an unknown token each time, and a good one until it is in memory', async () => {
    await publishStores([buildStore()]);
    const { keys, stage } = watched();
    const [good, bad] = [await issueToken(), generateToken('development')];
    for (const token of [good, good, good, bad, bad, bad]) {
      await answer(stage, token, '192.0.2.7');
    }
    expect(keys).toEqual(Array(4).fill('192.0.2.7'));
  });

  it('is no token whose record is due for renewal, however old it is', async () => {
    const { enter, background, clock, tokens } = authenticatorStage();
    const count = vi.spyOn(background, 'countGuess');
    const token = await issue();
    await enter(token);
    for (const age of [RECORD_LIFETIME, 2 * STALE_LIMIT]) {
      clock.now += age;
      await enter(token);
    }
    expect(tokens.reads).toBe(3);
    expect(count).toHaveBeenCalledTimes(1);
  });

  it('is a crowd of first requests with one token once', async () => {
    await publishStores([buildStore()]);
    const stage = openStage();
    const count = vi.spyOn(stage.env.GUESS_LIMITER, 'limit');
    const read = vi.spyOn(stage.env.TOKENS, 'get');
    const token = await issueToken();
    const address = newAddress();
    const ask = () => answer(stage, token, address);
    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, ask));
    expect(new Set(answers)).toEqual(new Set(['200']));
    expect(count).toHaveBeenCalledTimes(1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is the same token from two addresses twice: neither speaks for the other', async () => {
    await publishStores([buildStore()]);
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: key === '192.0.2.2' };
    };
    const stage = openStage({ GUESS_LIMITER: { limit } });
    const token = await issueToken();
    const ask = (address: string) => answer(stage, token, address);
    const answers = await Promise.all([ask('192.0.2.1'), ask('192.0.2.2'), ask('192.0.2.1')]);
    expect(answers).toEqual(['429 address_limited', '200', '429 address_limited']);
    expect(keys).toEqual(['192.0.2.1', '192.0.2.2']);
  });

  it('is nothing while the limiter fails: the request passes, and the log says so', async () => {
    await publishStores([buildStore()]);
    const limit = async () => Promise.reject(new Error('limiter is down'));
    const stage = openStage({ GUESS_LIMITER: { limit } });
    expect(await answer(stage, await issueToken())).toBe('200');
    expect(await answer(stage, generateToken('development'))).toBe('401 token_unknown');
    const events = errors.mock.calls.map(([text]) => JSON.parse(String(text)).event);
    expect(events).toEqual(['guess_limiter_failed', 'guess_limiter_failed']);
  });
});

describe('a network', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    [null, UNKNOWN_NETWORK],
    ['', UNKNOWN_NETWORK],
    ['unknown', UNKNOWN_NETWORK],
    ['1:2:3:4:5:6:7', UNKNOWN_NETWORK],
    ['1:2:3:4:5:6:7:8:9', UNKNOWN_NETWORK],
    ['1:2:3:4::5:6:7:8', UNKNOWN_NETWORK],
    ['1::2::3', UNKNOWN_NETWORK],
    ['12345::1', UNKNOWN_NETWORK],
    ['1:'.repeat(40), UNKNOWN_NETWORK],
  ])('of %o is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

it('is bound in this runtime as wrangler.toml has it', async () => {
  const key = newAddress();
  const counts = await Promise.all(
    Array.from({ length: 3 * LIMIT }, () => env.GUESS_LIMITER.limit({ key })),
  );
  expect(counts.filter(({ success }) => success).length).toBeGreaterThanOrEqual(LIMIT);
  expect(counts.filter(({ success }) => !success).length).toBeGreaterThan(0);
});

it('is counted anew when the request that was to count it is lost', async () => {
  const { enter, background } = authenticatorStage();
  const token = await issue();
  const count = vi.spyOn(background, 'countGuess');
  count.mockReturnValueOnce(new Promise(() => {}));
  void enter(token);
  expect(await enter(token)).toBeDefined();
  expect(count).toHaveBeenCalledTimes(2);
});
