/** Commands that are shown to be pasted name what a file, a configuration or a user says: a shell runs none of it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectIds } from '../../scripts/deploy/deploy-worker.ts';
import { cloudflareR2 } from '../../scripts/storage/cloudflare-r2.ts';
import { namespaceOf } from '../../scripts/storage/remote-place.ts';
import { callTool } from '../support/call-tool.ts';
import { openApi, openStandIn } from '../support/cloudflare/stage.ts';
import { validate } from '../support/faulty-sources.ts';
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

describe('a file names the key of its stores', () => {
  const sourceOf = (key: string) => JSON.stringify({ total: 1, [key]: [{ id: 'x' }] });
  const KEYS = [
    ...['stores', '_2', 'store-list', '$values', 'a b', '1a', '2', 'été', '', '.', 'a.b', 'a]b'],
    ...['a"b', "a'b", 'a\\b', 'a\\', '\\(env)', '`touch pwned`', '$(touch pwned)', 'a\\"', '🚲'],
    ...['\n', '\0', '\u001b[2J', '\u007f', '\u009b', '\u202e', '\u2028', '__proto__', '@base64'],
    ...['#[group]', '::add-mask::x', 'k'.repeat(100), FOREIGN],
  ];

  /** The keys that the advised paths of jq lead to. */
  async function keysIn(reports: readonly unknown[]): Promise<string[]> {
    const commands = reports.map((each) => /jq .* FILE/.exec(String(each))?.[0]);
    const words = await wordsIn(commands.join('\n'), '', '\0');
    return commands.map((_, index) => {
      const [option, path = '', file] = words.slice(3 * index, 3 * index + 3);
      expect([option, file]).toEqual(['-c', 'FILE']);
      expect(path).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      const [, name, text = ''] = /^\.(?:([A-Za-z_]\w*)|(".*"))\[\]$/.exec(path) ?? [];
      // A string of JSON is one of jq: what jq would read otherwise, `\(…)`, JSON refuses.
      return name ?? JSON.parse(text);
    });
  }

  const adviceFor = async (key: string) => (await validate(sourceOf(key))).faults[0]?.message;

  it('in a path that jq reads as that key', async () => {
    const any = fc.string({ unit: 'binary' }).filter((each) => each !== 'id');
    const keys = fc.array(any, { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(keys, async (given) => {
        expect(await keysIn(await Promise.all(given.map(adviceFor)))).toEqual(given);
      }),
      // Each starts a shell.
      { numRuns: 10, examples: [[KEYS]] },
    );
    const half = await adviceFor('a\ud800');
    // jq reads another character in the place of half a pair.
    expect(await keysIn([half])).toEqual(['a\ufffd']);
  });

  it.each(["a'; touch pwned; echo '", '\u001b[2J\n::stop', 'a#[group]'])(
    'and prints it so: %j',
    async (key) => {
      const stdin = sourceOf(key);
      const { stdout } = await callTool('snapshot', ['validate', '--source', '-'], { stdin });
      expect(await keysIn([stdout])).toEqual([key]);
      expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}|#\[/u);
    },
  );

  it.each(['{"a\tb":[{"id":"x"}]}', '{"a\\xb":[{"id":"x"}]}'])(
    'unless it is no JSON, which jq does not read either: %j',
    async (source) => {
      const { faults } = await validate(source);
      expect(faults).toMatchObject([{ kind: 'invalid_json' }]);
    },
  );
});
