/**
 * Makes the package of the client: its code in one file, its declarations, and no dependency.
 *
 * Declarations are made of a copy of the sources, opening hours and the cache among them, in which the types
 * of the contract are written out, so that none of them leads to the service's own code.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import client from '../../client/package.json' with { type: 'json' };
import { CommandError, cannotWrite } from '../cli/command-error.ts';
import { shellWord } from '../cli/output.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import { contractTypes } from './contract-types.ts';

const execute = promisify(execFile);

const CLIENT_FOLDER = resolve(PROJECT_FOLDER, 'client');

/** Packs the client. @param out absolute path of the folder where the tarball goes; it is made if need be */
export async function run({ out }: { readonly out: string }) {
  const tarball = await packClient(out).catch(cannotWrite(out));
  return {
    data: { tarball },
    text: `Packed ${tarball}\nTo install it: npm install ${shellWord(tarball)}`,
  };
}

/** Returns the path of the tarball. */
async function packClient(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await using work = await mkdtempDisposable(join(tmpdir(), 'client-'));
  const content = join(work.path, 'package');
  await mkdir(content);
  await build({
    entryPoints: [join(CLIENT_FOLDER, 'src/index.ts')],
    outfile: join(content, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'error',
  });
  await writeDeclarations(work.path, content);
  for (const file of ['package.json', 'README.md']) {
    await cp(join(CLIENT_FOLDER, file), join(content, file));
  }
  // Awaited here, while the folder of the content is there.
  return await pack(content, folder);
}

/**
 * Declarations name each other with `.ts`, as sources do: compilers find them from TypeScript 5 on.
 * @throws CommandError client_types when the client does not fit the types of the contract
 */
async function writeDeclarations(work: string, target: string): Promise<void> {
  const sources = join(work, 'src');
  await cp(join(CLIENT_FOLDER, 'src'), sources, { recursive: true });
  for (const folder of ['hours', 'cache']) {
    await cp(resolve(PROJECT_FOLDER, 'src', folder), join(sources, folder), { recursive: true });
  }
  for (const file of await readdir(join(CLIENT_FOLDER, 'src'))) {
    const text = await readFile(join(sources, file), 'utf8');
    await writeFile(join(sources, file), text.replaceAll("'../../src/", "'./"));
  }
  await writeFile(join(sources, 'contract.ts'), contractTypes());
  const config = {
    extends: join(CLIENT_FOLDER, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: 'src',
      outDir: target,
    },
    include: ['src'],
  };
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(config));
  try {
    const compiler = resolve(PROJECT_FOLDER, 'node_modules/typescript/bin/tsc');
    await execute(process.execPath, [compiler, '-p', work]);
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    throw new CommandError('the types of the client have faults', 'client_types', {
      explanation: stdout ?? String(error),
      cause: error,
    });
  }
}

/** Makes the tarball. @returns its path */
async function pack(content: string, folder: string): Promise<string> {
  const order = ['pack', '--ignore-scripts', '--pack-destination', folder];
  // npm is a batch file on Windows, which only a shell runs.
  await execute('npm', order, { cwd: content, shell: process.platform === 'win32' });
  return join(folder, `${client.name}-${client.version}.tgz`);
}
