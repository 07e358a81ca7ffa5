/** What the package of the client holds, and what the compilers of partners say of it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FieldPath, ListQuery } from '../../client/src/index.ts';
import { PROJECT } from '../../web/build/site-folder.ts';
import { clientCode } from '../../web/explore/browser/model/client-code.ts';
import { installClient, manualProgram, PACKAGE } from '../support/installed-client.ts';
import { runProcess } from '../support/run-tool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Bytes of the code, compressed. */
const MAX_BYTES = 40_000;

const BUNDLER = { module: 'ESNext', moduleResolution: 'bundler' };

const partnerFolder = temporaryFolder();
let installed: string;

beforeAll(async () => {
  installed = await installClient(partnerFolder);
});

describe('the package', () => {
  it('needs no other package, and is small', async () => {
    const packages = await readdir(join(partnerFolder, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.'))).toEqual([PACKAGE]);
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    const { length } = gzipSync(await readFile(join(installed, 'index.js')));
    expect(length).toBeLessThan(MAX_BYTES);
  });

  it('declares the stores of the model', async () => {
    const options = {
      ...{ ...BUNDLER, allowImportingTsExtensions: true, skipLibCheck: true },
      ...{ lib: ['ES2024', 'DOM'], types: [] },
    };
    expect(await compile('model', { model: MODEL_PROGRAM }, options)).toEqual(FINE);
  });
});

describe("a partner's program compiles", () => {
  const source = () => readFile(resolve(PROJECT, 'test/client/programs/consumer.ts'), 'utf8');

  it('with a bundler, for browsers; and not, where it is wrong', async () => {
    const options = { ...BUNDLER, lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'], types: [] };
    const right = await source();
    const wrong = right.replaceAll(/\/\/ @ts-expect-error.*/g, '');
    const { code, said } = await compile('browser', { right, wrong }, options);
    expect(code).not.toBe(0);
    expect(said).toContain('Did you mean \'"profile.name"\'?');
    const faults = said.split('\n').filter((line) => line.includes('error TS'));
    expect(faults.filter((line) => !line.includes('wrong.ts('))).toEqual([]);
  });

  it("with nodenext, for Node, as strictly as can be; so do the manual's examples and what /explore shows", async () => {
    const options = {
      ...{ module: 'nodenext', moduleResolution: 'nodenext', lib: ['ES2022'], types: ['node'] },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ verbatimModuleSyntax: true, isolatedModules: true },
    };
    const baseUrl = 'https://stores.example';
    const query: ListQuery<readonly FieldPath[]> = {
      q: 'a\\',
      verticale: { in: ['CAR', 'SKI'] },
      position: { latitude: -2, longitude: 3.5, radius: 4 },
      fields: ['id', 'profile.name', 'geo.location.point'],
    };
    const store = { lang: 'fr', rentalPointSlug: "l'été" };
    const programs = {
      program: await source(),
      manual: await manualProgram(installed),
      list: clientCode({ baseUrl, id: null, query }),
      store: clientCode({ baseUrl, id: 'some-slug', query: store }),
    };
    expect(await compile('node', programs, options)).toEqual(FINE);
  });
});

/** Of a compiler that has found nothing. */
const FINE = { code: 0, said: '' };

/** Compiles programs of a partner, by name, strictly; returns how the compiler ends and what it says. */
async function compile(name: string, programs: Readonly<Record<string, string>>, options: object) {
  const folder = join(partnerFolder, name);
  await mkdir(folder, { recursive: true });
  for (const [program, text] of Object.entries(programs)) {
    await writeFile(join(folder, `${program}.ts`), text);
  }
  const strict = { target: 'ES2022', strict: true, skipLibCheck: false, noEmit: true };
  const typeRoots = [join(PROJECT, 'node_modules/@types')];
  const compilerOptions = { ...strict, typeRoots, ...options };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = resolve(PROJECT, 'node_modules/typescript/bin/tsc');
  // More checkers than one do much of the work twice.
  const args = [compiler, '-p', folder, '--checkers', '1'];
  const { code, stdout, stderr } = await runProcess(process.execPath, args);
  return { code, said: stdout + stderr };
}

/** Each is the other, down to the names of all fields. */
const MODEL_PROGRAM = `
import type { FieldPath, ProblemCode, Store } from '${PACKAGE}';
import type { Store as Model } from '${resolve(PROJECT, 'src/model/store.ts')}';
import type { ProblemCode as Code } from '${resolve(PROJECT, 'src/model/problem.ts')}';

type Inner<T> = T extends readonly (infer E)[] ? Inner<E> : T extends object ? T : never;
type Paths<T> = { [K in keyof T & string]-?: K | ([Inner<T[K]>] extends [never] ? never
  : \`\${K}.\${Paths<Inner<T[K]>>}\`) }[keyof T & string];

export const stores: [(store: Store) => Model, (store: Model) => Store] = [(s) => s, (s) => s];
export const paths: [(path: FieldPath) => Paths<Model>, (path: Paths<Model>) => FieldPath] =
  [(p) => p, (p) => p];
export const codes: [(code: ProblemCode) => Code, (code: Code) => ProblemCode] =
  [(c) => c, (c) => c];
`;
