/** Tokens that were never issued: how often storage is asked about them, and which other callers notice. */

import { env as bindings } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { MAX_STALE, RECORD_LIFETIME } from '../../src/auth/authenticator.ts';
import { hashToken, tokenKey } from '../../src/auth/token.ts';
import { networkOf, UNKNOWN_NETWORK } from '../../src/http/admission.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  CHANGES,
  issueToken,
  LIST,
  limiter,
  openStage,
  publishStores,
  type Stage,
} from '../support/worker/harness.ts';

/** Tokens that are looked up for one address in a minute, as wrangler.toml has it. */
const LIMIT = 60;
const MINUTE = 60_000;

/** A token that was never issued. */
const guess = () => generateToken('development');

const UNKNOWN = '401 token_unknown';
const LIMITED = '429 address_limited';

/** Status and code of the answer to a token that comes from `address`. */
async function answer(stage: Stage, token: string, address?: string, path = LIST): Promise<string> {
  const headers = address === undefined ? {} : { 'cf-connecting-ip': address };
  const response = await stage.request(path, { token, headers });
  const { code } = await response.json<{ code?: string }>();
  return code === undefined ? `${response.status}` : `${response.status} ${code}`;
}

/** A stage that limits no address but the ones in `refused`, and the addresses that it has counted. */
function openCounted(...refused: string[]) {
  const keys: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: !refused.includes(key) };
  };
  return { keys, stage: openStage({ GUESS_LIMITER: { limit } }) };
}

describe('a flood of guesses from one address', () => {
  it('is refused once one went over the limit: what comes then asks no storage, whatever it asks for', async () => {
    await publishStores([buildStore()]);
    const { GUESS_LIMITER, TOKENS } = bindings;
    const stage = openStage({ GUESS_LIMITER, TOKENS });
    // The release is in memory, as in any isolate that has served a request.
    await stage.request('/healthz');
    const tokens = vi.spyOn(stage.env.TOKENS, 'get');
    const snapshots = vi.spyOn(stage.env.SNAPSHOTS, 'get');
    const begun = Math.floor(Date.now() / MINUTE);
    const ask = (index: number) => {
      const release = index.toString(16).padStart(16, '0');
      const path = index % 2 === 0 ? LIST : `${CHANGES}?since=1-${release}`;
      return answer(stage, guess(), '198.51.100.7', path);
    };
    const answers: string[] = [];
    const atOnce = 100;
    for (let round = 0; round < 10; round++) {
      answers.push(
        ...(await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(index)))),
      );
    }
    const minutes = Math.floor(Date.now() / MINUTE) - begun + 1;
    expect([...new Set(answers)].sort()).toEqual([UNKNOWN, LIMITED]);
    const refused = answers.filter((each) => each === UNKNOWN).length;
    expect(refused).toBeGreaterThanOrEqual(LIMIT);
    expect(refused).toBeLessThanOrEqual(LIMIT * minutes);
    // Those that were under way when one went over the limit were asked for, too.
    const asked = new Set(tokens.mock.calls.map(([keys]) => String(keys)));
    expect(asked.size).toBeLessThanOrEqual(atOnce * minutes);
    expect(snapshots).not.toHaveBeenCalled();
  });

  it('keeps a good token out that is not in memory, without a read, at that address alone', async () => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    const { stage } = openCounted('192.0.2.1');
    expect(await answer(stage, guess(), '192.0.2.1')).toBe(LIMITED);
    const read = vi.spyOn(stage.env.TOKENS, 'get');
    expect(await answer(stage, token, '192.0.2.1')).toBe(LIMITED);
    expect(read).not.toHaveBeenCalled();
    expect(await answer(stage, token, '192.0.2.2')).toBe('200');
    // It is in memory now.
    expect(await answer(stage, token, '192.0.2.1')).toBe('200');
  });
});

it('a refusal for guessing says how long to wait, and is a problem as all others are', async () => {
  const stage = openStage({ GUESS_LIMITER: limiter(false), GUESS_LIMIT_PERIOD: '10' });
  const response = await stage.request(LIST, { token: guess() });
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('10');
  expect(response.headers.get('ratelimit-policy')).toBeNull();
  expect(await response.json()).toMatchObject({
    type: '/docs/problems/address_limited',
    detail: expect.stringContaining('Wait 10 seconds.'),
  });
});

describe('what is counted', () => {
  it('is a look-up that found nothing, and no good token', async () => {
    await publishStores([buildStore()]);
    const { keys, stage } = openCounted();
    const [good, bad] = [await issueToken(), guess()];
    // That there is no record of it is remembered for a while: it is looked up once.
    for (const token of [good, good, bad, bad, bad, guess()]) {
      await answer(stage, token, '2001:db8:1:2::7');
    }
    expect(keys).toEqual(Array(2).fill('2001:db8:1:2::/64'));
  });

  const DAMAGED = guess();

  it.each([
    ['token_missing', ''],
    ['token_malformed', 'nonsense'],
    ['token_wrong_environment', generateToken('production')],
    ['token_unknown', DAMAGED],
  ])('is nothing of %s, if storage was not asked or has a damaged record', async (code, token) => {
    storage.write(tokenKey(await hashToken(DAMAGED)), 'damaged');
    const { keys, stage } = openCounted();
    expect(await answer(stage, token)).toBe(`401 ${code}`);
    expect(keys).toEqual([]);
  });

  it.each([RECORD_LIFETIME, 2 * MAX_STALE])(
    'is no token whose record was read %i ms ago, and a limit does not keep it out',
    async (age) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      await publishStores([buildStore()]);
      const limit = vi.fn(async () => ({ success: false }));
      const stage = openStage({ GUESS_LIMITER: { limit }, GUESS_LIMIT_PERIOD: '3600' });
      const read = vi.spyOn(stage.env.TOKENS, 'get');
      const token = await issueToken();
      expect(await answer(stage, token)).toBe('200');
      expect(await answer(stage, guess())).toBe(LIMITED);
      vi.setSystemTime(Date.now() + age);
      expect(await answer(stage, token)).toBe('200');
      expect(read).toHaveBeenCalledTimes(3);
      expect(limit).toHaveBeenCalledTimes(1);
    },
  );

  it('is the same token from two addresses twice: neither speaks for the other', async () => {
    const { keys, stage } = openCounted('192.0.2.1');
    const token = guess();
    const ask = (address: string) => answer(stage, token, address);
    const answers = await Promise.all([ask('192.0.2.1'), ask('192.0.2.2'), ask('192.0.2.1')]);
    expect(answers).toEqual([LIMITED, UNKNOWN, LIMITED]);
    expect(keys.sort()).toEqual(['192.0.2.1', '192.0.2.2']);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  [null, UNKNOWN_NETWORK],
  ['', UNKNOWN_NETWORK],
  ['1:2:3:4:5:6:7', UNKNOWN_NETWORK],
  ['1:'.repeat(40), UNKNOWN_NETWORK],
])('the network of %o is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
