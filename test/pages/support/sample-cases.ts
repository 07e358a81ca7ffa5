/** Every sample of `/docs` is run as it stands there, nothing put in place of anything. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithPython } from '../../support/python.ts';
import type { Scene } from './scene.ts';

const run = promisify(execFile);

/** How a sample of each language is run from a file. */
const PROGRAMS = {
  curl: { program: 'bash', extension: '.sh' },
  typescript: { program: process.execPath, extension: '.ts' },
  python: { program: 'python3', extension: '.py' },
} as const;

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

interface Sample {
  readonly language: keyof typeof PROGRAMS;
  readonly source: string;
}

export function sampleCases(scene: Scene): void {
  let folder: string;
  let samples: Sample[];
  let operations: number;

  beforeAll(async () => {
    const { stage } = scene;
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
    samples = samplesIn(await (await fetch(`${stage.origin}/docs`)).text());
    const document = await (await fetch(`${stage.origin}/openapi.json`)).json();
    operations = Object.keys((document as { paths: object }).paths).length;
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['curl', 'typescript'] as const)('run in %s', runSamples);

  describeWithPython(() => {
    it('run in python', () => runSamples('python'));

    it('tell in Python why a request is refused', () => expectExplained('python'));
  });

  async function runSamples(language: Sample['language']): Promise<void> {
    const own = samplesOf(language);
    expect(own).toHaveLength(operations);
    const outputs = await Promise.all(own.map((sample) => runSample(sample, scene.stage.token)));
    for (const [index, { stdout }] of outputs.entries()) {
      expect(stdout.trim(), own[index]?.source).not.toBe('');
      // curl ends well whatever the answer is, also when it is a problem.
      expect(stdout).not.toMatch(/^{"type":/);
    }
  }

  /** The first sample, with a token that is none, ends with what the service said. */
  async function expectExplained(language: Sample['language']): Promise<void> {
    const [first] = samplesOf(language);
    const ended = runSample(first as Sample, 'no-token');
    await expect(ended).rejects.toMatchObject({
      stderr: expect.stringContaining('"code":"token_malformed"'),
    });
  }

  const samplesOf = (language: Sample['language']): Sample[] =>
    samples.filter((sample) => sample.language === language);

  async function runSample({ language, source }: Sample, token: string) {
    const { program, extension } = PROGRAMS[language];
    const file = join(folder, `${randomUUID()}${extension}`);
    await writeFile(file, source);
    const env = { ...process.env, BASE_URL: scene.stage.origin, TOKEN: token };
    return run(program, [file], { env, maxBuffer: 1 << 26 });
  }
}

function samplesIn(page: string): Sample[] {
  const blocks = page.matchAll(/<div class="code sample (\w+)"><pre[^>]*><code>(.*?)<\/code>/gs);
  return [...blocks].map(([, language, source = '']) => ({
    language: language as Sample['language'],
    source: source.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? ''),
  }));
}
