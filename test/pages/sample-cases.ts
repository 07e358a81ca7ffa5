/** The code of `/docs` is executed as it stands there, in each of its languages. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXAMPLE_STORE } from '../../src/http/openapi/example-store.ts';
import { describeWithPython } from '../node/python.ts';
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
  let slug: string;
  let release: string;

  beforeAll(async () => {
    const { stage } = scene;
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
    samples = samplesIn(await (await fetch(`${stage.origin}/docs`)).text());
    const response = await fetch(`${stage.origin}/v2/external/stores?limit=1`, {
      headers: { 'x-access-token': stage.token },
    });
    const { docs } = (await response.json()) as { docs: [{ slug: string }] };
    slug = docs[0].slug;
    release = response.headers.get('x-snapshot-release') ?? '';
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['curl', 'typescript'] as const)('run in %s', runSamples);

  describeWithPython(() => {
    it('run in python', () => runSamples('python'));
  });

  async function runSamples(language: Sample['language']): Promise<void> {
    const own = samples.filter((sample) => sample.language === language);
    expect(own.length).toBeGreaterThanOrEqual(6);
    const outputs = await Promise.all(own.map(({ source }, index) => runSample(source, index)));
    for (const output of outputs) {
      expect(output.trim()).not.toBe('');
      // curl ends well whatever the answer is, also when it is a problem.
      expect(output).not.toMatch(/^{"type":/);
    }

    async function runSample(source: string, index: number): Promise<string> {
      const { program, extension } = PROGRAMS[language];
      const file = join(folder, `${language}-${index}${extension}`);
      await writeFile(file, onThisService(source));
      const env = { ...process.env, BASE_URL: scene.stage.origin, TOKEN: scene.stage.token };
      return (await run(program, [file], { env, maxBuffer: 1 << 26 })).stdout;
    }
  }

  /** The documented store and release are invented: those of the stage take their places. */
  function onThisService(source: string): string {
    return source
      .replaceAll(EXAMPLE_STORE.slug, slug)
      .replaceAll(/since=[\w-]+/g, `since=${release}`);
  }
}

function samplesIn(page: string): Sample[] {
  const blocks = page.matchAll(/<div class="code sample (\w+)"><pre[^>]*><code>(.*?)<\/code>/gs);
  return [...blocks].map(([, language, source = '']) => ({
    language: language as Sample['language'],
    source: source.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? ''),
  }));
}
