/** Every sample of the documentation is run as it stands there, nothing put in place of anything. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeSample, codeSamples } from '../../web/docs/code-samples.ts';
import { operations } from '../../web/docs/openapi.ts';
import type { Service } from '../support/prepared/service.ts';
import { describeWithPython } from '../support/python.ts';
import { openService } from './support/stage.ts';

const run = promisify(execFile);

/** How a sample of each language is run from a file. */
const PROGRAMS = {
  sh: { program: 'bash', extension: '.sh' },
  ts: { program: process.execPath, extension: '.ts' },
  python: { program: 'python3', extension: '.py' },
} as const;

const samples = operations.flatMap(codeSamples);

let folder: string;
let service: Service;

beforeAll(async () => {
  [service, folder] = await Promise.all([openService(), mkdtemp(join(tmpdir(), 'samples-'))]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the samples', () => {
  it.each(['sh', 'ts'] as const)('run in %s', expectAnswers);

  describeWithPython(() => {
    it('run in Python', () => expectAnswers('python'));

    it('tell in Python why a request is refused', async () => {
      const sample = samples.find(({ language }) => language === 'python') as CodeSample;
      await expect(runSample(sample, 'no-token')).rejects.toMatchObject({
        stderr: expect.stringContaining('"code":"token_malformed"'),
      });
    });
  });
});

async function expectAnswers(language: CodeSample['language']): Promise<void> {
  const own = samples.filter((sample) => sample.language === language);
  expect(own).toHaveLength(operations.length);
  const outputs = await Promise.all(own.map((sample) => runSample(sample, service.token)));
  for (const [index, { stdout }] of outputs.entries()) {
    expect(stdout.trim(), own[index]?.source).not.toBe('');
    // curl ends well whatever the answer is, also when it is a problem.
    expect(stdout).not.toMatch(/^{"type":/);
  }
}

async function runSample({ language, source }: CodeSample, token: string) {
  const { program, extension } = PROGRAMS[language];
  const file = join(folder, `${randomUUID()}${extension}`);
  await writeFile(file, source);
  const env = { ...process.env, BASE_URL: service.origin, TOKEN: token };
  return run(program, [file], { env, maxBuffer: 1 << 26 });
}
