/** Whom the front door lets in: tokens, scopes and allowances. The rules are tested beside src/auth. */
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { buildStore } from '../support/stores/store-builder.ts';
import {
  issueToken,
  LIST,
  openService,
  openStage,
  publishStores,
} from '../support/worker/harness.ts';

it('a token without the scope is told which one it lacks', async () => {
  const token = await issueToken({ scopes: ['items:*:*'] });
  const refused = await openStage().request(LIST, { token });
  const detail = expect.stringContaining('stores:read:GET');
  expect(await refused.json()).toMatchObject({ status: 403, detail });
});

describe('an allowance', () => {
  it('is told with every answer to a good token', async () => {
    const { ask } = await openService();
    for (const path of [LIST, `${LIST}/store-1`, `${LIST}/nobody`, `${LIST}?limit=x`]) {
      const { headers } = await ask(path);
      expect(headers.get('ratelimit-policy'), path).toBe('"default";q=6000;w=60');
    }
  });

  it('that is used up is a 429 with Retry-After, asking the limiter about the public id only', async () => {
    const token = await issueToken();
    const limit = vi.fn(async () => ({ success: false }));
    const stage = openStage({ RATE_LIMITER: { limit }, RATE_LIMIT_PERIOD: '10' });
    const response = await stage.request(LIST, { token });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(limit).toHaveBeenCalledExactlyOnceWith({ key: expect.stringMatching(/^[0-9a-f]{12}$/) });
  });

  it('is for each token by itself, in the real binding', async () => {
    await publishStores([buildStore()]);
    const [one, other] = [await issueToken(), await issueToken()];
    const { FEW_REQUESTS } = env as unknown as { FEW_REQUESTS: RateLimit };
    const stage = openStage({ RATE_LIMITER: FEW_REQUESTS });
    const ask = async () => (await stage.request(LIST, { token: one })).status;
    expect(await ask()).toBe(200);
    // The minute may end in the middle, and another begin.
    while ((await ask()) !== 429);
    expect((await stage.request(LIST, { token: other })).status).toBe(200);
  });
});
