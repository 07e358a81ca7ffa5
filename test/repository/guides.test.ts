/**
 * Every example of the README, the guides and their programs, and every sample of the documentation, is
 * run as it stands there, against the fixture stores. What a page shows of an answer has to be in the answer; `…` stands for any text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GUIDES } from '../../src/http/paths.ts';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { PROJECT } from '../../web/build/site-folder.ts';
import { codeSamples } from '../../web/docs/code-samples.ts';
import { operations } from '../../web/docs/openapi.ts';
import store from '../../web/openapi/example-store.json' with { type: 'json' };
import { toolWith } from '../support/call-tool.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { installClient } from '../support/installed-client.ts';
import { type Example, examplesOf } from '../support/markdown-examples.ts';
import { describeWith } from '../support/other-languages.ts';
import { askPrepared } from '../support/prepared/ask-prepared.ts';
import type { Service } from '../support/prepared/service.ts';
import { runProcess } from '../support/run-tool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GUIDE_FOLDER = join(PROJECT, 'docs/guides');
const fileOf = (name: string) => (name === 'changelog' ? 'CHANGELOG.md' : `docs/guides/${name}.md`);
const PAGES = ['README.md', ...GUIDES.map(fileOf)];

/** The guide whose examples need a token with attribution. */
const ATTRIBUTION = 'docs/guides/attribution.md';

const textOf = (page: string) => readFileSync(join(PROJECT, page), 'utf8');

const partnerFolder = temporaryFolder();
let served: Service;
let attributed: string;

beforeAll(async () => {
  [served] = await Promise.all([askPrepared('service'), installClient(partnerFolder)]);
  const { json } = toolWith('token', { STORE_DIRECTORY_STATE: served.state });
  const issued = await json(['issue', '--partner', 'Acme', '--utm-source', 'acme']);
  attributed = issued.data.token;
});

/** Commands that ask the service; what a README's reader asks of npm is not among them. */
const isRequest = ({ language, source }: Example) => language !== 'sh' || source.includes('curl');

/** What runs a file of each language. */
const PROGRAMS = { sh: 'bash', ts: process.execPath, python: 'python3', php: 'php' } as const;
type Language = keyof typeof PROGRAMS;

/** Runs programs one after the other, in a folder of their own. @returns what each prints */
async function runAll(
  name: string,
  language: Language,
  sources: readonly string[],
  token: string,
): Promise<string[]> {
  const cwd = join(partnerFolder, name.replaceAll(/\W/g, '-') + language);
  await mkdir(cwd, { recursive: true });
  const env = { BASE_URL: served.origin, TOKEN: token };
  const printed: string[] = [];
  for (const [index, source] of sources.entries()) {
    const file = join(cwd, `${index}.${language}`);
    await writeFile(file, source);
    const { code, stdout, stderr } = await runProcess(PROGRAMS[language], [file], { cwd, env });
    if (code !== 0) throw new Error(`${source}\nends with ${code}: ${stderr}`);
    printed.push(stdout);
  }
  return printed;
}

async function runExamples(page: string, language: Language): Promise<void> {
  const examples = examplesOf(textOf(page)).filter(
    (example) => example.language === language && isRequest(example),
  );
  const sources = examples.map(({ source }) => source);
  const token = page === ATTRIBUTION ? attributed : served.token;
  const printed = await runAll(page, language, sources, token);
  for (const [index, example] of examples.entries()) expectShown(printed[index] ?? '', example);
}

/** The samples of the documentation, which say nothing of what they print. What they invent is replaced. */
async function samplesIn(language: Language): Promise<string[]> {
  const health = await fetch(`${served.origin}/healthz`);
  const { release } = (await health.json()) as { release: string };
  const since = CHANGES_QUERY.shape.since.meta()?.example;
  return operations
    .flatMap(codeSamples)
    .filter((sample) => sample.language === language)
    .map(({ source }) =>
      source.replace(store.slug, `${FIXTURE_STORES[0]?.slug}`).replace(`${since}`, release),
    );
}

