/** What the project installs: the lock file vouches for it, scripts run by name, docs/packages.md says why. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';

interface LockEntry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/**
 * Builds of tools for other platforms than the one where the lock file was written. The registry used
 * there does not have them, so no hash could be taken down. A developer on such a platform who
 * reaches them adds it by `npm install`; their number may only become lower.
 */
const MAX_WITHOUT_HASH = 11;

const textOf = (file: string) => readFile(join(PROJECT_FOLDER, file), 'utf8');

// Each package by its place, such as `node_modules/a/node_modules/@b/c`.
const lock = Object.entries<LockEntry>(JSON.parse(await textOf('package-lock.json')).packages);

describe('the lock file', () => {
  it('has the hash of every package that is installed where it is developed and deployed', () => {
    const packages = lock.filter(([place, { link }]) => place.includes('node_modules/') && !link);
    expect(packages.length).toBeGreaterThan(500);
    const without = packages.filter(([, { integrity }]) => integrity === undefined);
    expect(without.length).toBeLessThanOrEqual(MAX_WITHOUT_HASH);
    for (const [path, { optional, os = [], cpu = [], libc = [] }] of without) {
      const isDeploying = os.includes('linux') && cpu.includes('x64') && !libc.includes('musl');
      expect([path, optional, isDeploying]).toEqual([path, true, false]);
    }
    for (const [path, { integrity }] of packages) {
      if (integrity !== undefined) expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });

  it('names no registry, no repository and no file', async () => {
    const resolved = lock.filter(([, entry]) => entry.resolved !== undefined);
    expect(resolved).toEqual([
      ['node_modules/generated-client', { resolved: 'test/generated-client', link: true }],
    ]);
    expect(await textOf('.npmrc')).toMatch(/^omit-lockfile-registry-resolved=true$/m);
  });
});

it('Node is of one version on every platform, and in the jobs', async () => {
  const platforms = Object.entries(manifest.optionalDependencies);
  expect(platforms.map(([name]) => name.replace(/^node-(bin-)?/, '')).sort()).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-x64',
    'win-x64',
  ]);
  const [version, ...others] = new Set(platforms.map(([, each]) => each));
  expect(others).toEqual([]);
  expect(process.version).toBe(`v${version}`);
  for (const job of ['publish', 'deploy']) {
    const text = await textOf(`docs/examples/${job}.yml`);
    const versions = [...text.matchAll(/node-version: (\S+)/g)].map(([, each]) => each);
    expect(new Set(versions), job).toEqual(new Set([version]));
  }
});

it('install scripts run of packages that are named, and a new one ends the installation', async () => {
  const scripted = lock.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(scripted.map(([place]) => place.split('node_modules/').at(-1)));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...names].sort());
  expect(await textOf('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
});

it('docs/packages.md has the reason of each package, those in the Worker or in a page first', async () => {
  const page = await textOf('docs/packages.md');
  const [, shippedTable = '', otherTable = ''] = page.split(/^## /m);
  const rows = [...shippedTable.matchAll(/^\| `([^`]+)` \|[^|]*\|[^|]{20,}\|$/gm)];
  const shipped = Object.keys(manifest.dependencies);
  expect(rows.map(([, name]) => name)).toEqual(expect.arrayContaining(shipped));
  const others = [...otherTable.matchAll(/^\| (`[^|]+) \|[^|]{5,}\|$/gm)].join();
  for (const name of Object.keys(manifest.devDependencies)) {
    expect(`${shippedTable}${others}`).toContain(`\`${name}\``);
  }
  for (const name of Object.keys(manifest.allowScripts)) expect(page).toContain(`\`${name}\``);
});
