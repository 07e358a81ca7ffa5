/** No token, and no whole hash of one, leaves the service: not in answers, and not in logs. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { generateToken } from '../../scripts/token/new-token.ts';
import { redact } from '../../src/auth/redact.ts';
import { hashToken, publicId, rotationKey, tokenKey } from '../../src/auth/token.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  CHANGES,
  issueToken,
  LIST,
  limiter,
  openStage,
  publishStores,
  type RequestOptions,
  type Stage,
} from '../support/worker/harness.ts';

/** Everything that the console was given. */
let written: string[];

beforeEach(() => {
  written = [];
  for (const method of ['log', 'error', 'warn', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...texts: unknown[]) => {
      written.push(texts.map(String).join(' '));
    });
  }
});

/** Headers and body of an answer. */
async function shown(stage: Stage, path: string, options?: RequestOptions): Promise<string> {
  const response = await stage.request(path, options);
  return `${[...response.headers].join('\n')}\n${await response.text()}`;
}

/** `text` with every escape undone, however often it was made. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain === text ? text : decoded(plain);
}

/** Encodings of a token that its reader undoes. */
function writings(token: string): string[] {
  const encode = (text: string) =>
    [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
  const encoded = encode(token);
  const bare = token.slice(token.indexOf('sk_'));
  return [
    `sk_test_${bare}`,
    `task_test_${bare}`,
    `sk_live_sk_test_${token}`,
    token,
    token.replaceAll('_', '%5F'),
    token.replaceAll('_', '%25255f'),
    encoded,
    encoded.replaceAll('%', '%25'),
    encode(encoded),
    token.replaceAll('_', '%25%35%46'),
    token.replace('k', '%25%36%62'),
    token.replace(/.{10}$/, encoded.slice(-30)),
    `x${token}.y`,
  ];
}

/** Where a caller puts a token by mistake. */
function misplaced(text: string): [path: string, options?: RequestOptions][] {
  return [
    [`${LIST}/${text}`],
    [`${LIST}/store-1?rentalPointSlug=${text}`],
    [`${LIST}?${text}=1&fields=${text}&sort=${text}&lang=${text}&id.in=${text}&limit=${text}`],
    [`${CHANGES}?since=${text}&until=${text}`],
    [`/v3/${text}`],
    [`/docs/problems/${text}`, { method: 'POST' }],
    [`/healthz?ran-within=${text}`],
    [`/${'a'.repeat(1_000)}${text}`],
    [LIST, { headers: { 'x-request-id': text } }],
    [LIST, { headers: { 'if-none-match': `"${text}"`, 'accept-language': text } }],
    [LIST, { headers: { authorization: `Bearer ${text}`, cookie: `token=${text}` } }],
  ];
}

/** Kinds of tokens that are presented, each with what is stored of it. */
async function presented(): Promise<string[]> {
  const past = '2026-01-02T00:00:00Z';
  const damaged = generateToken('development');
  storage.write(tokenKey(await hashToken(damaged)), 'no JSON');
  const rotated = await issueToken();
  const rotation = { version: 1, rotatedAt: past, until: past };
  storage.write(rotationKey(await hashToken(rotated)), rotation);
  return [
    await issueToken({ utm: { utm_source: 'acme' } }),
    await issueToken({ revokedAt: past }),
    await issueToken({ expiresAt: past }),
    await issueToken({ scopes: ['items:read:GET'] }),
    generateToken('development'),
    generateToken('production'),
    damaged,
    rotated,
  ];
}

/** Storage and limiters that fail, telling in their errors all that they know. */
async function brokenStages(token: string): Promise<Stage[]> {
  const key = tokenKey(await hashToken(token));
  const fail = async () => Promise.reject(new Error(`GET ${key} failed for ${token}`));
  const namespace = { get: fail } as unknown as KVNamespace;
  return [
    openStage({ TOKENS: namespace }),
    openStage({ SNAPSHOTS: namespace }),
    openStage({ RATE_LIMITER: { limit: fail } }),
    openStage({ GUESS_LIMITER: { limit: fail } }),
    openStage({ ENVIRONMENT: 'moon' }),
    openStage({ GUESS_LIMITER: limiter(false) }),
  ];
}

it('what the service tells holds no token and no whole hash, whatever is sent and whatever fails', async () => {
  await publishStores([buildStore()]);
  const tokens = await presented();
  const [good = ''] = tokens;
  const stage = openStage();
  const answers: string[] = [];
  for (const token of tokens) {
    for (const [path, options] of misplaced(token)) {
      answers.push(await shown(stage, path, { ...options, token }));
    }
    answers.push(await shown(stage, LIST, { token }));
    answers.push(await shown(stage, LIST, { headers: { 'x-api-key': token }, token: good }));
  }
  for (const text of writings(good)) {
    for (const [path, options] of misplaced(text)) {
      answers.push(await shown(stage, path, { ...options, token: good }));
    }
  }
  for (const broken of await brokenStages(good)) {
    answers.push(await shown(broken, LIST, { token: good }));
  }
  const told = [...answers, ...written].map(decoded).join('\n');
  for (const token of tokens) {
    expect(told).not.toContain(token.slice(token.lastIndexOf('_') + 1));
    expect(told).not.toContain(await hashToken(token));
  }
  // It was looked at: the log names good tokens by their public ids.
  expect(told).toContain(`"token":"${publicId(await hashToken(good))}"`);
  expect(written.length).toBeGreaterThan(answers.length);
});

describe('redacted text', () => {
  const secret = 'A1b2'.repeat(8);
  const token = `rsd_sk_live_${secret}`;

  it('is nothing of a text in which escapes are hidden in many levels', () => {
    const hidden = `${'%3'.repeat(40)}%35${token}`;
    expect(redact(`/a/${hidden}`)).toBe('unreadable');
    const levels = 7;
    let text = 'a_b';
    for (let level = 0; level < levels; level++) text = text.replaceAll('_', '%5F');
    expect(redact(text)).toBe(text);
  });

  it.each(['/v2/%41%5Fb', '/%', '%zz%25', 'task_test', '/é%C3%A9', `object/${'ab'.repeat(32)}`])(
    'stays as it is without one: %s',
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});
