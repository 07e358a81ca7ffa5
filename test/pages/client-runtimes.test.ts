/**
 * The installed client against `npm start`: on every Node of this machine, in a Worker and in a browser
 * on the service's own origin, with one outcome.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import type { Outcome } from '../client/programs/scenario.ts';
import { FIXTURE_STORES } from '../support/fixture-stores.ts';
import { installClient, manualProgram, runProgram } from '../support/installed-client.ts';
import { askPrepared } from '../support/prepared/ask-prepared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { browserProgram, openBrowser } from './support/browser.ts';

const SCENARIO = resolve(import.meta.dirname, '../client/programs/scenario.ts');
const OLDEST_NODE = 20;

const folder = temporaryFolder();
const manual = await manualProgram(await installClient(folder));
await build({ entryPoints: [SCENARIO], outdir: folder });
// As browsers and Workers have it, together with the client.
const [scenario, bundle] = [join(folder, 'scenario.js'), join(folder, 'bundle.js')];
const whole = { bundle: true, format: 'esm', target: 'es2022' } as const;
await build({ entryPoints: [scenario], outfile: bundle, ...whole });
const { origin, token } = await askPrepared('service');
const expected = await runOn(process.execPath);

async function runOn(node: string): Promise<Outcome> {
  const program = `import { useClient } from './scenario.js';
    console.log(JSON.stringify(await useClient('${origin}', '${token}')));`;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse((await runProgram(node, args, { env: {}, cwd: folder })).stdout);
}

it('the client gets what the service has', () => {
  const { length: total } = FIXTURE_STORES;
  expect(expected).toMatchObject({
    ...{ total, walked: total, copied: total, copiedAgain: 0 },
    codes: ['store_unknown', 'invalid_parameters limit'],
    unchanged: [200, 304],
  });
  expect(expected.hours).toHaveLength(21 * 9);
});

it(`the client runs on Node from ${OLDEST_NODE} on, as far as this machine has it`, async () => {
  const tried = new Set([Number.parseInt(process.versions.node, 10)]);
  for (const path of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(path, 'node');
    if (!existsSync(node)) continue;
    const version = (await runProgram(node, ['-p', 'process.versions.node'], { env: {} })).stdout;
    const major = Number.parseInt(version, 10);
    if (major < OLDEST_NODE || tried.has(major)) continue;
    tried.add(major);
    expect(await runOn(node), `Node ${major}`).toEqual(expected);
  }
  if (!tried.has(OLDEST_NODE)) console.warn(`NOT TRIED on Node ${OLDEST_NODE}: there is none`);
});

it('the client does what its manual shows', async () => {
  const program = manual
    .replace('https://stores.example', origin)
    .replace('a-slug-or-id', `${FIXTURE_STORES[0]?.slug}`);
  await writeFile(join(folder, 'program.ts'), program);
  const options = { env: { TOKEN: token }, cwd: folder };
  const { stdout } = await runProgram(process.execPath, ['program.ts'], options);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(expected.total + 2);
  expect(lines.at(-2)).toMatch(/^release 1-[0-9a-f]+: \d+ stores fetched, 0 removed$/);
  expect(lines.at(-1)).toMatch(/^No store has this id or slug\./);
});

it('the client runs in a Worker', async () => {
  const script = `${await readFile(bundle, 'utf8')}
    export default { fetch: async () => Response.json(await useClient('${origin}', '${token}')) };`;
  const options = { modules: true, script, cf: false, compatibilityDate: '2026-08-15' } as const;
  const worker = new Miniflare(convertV4MiniflareOptions(options));
  const answer = await worker.dispatchFetch('http://worker').finally(() => worker.dispose());
  expect(await answer.json()).toEqual(expected);
});

it.skipIf(!browserProgram)(
  "the client runs in a browser, on the service's own origin",
  async () => {
    await using browser = await openBrowser();
    const page = await browser.newPage();
    // In the place of a file of the pages, under the same policy as theirs.
    await page.route('**/client.js', (route) => route.fulfill({ path: bundle }));
    await page.goto(`${origin}/docs/problems`);
    // As text: what runs the tests puts another function in the place of import.
    const outcome = await page.evaluate(
      `import('/client.js').then(({ useClient }) => useClient('/', '${token}'))`,
    );
    expect(outcome).toEqual(expected);
  },
);
