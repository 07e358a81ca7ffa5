/** What `--remote` needs before it asks the network for anything, and what it opens. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../scripts/cli/command-error.ts';
import { readApiAccess } from '../../scripts/storage/api-access.ts';
import { endpointIn } from '../../scripts/storage/cloudflare-r2.ts';
import { openTarget, openTokens } from '../../scripts/storage/open-target.ts';
import { issueToken, rotateToken } from '../../scripts/token/issue-token.ts';
import { readTokens } from '../../scripts/token/stored-token.ts';
import { tokenKey } from '../../src/auth/token.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { setUp } from '../support/cloudflare/remote-config.ts';
import { openStandIn } from '../support/cloudflare/stage.ts';
import { BUCKET, SNAPSHOTS_ID } from '../support/cloudflare/stand-in.ts';
import { refuse } from '../support/cloudflare/stand-in-answer.ts';
import { commandContext } from '../support/command-context.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const standIn = await openStandIn();
const folder = temporaryFolder();

beforeEach(async () => {
  for (const [name, value] of Object.entries(await setUp(standIn, folder))) vi.stubEnv(name, value);
});

async function usageErrorOf(work: () => unknown): Promise<UsageError> {
  const error = await (async () => work())().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  return error as UsageError;
}

describe('the variables', () => {
  const complete = { CLOUDFLARE_API_TOKEN: 'hidden-token', CLOUDFLARE_ACCOUNT_ID: 'account' };

  it('lead to the real API unless told otherwise', () => {
    expect(readApiAccess(complete)).toEqual({
      token: 'hidden-token',
      account: '/accounts/account',
      baseUrl: 'https://api.cloudflare.com/client/v4',
      r2Endpoint: 'https://account.r2.cloudflarestorage.com',
    });
  });

  it.each([
    ['https://api.example.com/v4/', 'https://api.example.com/v4'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://localhost:8080/v4', 'http://localhost:8080/v4'],
    ['http://[::1]:8080/v4', 'http://[::1]:8080/v4'],
  ])('take %s for the API', (url, expected) => {
    expect(readApiAccess({ ...complete, CLOUDFLARE_API_BASE_URL: url }).baseUrl).toBe(expected);
  });

  const needed = 'Workers KV Storage: Edit';

  it.each<[NodeJS.ProcessEnv, message: string, explanation?: string]>([
    [{}, 'CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID', needed],
    [{ CLOUDFLARE_API_TOKEN: 'hidden' }, 'needs CLOUDFLARE_ACCOUNT_ID in the environment', needed],
    [
      { CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_ACCOUNT_ID: 'b' },
      "reaching Cloudflare's platform needs CLOUDFLARE_API_TOKEN",
      needed,
    ],
    ...['hidden…token', 'hidden\ntoken', 'hidden token'].map(
      (token): [NodeJS.ProcessEnv, string] => {
        return [{ ...complete, CLOUDFLARE_API_TOKEN: token }, 'CLOUDFLARE_API_TOKEN'];
      },
    ),
    ...['http://api.example.com', 'ftp://127.0.0.1', 'api.cloudflare.com'].map(
      (url): [NodeJS.ProcessEnv, string] => {
        return [{ ...complete, CLOUDFLARE_API_BASE_URL: url }, 'must be an https URL'];
      },
    ),
  ])('are refused, and the token is not shown: %j', async (variables, words, help = '') => {
    const { message, explanation } = await usageErrorOf(() => readApiAccess(variables));
    expect(message).toContain(words);
    expect(explanation ?? '').toContain(help);
    expect(message + explanation).not.toContain('hidden');
  });
});

describe('the configuration', () => {
  it('is refused while it holds the placeholders of the repository', async () => {
    vi.stubEnv('STORE_DIRECTORY_CONFIG', undefined);
    for (const open of [openTarget, openTokens]) {
      const opening = open({ env: 'production', remote: true }, commandContext());
      await expect(opening).rejects.toMatchObject({
        code: 'ids_missing',
        message: expect.stringContaining('the ids of production: SNAPSHOTS has "snapshots-prod'),
        explanation: expect.stringContaining('kv namespace create snapshots-production'),
      });
    }
    expect(standIn.requests).toEqual([]);
  });

  it.each(['kv', 'r2'])('names the storage: %s', async (store) => {
    const { STORE_DIRECTORY_CONFIG: file } = await setUp(standIn, folder, store);
    vi.stubEnv('STORE_DIRECTORY_CONFIG', file);
    const { site } = await openTarget({ env: 'staging', remote: true }, commandContext());
    const place = store === 'kv' ? `kv ${SNAPSHOTS_ID}` : `r2 ${BUCKET}`;
    expect(site).toEqual({ environment: 'staging', place });
  });

  it('names the jurisdiction of the bucket, which is reached at an endpoint of its own', () => {
    const usual = 'https://a.r2.cloudflarestorage.com';
    expect(endpointIn(usual, 'eu')).toBe('https://a.eu.r2.cloudflarestorage.com');
    expect(endpointIn(usual)).toBe(usual);
  });
});

describe('what is opened', () => {
  const ORDER = {
    partner: 'Vélo ⚡ Łukasz',
    scopes: ['stores:read:GET'],
    expiresAt: null,
    utm: null,
  };

  it('tells of a long wait, and is interrupted in it', async () => {
    const interruption = new AbortController();
    const reason = new Error('interrupted');
    const remarks: string[] = [];
    const remark = (text: string) => {
      remarks.push(text);
      interruption.abort(reason);
    };
    const { objects: target } = await openTarget(
      { env: 'staging', remote: true },
      commandContext({ signal: interruption.signal, remark }),
    );
    standIn.failNext(refuse(429, 971, 'Please wait', { 'retry-after': '300' }));
    await expect(target.get(POINTER_KEY)).rejects.toBe(reason);
    expect(remarks).toEqual([expect.stringMatching(/^waiting 30[01] s: .*Please wait/)]);
  });

  it('ends a rotated token by the clock of the API: that of this machine may be days off', async () => {
    const hour = 3_600_000;
    standIn.now = () => Date.now() + 48 * hour;
    const store = await openTokens({ env: 'staging', remote: true }, commandContext());
    const { id } = await issueToken(store, 'staging', ORDER);
    const { replaced } = await rotateToken(store, 'staging', id, 1);
    const hours = (Date.parse(replaced.expiresAt ?? '') - Date.now()) / hour;
    expect(Math.round(hours)).toBe(49);
  });

  it('reads 50 tokens in one request, beside a list of 1,000 of them', async () => {
    const store = await openTokens({ env: 'staging', remote: true }, commandContext());
    const dates = { createdAt: '2026-11-20T12:00:00Z', revokedAt: null };
    const text = sealJson({ version: 1, ...ORDER, ...dates });
    for (let number = 0; number < 1_001; number++) {
      standIn.tokens.set(tokenKey(String(number).padStart(64, '0')), text);
    }
    const before = standIn.requests.length;
    const { tokens } = await readTokens(store);
    const partners = tokens.map(({ record }) => record.partner);
    expect(partners).toEqual(Array(1_001).fill(ORDER.partner));
    expect(standIn.requests.length - before).toBe(2 + 21);
  });
});
