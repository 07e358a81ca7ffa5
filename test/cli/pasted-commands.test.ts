/** Commands that are shown to be pasted name what a configuration or a user says: a shell runs none of it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectIds } from '../../scripts/deploy/expectations.ts';
import { cloudflareR2 } from '../../scripts/storage/cloudflare-r2.ts';
import { namespaceOf } from '../../scripts/storage/remote-place.ts';
import { callTool } from '../support/call-tool.ts';
import { openApi, openStandIn } from '../support/cloudflare/stage.ts';
import { shellWordsOf } from '../support/shell-words.ts';

/** Pasted as it is, or in quotes of either kind, it makes a file. */
const FOREIGN = `a'; touch pwned; echo '"; touch pwned; $(touch pwned) \`touch pwned\` #\n touch pwned`;

const standIn = await openStandIn();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pasted-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The words of the command in a text between two others, which nothing else is run for. */
async function wordsIn(text: unknown, before: string, after: string): Promise<string[]> {
  const start = String(text).indexOf(before) + before.length;
  const [command = ''] = String(text).slice(start).split(after);
  const words = await shellWordsOf(command, folder);
  expect(await readdir(folder)).toEqual([]);
  return words;
}

async function errorOf(work: () => unknown): Promise<{ message: string; explanation: string }> {
  return (async () => work())().then(
    () => expect.unreachable(),
    (error) => error,
  );
}

describe('the configuration names', () => {
  const TOKENS = { binding: 'TOKENS', id: FOREIGN };
  const vars = { ENVIRONMENT: 'staging' };
  const config = { vars, kv_namespaces: [TOKENS], r2_buckets: [], routes: [] };
  const created = ['wrangler', 'kv', 'namespace', 'create', FOREIGN];

  it('a namespace that has no id yet', async () => {
    const { explanation } = await errorOf(() => namespaceOf(config, 'TOKENS'));
    expect(await wordsIn(explanation, 'once: ', '\nThen put')).toEqual(created);
  });

  it('a namespace that a deployment needs', async () => {
    const { explanation } = await errorOf(() => expectIds(config));
    expect(await wordsIn(explanation, ':\n\n  ', '\n\ndocs/')).toEqual(created);
  });

  it.each([null, FOREIGN])('a bucket that is not there, in the jurisdiction %j', async (rules) => {
    const ledger = cloudflareR2(openApi(standIn), FOREIGN, rules);
    const { message } = await errorOf(() => ledger.get('a'));
    const option = rules === null ? [] : ['--jurisdiction', rules];
    const words = await wordsIn(message, 'create it once: ', '\0');
    expect(words).toEqual(['wrangler', 'r2', 'bucket', 'create', FOREIGN, ...option]);
  });
});

it('a user names the folder of the client', async () => {
  const out = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    const { stdout } = await callTool('client', ['--out', join(out, FOREIGN)]);
    const [, tarball = '', ...others] = await wordsIn(stdout, 'To install it: ', '\0');
    expect(others).toEqual([]);
    expect(await readdir(join(out, FOREIGN))).toEqual([tarball.split('/').at(-1)]);
  } finally {
    await rm(out, { recursive: true });
  }
});