async function runSamples(language: Language): Promise<void> {
  const sources = await samplesIn(language);
  expect(sources).toHaveLength(operations.length);
  for (const printed of await runAll('samples', language, sources, served.token)) {
    expect(printed.trim()).not.toBe('');
    // curl ends well whatever the answer is, also when it is a problem.
    expect(printed).not.toMatch(/^{"type":/);
  }
}

function expectShown(printed: string, { source, shown }: Example): void {
  if (shown === null) throw new Error(`${source}\nprints what is not shown: ${printed}`);
  if (shown.language === 'json') {
    const expected = withAnyText(JSON.parse(shown.text));
    expect(JSON.parse(printed), source).toMatchObject(expected as object);
  } else if (shown.language === 'http') {
    for (const line of shown.text.trim().split('\n')) {
      expect(printed.split('\r\n'), source).toContainEqual(textLike(line));
    }
  } else {
    expect(printed, source).toEqual(textLike(shown.text));
  }
}

/** A text in which `…` stands for any other. Names of headers are the same in any case. */
function textLike(text: string) {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return expect.stringMatching(new RegExp(`^${literal.replaceAll('…', '.*')}$`, 'is'));
}

function withAnyText(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('…') ? textLike(value) : value;
  if (Array.isArray(value)) return value.map(withAnyText);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withAnyText(inner)]),
  );
}

const pagesWith = (language: string) =>
  PAGES.filter((page) =>
    examplesOf(textOf(page)).some((example) => example.language === language && isRequest(example)),
  );

function describeExamples(language: Language): void {
  it.each(pagesWith(language))(`of %s run in ${language}`, (page) => runExamples(page, language));
}

describe('the examples', () => {
  describeExamples('sh');
  describeExamples('ts');
  describeWith('python3', () => describeExamples('python'));
  describeWith('php', () => describeExamples('php'));
});

describe('the samples of the documentation', () => {
  it.each(['sh', 'ts'] as const)('run in %s', runSamples);

  describeWith('python3', () => {
    it('run in Python', () => runSamples('python'));

    it('tell in Python why a request is refused', async () => {
      const refused = runAll('refused', 'python', await samplesIn('python'), 'no-token');
      await expect(refused).rejects.toThrow('"code":"token_malformed"');
    });
  });
});

describe('smoke-test.mjs, which tries a deployment', () => {
  /** What deploy.yml runs, and example-job.test.ts where it fails. */
  const tryService = (token: string) => {
    const env = { ADDRESS: served.origin, ACCESS_TOKEN: token };
    return runProcess(process.execPath, [join(PROJECT, 'docs/examples/smoke-test.mjs')], { env });
  };

  it('finds the service well', async () => {
    const { stdout } = await tryService(served.token);
    expect(stdout).toContain(`${served.origin} serves this build`);
    expect(stdout).toContain(`lists ${FIXTURE_STORES.length} stores, such as `);
  });

  it('ends with 1 where its token is refused', async () => {
    expect(await tryService('rsd_sk_test_stranger')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stores?limit=1&fields=id,slug was answered 401'),
    });
  });
});

describe('the guides', () => {
  it('are those in the folder', () => {
    const files = readdirSync(GUIDE_FOLDER).map((file) => `docs/guides/${file}`);
    expect([...files, 'CHANGELOG.md'].sort()).toEqual(PAGES.slice(1).sort());
  });

  it.each(GUIDES)('%s begins with a title', (name) => {
    expect(textOf(fileOf(name))).toMatch(/^# .+\n\n/);
  });

  it('show only what is run', () => {
    const languages = PAGES.slice(1).flatMap((page) =>
      [...textOf(page).matchAll(/^```(\w*)\n/gm)].map(([, language]) => language),
    );
    const known = new Set(['sh', 'ts', 'python', 'php', 'json', 'text', 'http', '']);
    expect(languages.filter((language) => !known.has(language ?? ''))).toEqual([]);
  });
});
