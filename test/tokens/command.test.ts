import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { markerOf } from '../../src/auth/token.ts';
import { toolWith } from '../support/call-tool.ts';
import { storageFolder } from '../support/kept-storage.ts';

const state = storageFolder();

/** On storage of this file. */
const tool = toolWith('token', { STORE_DIRECTORY_STATE: state });

const token = (...args: string[]) => tool.run(args);

async function json(...args: string[]) {
  const told = await tool.json(args);
  expect(told).toMatchObject({ code: 0, stderr: '' });
  return told.data;
}

describe('the life of a token', () => {
  it('is issued, listed without its secret, and revoked by its public id', async () => {
    const issue = ['issue', '--env', 'production', '--partner', 'Vélo & Co'];
    const scopes = ['--scope', 'stores:*:GET', '--scope', '*:read:GET'];
    const utm = ['--utm-source', 'velo', '--utm-medium', 'map', '--utm-campaign', 'été'];
    const rest = ['--note', 'für Łukasz', '--expires', '2999-12-31'];
    const issued = await json(...issue, ...scopes, ...utm, ...rest);
    expect(markerOf(issued.token ?? '')).toBe('live');

    expect(await json('list', '--env', 'production')).toEqual({
      environment: 'production',
      tokens: [
        {
          id: issued.id,
          state: 'active',
          partner: 'Vélo & Co',
          scopes: ['stores:*:GET', '*:read:GET'],
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          expiresAt: '2999-12-31T00:00:00.000Z',
          revokedAt: null,
          utm: { utm_source: 'velo', utm_medium: 'map', utm_campaign: 'été' },
          note: 'für Łukasz',
          replacedBy: [],
        },
      ],
    });

    const wrongEnvironment = await token('revoke', issued.id);
    expect(wrongEnvironment).toMatchObject({ code: 1 });
    const digits = issued.id.slice(0, 6).toUpperCase();
    const revoked = await json('revoke', digits, '--env', 'production');
    expect(revoked).toMatchObject({ id: issued.id, state: 'revoked' });
    const again = await json('revoke', issued.id, '--env', 'production');
    expect(again).toEqual(revoked);
    const table = await token('list', '--env', 'production');
    expect(table.stdout).toMatch(new RegExp(`^${issued.id}  revoked  Vélo & Co  `, 'm'));
  });

  it('writes the secret to a file of its owner alone, and prints it nowhere', async () => {
    const file = join(state, 'ski.token');
    const issued = await token('issue', '--partner', 'Ski Guide', '--out', file);
    expect(issued).toMatchObject({ code: 0, stderr: '' });
    const secret = (await readFile(file, 'utf8')).trimEnd();
    expect(secret).toMatch(/^rsd_sk_test_[0-9a-f]{48}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(issued.stdout).toContain(file);
    expect(issued.stdout).not.toContain('sk_test_');
    const again = await token('issue', '--partner', 'Ski Guide', '--out', file);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('file already exists'),
    });
    expect((await readFile(file, 'utf8')).trimEnd()).toBe(secret);
    const { tokens } = await json('list');
    const { id } = tokens.findLast((each: { partner: string }) => each.partner === 'Ski Guide');
    const next = join(state, 'next.token');
    const rotated = await json('rotate', id, '--out', next);
    expect(rotated).toMatchObject({ file: next });
    expect(rotated).not.toHaveProperty('token');
    expect(await readFile(next, 'utf8')).toMatch(/^rsd_sk_test_/);
  });

  it('ends after an overlap of up to a year, or when it would have ended anyway', async () => {
    const soon = new Date(Date.now() + 3600_000).toISOString();
    const ends = [];
    for (const terms of [[], ['--expires', soon]]) {
      const { id } = await json('issue', '--partner', 'Ski Guide', ...terms);
      const { stdout } = await token('rotate', id, '--overlap', '8760');
      const [, end = ''] = /which is accepted until (.*)\./.exec(stdout) ?? [];
      const hours = Math.round((Date.parse(end) - Date.now()) / 3600_000);
      ends.push([hours, /^expires +(.*)$/m.exec(stdout)?.[1] === end]);
    }
    expect(ends).toEqual([
      [8_760, false],
      [1, true],
    ]);
  });

  it('leaves no file where no token was issued', async () => {
    const file = join(state, 'none.token');
    expect((await token('rotate', 'ffff', '--out', file)).code).toBe(1);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is printed with what it opens, and masked in the log of a job', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    const { stdout } = await token('issue', '--partner', 'Ski Guide');
    for (const told of ['stores:read:GET', 'development']) expect(stdout).toContain(told);
    const [, secret = ''] = /^::add-mask::(\S+)\n/.exec(stdout) ?? [];
    expect(stdout.split(secret)).toHaveLength(3);
    const { stdout: text, stderr } = await token('issue', '--partner', 'Ski Guide', '--json');
    expect(stderr).toBe(`::add-mask::${JSON.parse(text).token}\n`);
    vi.unstubAllEnvs();
  });
});

describe('wrong usage', () => {
  const issue = ['issue', '--partner', 'Ski Guide'];

  it.each([
    [['issue'], '--partner'],
    [[...issue, '--env', 'prod'], 'development, staging, production'],
    [[...issue, '--scope', 'stores:write:GET'], 'expected stores:read:GET'],
    [[...issue, '--expires', '2020-01-01'], 'has passed'],
    [[...issue, '--expires', '2999-01-01T00:00'], 'expected a date'],
    [[...issue, '--expires', '2999-02-30'], 'expected a date'],
    [['revoke', 'xyz'], '12 hexadecimal digits'],
    [['show', 'abc'], 'the first of them (at least 4;'],
    [['rotate', '0123', '--overlap', '-1'], '--overlap'],
    [['rotate', '0123', '--overlap', 'soon'], '--overlap'],
    [['rotate', '0123', '--overlap', '8761'], '--overlap'],
    [['list', '--remote'], '--remote'],
    [['issue', '--partner', ' \u00a0'], '--partner is blank'],
    [['issue', '--partner', 'a\nb'], '--partner has an invisible character'],
    [['issue', '--partner', 'x'.repeat(201)], 'got 201 characters, expected at most 200'],
    [[...issue, '--note', '\u001b[2J'], '--note has an invisible'],
    [[...issue, '--note', 'x'.repeat(501)], 'at most 500'],
    [[...issue, '--utm-source', '\t'], '--utm-source'],
  ])('ends with 2 and says why: %j', async (args, hint) => {
    const told = await token(...args);
    expect(told).toMatchObject({ code: 2, stdout: '' });
    expect(told.stderr).toContain(hint);
    expect(told.stderr).not.toContain('    at ');
  });

  it('ends with 1 on an unknown id, as JSON too', async () => {
    const { code, data } = await tool.json(['revoke', '00000000beef']);
    expect([code, data.error.code]).toEqual([1, 'token_unknown']);
  });
});
