/**
 * The workflows: which steps get the API token; deploying, and the way back: what the manual and the
 * workflow say is run as it stands there, against a stand-in of Cloudflare's API. example-job.test.ts has the smoke test.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OFFLINE_VARIABLES, PROJECT_FOLDER, WRANGLER_PROGRAM } from '../../scripts/cli/platform.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { setUp } from '../support/cloudflare/remote-config.ts';
import { openKv } from '../support/cloudflare/stage.ts';
import { CloudflareStandIn } from '../support/cloudflare/stand-in.ts';
import { WorkerStandIn } from '../support/cloudflare/worker-stand-in.ts';
import { exampleWith } from '../support/markdown-examples.ts';
import { pointerTo } from '../support/memory-target.ts';
import { type Outcome, runProcess, runTool } from '../support/run-tool.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLES = join(PROJECT_FOLDER, 'docs/examples');
const WORKER = 'rental-store-directory-staging';

/** The source counts towards the memory of an isolate. The error texts of zod in all languages alone are 264 kB. */
const MAX_WORKER_BYTES = 280_000;

const folder = temporaryFolder();
const workflow = await readFile(join(EXAMPLES, 'deploy.yml'), 'utf8');
const standIn = await CloudflareStandIn.start();
const variables = { ...OFFLINE_VARIABLES, ...(await setUp(standIn, folder)) };
await openKv(standIn).put(POINTER_KEY, encodeJson(pointerTo('a'.repeat(16), 2)));

afterAll(() => standIn.stop());

/** What the step of this name runs. */
function lineOf(name: string): string {
  const line = workflow.split(`- name: ${name}\n`)[1]?.match(/^ {8}run: (.+)$/m)?.[1];
  if (!line) throw new Error(`no step "${name}" runs anything`);
  return line;
}

/** Runs `npm run deploy -- …` as if npm were called in the folder of the test, and builds below it. */
function deploy(line: string, outdir: string): Promise<Outcome> {
  const [npm, run, tool = '', dashes, ...args] = line.split(' ');
  expect([npm, run, tool, dashes]).toEqual(['npm', 'run', 'deploy', '--']);
  return runTool(tool, [...args, '--outdir', outdir], {
    env: { ...variables, INIT_CWD: folder },
  });
}

it.each([
  ['publish', 'CLOUDFLARE_API_TOKEN', '--remote'],
  ['deploy', 'CLOUDFLARE_DEPLOY_TOKEN', 'run: npm run deploy '],
])(
  'the workflow of %s.yml gives the %s to steps that need it, and to no other',
  async (name, secret, need) => {
    const text = await readFile(join(EXAMPLES, `${name}.yml`), 'utf8');
    const [before = '', ...parts] = text.split(/^ {6}- /m);
    expect(before).not.toContain('secrets.CLOUDFLARE');
    expect(parts.length).toBeGreaterThan(7);
    for (const part of parts) {
      const secrets = part.match(/(?<=secrets\.)CLOUDFLARE_\w*TOKEN/g) ?? [];
      expect([part, secrets]).toEqual([part, part.includes(need) ? [secret] : []]);
    }
  },
);

describe('the steps of deploy.yml', () => {
  it('rehearse production: looks, builds a small Worker, writes what is in it, and uploads nothing', async () => {
    const outdir = join(folder, 'rehearsal');
    const { code, stdout, stderr } = await deploy(lineOf('Rehearse production'), 'rehearsal');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('--dry-run: exiting now');
    const built = await readFile(join(outdir, 'worker.js'));
    expect(built.toString()).toContain('snapshot/v');
    expect(built.length).toBeLessThan(MAX_WORKER_BYTES);
    expect(standIn.requests.filter(({ path }) => path.startsWith('/workers'))).toEqual([]);
    await expectBill(join(outdir, 'sbom.cdx.json'));
  });

  it('deploy to staging with every binding, and lead back', async () => {
    const worker = new WorkerStandIn();
    const metadata = { main_module: 'worker.js', bindings: [] };
    const before = worker.add(metadata, Buffer.from('the Worker of last month'));
    worker.deployAlone(before);
    standIn.workers.set(WORKER, worker);

    const outdir = join(folder, 'staging');
    const { code, stderr } = await deploy(lineOf('Deploy to staging'), 'staging');
    expect(code, stderr).toBe(0);
    const built = await readFile(join(outdir, 'worker.js'));
    expect(worker.live).toMatchObject({
      number: 2,
      sha256: createHash('sha256').update(built).digest('hex'),
      metadata: { assets: { config: { run_worker_first: true, html_handling: 'none' } } },
    });
    expect(worker.live?.metadata.bindings.map(({ name }) => name).sort()).toEqual([
      ...['ASSETS', 'ENVIRONMENT', 'GUESS_LIMITER', 'GUESS_LIMIT_PERIOD'],
      ...['RATE_LIMIT', 'RATE_LIMITER', 'RATE_LIMIT_PERIOD'],
      ...['SNAPSHOTS', 'SNAPSHOT_BUCKET', 'SNAPSHOT_STORE', 'TOKENS'],
    ]);
    expect(worker.assets).toEqual(expect.arrayContaining(['/docs/index.html', '/openapi.json']));
    expect(worker.domains).toEqual(['stores-staging.shops.test']);
    expect(worker.subdomain).toEqual({ enabled: false, previews_enabled: false });
    expect(lineOf('Try staging')).toBe('node docs/examples/smoke-test.mjs');

    const back = await followManual('npx wrangler rollback');
    expect(back).toMatchObject({ code: 0 });
    expect(worker.live).toBe(before);
    expect(worker.deployments[0]?.annotations).toEqual({
      'workers/message': 'the list fails since the deployment of today',
    });
  });
});

/** The bill names all packages, with their versions. */
async function expectBill(file: string): Promise<void> {
  const bill = JSON.parse(await readFile(file, 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    // npm's "name" is the folder's.
    metadata: { component: { purl: 'pkg:npm/rental-store-directory@2.0.0' } },
  });
  const packages = bill.components.map(({ purl }: { purl: string }) => purl);
  const installed = join(PROJECT_FOLDER, 'node_modules/hono/package.json');
  const { version } = JSON.parse(await readFile(installed, 'utf8'));
  expect(packages).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`/hono@${version}`),
      expect.stringContaining('/maplibre-gl@'),
      expect.stringContaining('/pagefind@'),
    ]),
  );
}

/** Runs the lines of the manual that begin with `words`, of staging in the place of production. */
async function followManual(words: string): Promise<Outcome> {
  const manual = await readFile(join(PROJECT_FOLDER, 'docs/deploying.md'), 'utf8');
  const line = exampleWith(manual, 'sh', words)
    .split('\n')
    .find((each) => each.startsWith(words));
  const [, , ...args] = line?.match(/"[^"]*"|\S+/g) ?? [];
  const own = args.map((arg) => arg.replaceAll('"', '').replace('production', 'staging'));
  const config = ['--config', variables.STORE_DIRECTORY_CONFIG];
  const program = [WRANGLER_PROGRAM, ...own, ...config];
  return runProcess(process.execPath, program, { cwd: PROJECT_FOLDER, env: variables });
}
