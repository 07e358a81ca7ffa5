/** `npm run deploy`: no Worker goes live where it would find no stores although there are some. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OFFLINE_VARIABLES, PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { expectPublished } from '../../scripts/deploy/deploy-command.ts';
import { encodeJson } from '../../scripts/release/published-release.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { writeRemoteConfig } from './cloudflare/remote-config.ts';
import { openKv, openR2 } from './cloudflare/stage.ts';
import { CloudflareStandIn } from './cloudflare/stand-in.ts';
import { MemoryTarget, pointerTo } from './memory-target.ts';
import { runTool } from './run-tool.ts';
import { V2_POINTER_KEY, versionTwoValues } from './version-two.ts';

const TWO = versionTwoValues('2026-01-01T00:00:00.000Z').get(V2_POINTER_KEY) as Uint8Array;
const OWN = encodeJson(pointerTo('a'.repeat(16), 2));

describe('an environment', () => {
  it.each([
    ['nothing was published yet', {}],
    ['this version is published', { [POINTER_KEY]: OWN }],
    ['both versions are', { [POINTER_KEY]: OWN, [V2_POINTER_KEY]: TWO }],
  ])('where %s is deployed to', async (_what, values) => {
    const target = new MemoryTarget();
    for (const [key, bytes] of Object.entries(values)) target.values.set(key, bytes);
    await expectPublished('staging', target);
  });

  it.each([
    ['no', {}],
    ['a damaged', { [POINTER_KEY]: encodeJson({ format: 3 }) }],
  ])('of an older version with %s pointer of this one is not', async (_what, values) => {
    const target = new MemoryTarget();
    target.values.set(V2_POINTER_KEY, TWO);
    for (const [key, bytes] of Object.entries(values)) target.values.set(key, bytes);
    await expect(expectPublished('production', target)).rejects.toMatchObject({
      code: 'version_unpublished',
      exitCode: 1,
      details: { environment: 'production', published: 2, wanted: 3 },
      explanation: expect.stringContaining('publish --source FILE --env production --remote'),
    });
  });
});

describe('npm run deploy', () => {
  let folder: string;
  let standIn: CloudflareStandIn;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deploy-'));
    standIn = await CloudflareStandIn.start();
  });

  afterEach(() => standIn.reset());

  afterAll(async () => {
    await standIn.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function deploy(store: 'kv' | 'r2', ...args: string[]) {
    const config = await writeRemoteConfig(folder, store);
    // The configuration lies elsewhere than the Worker and its pages.
    let text = await readFile(config, 'utf8');
    for (const path of ['src/worker.ts', 'web/dist/site']) {
      text = text.replaceAll(`"${path}"`, JSON.stringify(resolve(PROJECT_FOLDER, path)));
    }
    await writeFile(config, text);
    const env = { ...OFFLINE_VARIABLES, ...standIn.variables, STORE_DIRECTORY_CONFIG: config };
    return runTool('deploy', ['--env', 'staging', ...args], { env });
  }

  const TARGETS = {
    kv: () => openKv(standIn),
    r2: () => openR2(standIn),
  } as const;

  it.each(['kv', 'r2'] as const)('looks into %s before it asks wrangler', async (store) => {
    await TARGETS[store]().put(V2_POINTER_KEY, TWO);
    const { code, stdout, stderr } = await deploy(store, '--json', '--dry-run');
    expect(stderr).toBe('');
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({
      code: 1,
      error: 'version_unpublished',
    });
  });

  it('hands everything else to wrangler', async () => {
    await TARGETS.kv().put(V2_POINTER_KEY, TWO);
    await TARGETS.kv().put(POINTER_KEY, OWN);
    const outdir = join(folder, 'worker');
    const { code, stdout, stderr } = await deploy('kv', '--json', '--dry-run', '--outdir', outdir);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toEqual({
      environment: 'staging',
      arguments: ['--dry-run', '--outdir', outdir],
    });
    expect(stderr).toContain('--dry-run: exiting now');
    expect(await readFile(join(outdir, 'worker.js'), 'utf8')).toContain('snapshot/v');
  });

  it('fails as wrangler does', async () => {
    const { code, stderr } = await deploy('kv', '--no-such-option');
    expect(code).toBe(1);
    expect(stderr).toContain('wrangler deploy failed, see above');
  });
});
