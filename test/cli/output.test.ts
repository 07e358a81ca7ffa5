/** What is printed: progress, and foreign text, of which nothing is unseen, no command of a job's host, and nothing that a shell runs. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cannotWrite } from '../../scripts/cli/command-error.ts';
import { printText, shellWord, visible } from '../../scripts/cli/output.ts';
import { lineProgress, progressLine } from '../../scripts/cli/progress.ts';
import { cloudflareR2 } from '../../scripts/storage/cloudflare-r2.ts';
import { type EnvironmentConfig, expectIds } from '../../scripts/storage/open-target.ts';
import { callTool } from '../support/call-tool.ts';
import { openApi, openStandIn } from '../support/cloudflare/stage.ts';
import { SNAPSHOTS_ID } from '../support/cloudflare/stand-in.ts';
import { validate } from '../support/faulty-sources.ts';
import { askPrepared } from '../support/prepared/ask-prepared.ts';
import { FOREIGN } from '../support/prepared/installed-client.ts';
import { runProcess } from '../support/run-tool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each([
  ['a byte order mark in a file', '\ufeff{', '\\ufeff{'],
  ['a blank of no width', 'a\u200bb\u2060', 'a\\u200bb\\u2060'],
  ['a joiner where nothing is joined', '5eb3\u200d', '5eb3\\u200d'],
  ['a tag', '\u{e0041}', '\\udb40\\udc41'],
  ['a line end', 'a\n\u2028b', 'a\\u000a\\u2028b'],
  ['what turns text', '\u202eabc', '\\u202eabc'],
  ['letters, emoji and joiners of scripts', 'é 日本 👨‍👩‍👧 1️⃣ نمی‌خواهم', 'é 日本 👨‍👩‍👧 1️⃣ نمی‌خواهم'],
])('%s is shown', (_name, text, shown) => {
  expect(visible(text)).toBe(shown);
});

it.each([
  ['##vso[task.setvariable variable=a]b', '#\\u0023vso[task.setvariable variable=a]b'],
  ['a ##[error]b', 'a #\\u0023[error]b'],
  ['x\n  ::error::y', 'x\n  \\u003a:error::y'],
  ['# 1 [a] b::c', '# 1 [a] b::c'],
])('%s is no command', async (text, shown) => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  await printText(text);
  expect(write).toHaveBeenCalledWith(`${shown}\n`);
});

/** Where commands are pasted: it stays empty. */
const folder = temporaryFolder();

/** The words that a shell makes of a command, after its program, which is not run, and no other. */
async function shellWordsOf(command: string): Promise<string[]> {
  const [program] = command.split(' ');
  const script = `${program}() { printf '%s\\0' "$@"; }\n${command}\n`;
  const { code, stdout, stderr } = await runProcess('/bin/sh', ['-c', script], { cwd: folder });
  expect([code, stderr, await readdir(folder)]).toEqual([0, '', []]);
  return stdout.split('\0').slice(0, -1);
}

/** All that a word of a command can hold: any character but NUL, a shell's own more often. */
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...'\'"\\$`!*?~#;&|<>(){}[]=-% \t\n'), fc.string({ unit: 'binary' })),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

it('a word of a command is what a shell reads it as, and stays one where control characters are printed as escapes', async () => {
  const texts = fc.array(text, { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const words = given.map(shellWord);
      const command = ['say', ...words, ...words.map(visible)].join(' ');
      expect(await shellWordsOf(command)).toEqual([...given, ...given.map(visible)]);
    }),
    // Each starts a shell.
    { numRuns: 10 },
  );
});

it.each(['export.ndjson', '/data/stores-1.json', 'removed=35', 'https://127.0.0.1:8787'])(
  'a word has no quotes where it needs none: %s',
  (plain) => expect(shellWord(plain)).toBe(plain),
);

it('a program that cannot be started is no file that cannot be written', async () => {
  const facts = { code: 'ENOENT', syscall: 'spawn npm', path: 'npm' };
  const error = Object.assign(new Error('failed'), facts);
  await expect(Promise.reject(error).catch(cannotWrite('out'))).rejects.toBe(error);
});

it('the progress line shows the amount where the total is not known', () => {
  const phase = { name: 'Reading', done: 12_345, total: null, unit: 'stores' } as const;
  expect(progressLine(phase, 3)).toBe('Reading  12,345 stores');
});

it('progress without a terminal is a line a minute, also while nothing moves', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const progress = lineProgress((line) => lines.push(line));
  progress.begin('Checking', 10, 'objects');
  vi.advanceTimersByTime(30_000);
  progress.begin('Uploading', 100_000_000, 'bytes');
  progress.update(25_000_000);
  vi.advanceTimersByTime(29_999);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(60_001);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(
    `Uploading  ${'█'.repeat(6)}${'░'.repeat(18)}  25 MB of 100 MB  1 min 30 s left`,
  );
  progress.end();
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(2);
});

const standIn = await openStandIn();

/** The words of the command in a text between two others. */
function wordsIn(text: unknown, before: string, after: string): Promise<string[]> {
  const start = String(text).indexOf(before) + before.length;
  const [command = ''] = String(text).slice(start).split(after);
  return shellWordsOf(command);
}

const CONFIG: EnvironmentConfig = {
  vars: { ENVIRONMENT: 'staging', SNAPSHOT_STORE: 'kv' },
  kv_namespaces: [
    { binding: 'SNAPSHOTS', id: SNAPSHOTS_ID },
    { binding: 'TOKENS', id: FOREIGN },
  ],
  r2_buckets: [{ binding: 'SNAPSHOT_BUCKET', bucket_name: FOREIGN }],
};
const CREATE_NAMESPACE = ['wrangler', 'kv', 'namespace', 'create', FOREIGN];
const CREATE_BUCKET = ['wrangler', 'r2', 'bucket', 'create', FOREIGN];
const bucketIn = (rules?: string) => cloudflareR2(openApi(standIn), FOREIGN, rules).get('a');

it.each<[string, () => unknown, before: string, after: string, words: string[]]>([
  [
    'a namespace that has no id yet',
    () => expectIds(CONFIG),
    ':\n\n  ',
    '\n\ndocs/',
    CREATE_NAMESPACE,
  ],
  ['a bucket that is not there', () => bucketIn(), 'it once: ', '\0', CREATE_BUCKET],
  [
    'the jurisdiction of a bucket',
    () => bucketIn(FOREIGN),
    'it once: ',
    '\0',
    [...CREATE_BUCKET, '--jurisdiction', FOREIGN],
  ],
])(
  'in a command to be pasted, the configuration names %s',
  async (_what, work, before, after, words) => {
    const { message, explanation } = await (async () => work())().then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(await wordsIn([message, explanation].join('\0'), before, after)).toEqual(words);
  },
);

it('in a command to be pasted, a user names the folder of the client', async () => {
  const { folder, printed } = await askPrepared('client');
  const tarball = expect.stringMatching(/^rental-store-directory-client-[\d.]+\.tgz$/);
  const [install, path = ''] = await wordsIn(printed, 'To install it: ', '\0');
  expect([install, dirname(path), basename(path)]).toEqual([
    'install',
    join(folder, FOREIGN),
    tarball,
  ]);
});

describe('in a command to be pasted, a file names the key of its stores', () => {
  const sourceOf = (key: string) =>
    JSON.stringify({ total: 1, [key]: [{ id: 'x', slug: 'y', geo: {} }] });
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
      const { faults } = await validate(`${source}\n`);
      expect(faults).toMatchObject([{ kind: 'invalid_json' }]);
    },
  );
});
