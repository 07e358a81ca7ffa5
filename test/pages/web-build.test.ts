/** What builds the pages: quick when there is nothing to do, and safe beside another build. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withBuildFolder } from '../../web/build/build-folder.ts';
import { replaceFiles } from '../../web/build/replace-files.ts';
import { PROJECT } from '../../web/build/site-folder.ts';
import { runProcess } from '../support/run-tool.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-build-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('with nothing to do, the build command says so, and loads no package and nothing that builds', async () => {
  const built = await runProcess(process.execPath, ['web/build.ts'], { cwd: PROJECT });
  expect(built).toMatchObject({ code: 0, stdout: 'The pages are up to date.\n' });
  const { metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: ['web/build.ts'],
    ...{ bundle: true, write: false, metafile: true, platform: 'node', format: 'esm' },
    external: ['./build/build-site.ts'],
  });
  const own = ['web/build.ts', 'web/build/freshness.ts', 'web/build/site-folder.ts'];
  expect(Object.keys(metafile.inputs).sort()).toEqual(own);
});

describe('the folder of a build', () => {
  const place = () => join(folder, 'building');

  /** Runs a process that first says that it asks for the folder, then does its work there. */
  const buildElsewhere = (work: string) => {
    const program = `
      import { readdir, writeFile } from 'node:fs/promises';
      const { withBuildFolder } = await import('./web/build/build-folder.ts');
      await writeFile(${JSON.stringify(join(folder, 'asks'))}, '');
      await withBuildFolder(${JSON.stringify(place())}, async (own) => { ${work} });`;
    return runProcess(process.execPath, ['--input-type=module', '-e', program], { cwd: PROJECT });
  };

  it('is had by one build after the other, and is gone then', async () => {
    const { other } = await withBuildFolder(place(), async (own) => {
      await writeFile(join(own, 'a'), 'built');
      const other = buildElsewhere("console.log('found', await readdir(own))");
      while (!(await readdir(folder)).includes('asks')) await sleep(5);
      await sleep(150);
      expect(await readdir(own)).toEqual(['a']);
      return { other };
    });
    expect(await other).toMatchObject({ code: 0, stdout: 'found []\n' });
    expect((await readdir(folder)).sort()).toEqual(['asks', 'building.sqlite']);
  });

  it('is taken from a process that was killed', async () => {
    const killed = "await writeFile(own + '/half', 'built'); process.kill(process.pid, 'SIGKILL');";
    await expect(buildElsewhere(killed)).rejects.toThrow();
    expect(await readdir(place())).toEqual(['half']);
    expect(await withBuildFolder(place(), (own) => readdir(own))).toEqual([]);
  });
});

it('a new site takes the place of the old one, of which files with the same hash stay untouched', async () => {
  const [site, fresh] = [join(folder, 'site'), join(folder, 'fresh')];
  const write = async (place: string, files: Record<string, string>) => {
    await mkdir(join(place, 'files'), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text);
  };
  await write(site, { 'docs.html': 'old', 'gone.html': 'old', 'files/a-1.js': 'a' });
  const { ino } = await stat(join(site, 'files/a-1.js'));
  await write(fresh, { 'docs.html': 'new', 'files/a-1.js': 'a', 'files/b-2.js': 'b' });
  await replaceFiles(site, fresh);
  const names = await readdir(site, { recursive: true });
  expect(names.sort()).toEqual(['docs.html', 'files', 'files/a-1.js', 'files/b-2.js']);
  expect(await readFile(join(site, 'docs.html'), 'utf8')).toBe('new');
  expect((await stat(join(site, 'files/a-1.js'))).ino).toBe(ino);
});
