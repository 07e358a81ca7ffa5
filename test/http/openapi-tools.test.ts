/**
 * The OpenAPI document of a running service in the hands of tools that know nothing of us: a linter,
 * and a generator of clients whose work compiles and runs.
 */
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProcess } from '../support/run-tool.ts';
import { type ServedWorker, serveWorker } from '../support/served-stores.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GENERATOR = resolve(import.meta.dirname, '../generated-client');

const folder = temporaryFolder();
let service: ServedWorker;
let text: string;

beforeAll(async () => {
  service = await serveWorker();
  await service.publish([buildStore(1), buildStore(2), buildStore(3)]);
  text = await (await fetch(`${service.origin}/openapi.json`)).text();
});

afterAll(async () => {
  await service?.close();
});

it('passes the strictest rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const absoluteRef = join(folder, 'x.json');
  const problems = await lintFromString({ source: text, absoluteRef, config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

it('a client made by @hey-api/openapi-ts compiles under strict, and finds the stores of a running service', async () => {
  const document = join(folder, 'openapi.json');
  await writeFile(document, text);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await copyFile(join(GENERATOR, 'partner.ts'), join(folder, 'partner.ts'));
  await copyFile(join(GENERATOR, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  const generate = [join(GENERATOR, 'generate.mjs'), document, join(folder, 'client')];
  const generated = await runProcess(process.execPath, generate, { cwd: folder });
  expect(generated).toMatchObject({ code: 0 });
  const compiler = join(GENERATOR, 'node_modules/typescript/bin/tsc');
  const built = join(folder, 'built');
  const compile = [compiler, '-p', folder, '--outDir', built];
  const { code, stdout } = await runProcess(process.execPath, compile);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  const { viewDirectory } = await import(pathToFileURL(join(built, 'partner.js')).href);
  expect(await viewDirectory(service.origin, await service.issue())).toEqual({
    names: ['Store 3', 'Store 2'],
    distances: [0.134, 0.268, 0.401],
    total: 3,
    firstDay: '*',
    storeCount: 3,
    refusal: expect.objectContaining({ status: 400, code: 'invalid_parameters' }),
    unknown: 'store_unknown',
  });
});
