/** What the commands for tokens leave behind: output, files and storage, also when Cloudflare fails. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { setUp } from '../support/cloudflare/remote-config.ts';
import { openStandIn } from '../support/cloudflare/stage.ts';
import { refuse } from '../support/cloudflare/stand-in-answer.ts';
import { storageFolder } from '../support/kept-storage.ts';

const SECRET = /sk_(?:test|live)_[A-Za-z0-9]{22,}/g;
const HASH = /[0-9a-f]{64}/g;

/** The first token that a text has. */
const tokenIn = (text: string) => text.match(/rsd_sk_test_\w+/)?.[0] ?? '';

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

const standIn = await openStandIn();
const folder = storageFolder();
const variables = {
  ...(await setUp(standIn, folder)),
  STORE_DIRECTORY_STATE: join(folder, 'state'),
};

afterEach(() => vi.restoreAllMocks());

/** What a command writes to its two streams. */
async function run(place: readonly string[], ...args: string[]) {
  const outcome = await callTool('token', [...args, ...place], { env: variables });
  return { ...outcome, all: outcome.stdout + outcome.stderr };
}

/** Issues a token on remote staging. */
async function issue(): Promise<{ id: string; token: string }> {
  const { stdout } = await run(REMOTE, 'issue', '--partner', 'Ski Guide', '--json');
  return JSON.parse(stdout);
}

/** Every file below the folder of the test, with its text byte by byte. */
async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile());
  return Promise.all(paths.map((file) => readFile(join(file.parentPath, file.name), 'latin1')));
}

const REMOTE = ['--env', 'staging', '--remote'];

/** How commands print, for people and for machines. */
const FORMS = [[['--verbose']], [['--verbose', '--json']]];

it.each(FORMS)('commands for tokens print a token once, and no hash: %j', async (form) => {
  const ask = (...args: string[]) => run(REMOTE, ...args, ...form);
  const issued = await ask('issue', '--partner', 'Vélo Map', '--utm-source', 'velo');
  const token = tokenIn(issued.all);
  const hash = hashOf(token);
  const id = hash.slice(0, 12);
  const rotated = await ask('rotate', id);
  const next = tokenIn(rotated.all);
  const nextId = hashOf(next).slice(0, 12);
  for (const { code, stdout, stderr } of [issued, rotated]) {
    expect([code, stdout.match(SECRET)?.length, stderr.match(SECRET)]).toEqual([0, 1, null]);
  }
  expect(next).not.toBe(token);
  const others = [
    await ask('show', id),
    await ask('list'),
    await ask('revoke', nextId),
    await ask('revoke', id),
    await ask('rotate', id),
    // A secret in the place of an id is not repeated.
    await ask('show', token),
    await ask('revoke', token),
  ];
  expect(others.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1, 2, 2]);
  for (const { all } of others) expect(all.match(SECRET)).toBeNull();
  for (const { all } of [issued, rotated, ...others]) expect(all.match(HASH)).toBeNull();
});

describe('commands for tokens, while Cloudflare fails', () => {
  it('print neither a token nor a hash when refused', async () => {
    const refusal = refuse(403, 10_000, 'Authentication error');
    let failures = 0;
    for (const command of ['issue', 'show', 'rotate', 'revoke']) {
      // The request that fails is another one each time: to list, to read, to write.
      for (let passing = 0; ; passing++) {
        standIn.reset();
        const { id } = await issue();
        standIn.failNext(...Array(passing).fill(null), refusal);
        const options = command === 'issue' ? ['--partner', 'X'] : [id];
        const { code, all } = await run(REMOTE, command, ...options, '--verbose');
        if (code === 0) break;
        failures++;
        expect(all.match(HASH), all).toBeNull();
        // Where the old token could not be ended, the new one is there, and printed.
        if (command !== 'rotate') expect(all.match(SECRET), all).toBeNull();
      }
    }
    expect(failures).toBeGreaterThanOrEqual(4);
  });

  it.each(FORMS)('print no hash where a key is lost, or the answer names one: %j', async (form) => {
    // Without chance nothing is waited for.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const ask = (...args: string[]) => run(REMOTE, ...args, ...form);
    const { id, token } = await issue();
    const hash = hashOf(token);
    const failed = [];
    standIn.tokens.losesKey = () => true;
    failed.push(await ask('revoke', id), await ask('issue', '--partner', 'X'));
    // The new token is stored, the end of the old one is not.
    let stored = 0;
    standIn.tokens.losesKey = () => stored++ > 0;
    failed.push(await ask('rotate', id));
    standIn.failNext(refuse(403, 10_000, `token/${hash} is not for you`));
    failed.push(await ask('show', id));
    for (const { code, all } of failed)
      expect([code, all.match(HASH), all]).toEqual([1, null, all]);
    const [revoked, , rotated, shown] = failed.map(({ all }) => all);
    for (const all of [revoked, rotated, shown]) expect(all).toContain(`token/${id}…`);
  });
});

it('no file and no stored value has a token, and hashes are keys of the token store alone', async () => {
  const { stdout } = await run(['--env', 'staging'], 'issue', '--partner', 'Ski Guide');
  const token = tokenIn(stdout);
  const hash = hashOf(token);
  const texts = await files();
  expect(texts.some((text) => text.includes(hash))).toBe(true);
  for (const text of texts) {
    expect(text.match(SECRET)).toBeNull();
    // The database of local KV has the key of each token.
    for (const { index } of text.matchAll(new RegExp(hash, 'g'))) {
      expect(text.slice(Math.max(0, index - 6), index)).toBe('token/');
    }
  }
  standIn.reset();
  await issue();
  expect(standIn.tokens.values.size).toBe(1);
  for (const [key, value] of standIn.tokens.values) {
    expect(key).toMatch(/^token\/[0-9a-f]{64}(\.rotation)?$/);
    const stored = value.toString('latin1');
    expect(stored.match(SECRET) ?? stored.match(HASH)).toBeNull();
  }
  expect(standIn.snapshots.values.size + standIn.bucket.objects.size).toBe(0);
});
