/** `npm run deploy`: no Worker goes live where it would find no stores although there are some. */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../scripts/cli/command-error.ts';
import { OFFLINE_VARIABLES, PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import {
  deployByWrangler,
  expectPublished,
  writeBillOfMaterials,
} from '../../scripts/deploy/deploy-worker.ts';
import { encodeJson } from '../../scripts/storage/key-value-store.ts';
import { FORMAT_VERSION, POINTER_KEY, pointerKeyIn } from '../../src/snapshot/keys.ts';
import { callTool } from '../support/call-tool.ts';
import { setUp } from '../support/cloudflare/remote-config.ts';
import { openStandIn } from '../support/cloudflare/stage.ts';
import { commandContext } from '../support/command-context.ts';
import { MemoryTarget, pointerTo } from '../support/memory-target.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PUBLISHED = encodeJson(pointerTo('a'.repeat(16), 2));
const OLDER = FORMAT_VERSION - 1;

function targetWith(values: Readonly<Record<string, Uint8Array>>): MemoryTarget {
  const target = new MemoryTarget();
  for (const [key, bytes] of Object.entries(values)) target.values.set(key, bytes);
  return target;
}

const standIn = await openStandIn();

describe('an environment', () => {
  it.each([
    ['nothing was published yet', {}],
    ['both versions are published', { [POINTER_KEY]: PUBLISHED, [pointerKeyIn(OLDER)]: PUBLISHED }],
  ])('where %s is deployed to', async (_what, values) => {
    await expectPublished('staging', targetWith(values));
  });

  it.each([
    ['no', {}],
    ['a damaged', { [POINTER_KEY]: encodeJson({ format: FORMAT_VERSION }) }],
  ])('of an older version with %s pointer of this one is not', async (_what, values) => {
    const target = targetWith({ [pointerKeyIn(OLDER)]: PUBLISHED, ...values });
    await expect(expectPublished('production', target)).rejects.toMatchObject({
      code: 'version_unpublished',
      exitCode: 1,
      message: expect.stringContaining(
        `format version ${OLDER} and none of version ${FORMAT_VERSION}`,
      ),
      explanation: expect.stringContaining('publish --source FILE --env production --remote'),
    });
  });
});

describe('npm run deploy', () => {
  const folder = temporaryFolder();

  /** What people read of a deployment that is refused before anything is asked. */
  async function refusal(name: string, env: NodeJS.ProcessEnv): Promise<string> {
    const { code, stderr } = await callTool('deploy', ['--env', name], { env });
    expect(code).toBeGreaterThan(0);
    expect(standIn.requests).toEqual([]);
    return stderr;
  }

  it.each(['kv', 'r2'] as const)('looks into %s before it asks wrangler', async (store) => {
    const answer = { status: 403, body: Buffer.from('no') };
    // The keys of R2 are made of the token, which is looked at first.
    const first = store === 'r2' ? [null] : [];
    standIn.failNext(...first, answer);
    const env = await setUp(standIn, folder, store);
    const args = ['--env', 'staging', '--json', '--dry-run'];
    const { code } = await callTool('deploy', args, { env });
    expect(code).toBe(1);
    const asked = standIn.requests.map(({ path }) => decodeURIComponent(path));
    expect(asked).toHaveLength(first.length + 1);
    expect(asked.at(-1)).toContain(POINTER_KEY);
    expect(asked.at(-1)?.includes('/storage/kv/')).toBe(store === 'kv');
  });

  it('says which ids are to be filled in', async () => {
    const name = 'production';
    const config = join(PROJECT_FOLDER, 'wrangler.toml');
    const env = { ...standIn.variables, STORE_DIRECTORY_CONFIG: config };
    const told = await refusal(name, env);
    for (const binding of ['snapshots', 'tokens'])
      expect(told).toContain(`npx wrangler kv namespace create ${binding}-${name}`);
    expect(told).toContain(`[[env.${name}.kv_namespaces]]`);
  });

  it.each([
    ['only that of the repository', '.shops.test"', '.example.com"'],
    ['none', /^routes = .*$/gm, ''],
    ['only a route', 'custom_domain = true', 'zone_name = "shops.test"'],
  ])('asks for a domain where there is %s', async (_what, given, instead) => {
    const env = await setUp(standIn, folder);
    const config = env.STORE_DIRECTORY_CONFIG;
    await writeFile(config, (await readFile(config, 'utf8')).replaceAll(given, instead));
    const told = await refusal('staging', env);
    expect(told).toContain('a domain of yours for staging. Nothing was deployed [domain_missing]');
    expect(told).toContain('[env.staging]');
    expect(told).toContain('custom_domain = true }]');
  });
});

it('a bill of materials that cannot be made is a failure of its own', async () => {
  // Where npm is looked for.
  vi.stubEnv('PATH', '');
  await expect(writeBillOfMaterials(tmpdir())).rejects.toMatchObject({
    code: 'bill_of_materials_failed',
  });
  vi.unstubAllEnvs();
});

describe('wrangler', () => {
  const folder = temporaryFolder();
  const interrupted = AbortSignal.abort(new InterruptedError());

  const deploy = (more: Partial<CommandContext> = {}) =>
    deployByWrangler('staging', join(folder, 'out'), [], commandContext({ json: true, ...more }));

  beforeAll(async () => {
    const config = 'name = "stores"\nmain = "no.js"\ncompatibility_date = "2026-01-01"\n';
    await writeFile(join(folder, 'wrangler.toml'), `${config}[env.staging]\n`);
    vi.stubEnv('STORE_DIRECTORY_CONFIG', join(folder, 'wrangler.toml'));
    vi.stubEnv('WRANGLER_LOG', 'none');
    for (const [name, value] of Object.entries(OFFLINE_VARIABLES)) vi.stubEnv(name, value);
  });

  it('that fails is said to', async () => {
    const error = { exitCode: 1, message: 'wrangler deploy failed, see above' };
    await expect(deploy()).rejects.toMatchObject(error);
  });

  /** In the place of wrangler, which takes seconds to end with this code. */
  const endWith = (code: number) =>
    vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,process.exit(${code})`);

  it('interrupted before it was done leaves open what is live, and says who knows', async () => {
    endWith(1);
    await expect(deploy({ signal: interrupted })).rejects.toMatchObject({
      exitCode: 130,
      message: 'interrupted: whether the Worker is live, "npx wrangler deployments list" tells',
    });
  });

  it('interrupted when it was done has deployed all the same', async () => {
    endWith(0);
    await deploy({ signal: interrupted });
  });
});
