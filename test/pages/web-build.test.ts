/** What builds the pages: quick when there is nothing to do, and safe beside another build. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { replaceFiles, withBuildFolder } from '../../web/build/exchange.ts';
import { PROJECT } from '../../web/build/site-folder.ts';
import { runProcess, startProcess } from '../support/run-tool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

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

it('one build after the other has the folder, empty, also after one that was killed', async () => {
  const building = join(folder, 'building');
  const program = `
    import { readdir, writeFile } from 'node:fs/promises';
    import { withBuildFolder } from './web/build/exchange.ts';
    console.log('asks');
    await withBuildFolder(${JSON.stringify(building)}, async (own) => {
      await writeFile(own + '/found', String(await readdir(own)));
      process.kill(process.pid, 'SIGKILL');
    });`;
  const args = ['--input-type=module', '-e', program];
  const { untilPrinted, ended } = startProcess(process.execPath, args, { cwd: PROJECT });
  await withBuildFolder(building, async (own) => {
    await writeFile(join(own, 'a'), 'built');
    await untilPrinted('asks');
    await sleep(150);
    expect(await readdir(own)).toEqual(['a']);
  });
  // Killed by itself.
  expect(await ended).toBeNull();
  expect(await readFile(join(building, 'found'), 'utf8')).toBe('');
  expect(await withBuildFolder(building, (own) => readdir(own))).toEqual([]);
  expect(await readdir(folder)).toEqual(['building.sqlite']);
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
