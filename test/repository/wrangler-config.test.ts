/** Bindings are not inherited by environments, and wrangler only warns when one lacks them. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { OFFLINE_VARIABLES, wranglerProgram } from '../../scripts/cli/platform.ts';
import { SOURCES } from '../../web/build/freshness.ts';
import {
  BUILD_FOLDER,
  MAP_FILE,
  PROJECT,
  SITE_FOLDER,
  STAMP_FILE,
} from '../../web/build/site-folder.ts';

/** The source counts towards the memory of an isolate. The error texts of zod in all languages alone are 264 kB. */
const MAX_WORKER_BYTES = 280_000;

/** What these tests look at in wrangler's reading of the file. */
interface Config {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly kv_namespaces: readonly { readonly binding: string; readonly id?: string }[];
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string }[];
  readonly ratelimits?: readonly {
    readonly name: string;
    readonly namespace_id: string;
    readonly simple: { readonly limit: number; readonly period: number };
  }[];
  readonly assets?: Readonly<Record<string, unknown>>;
  readonly workers_dev?: boolean;
  readonly preview_urls?: boolean;
  readonly routes?: readonly { readonly pattern: string; readonly custom_domain?: boolean }[];
  readonly minify?: boolean;
  readonly upload_source_maps?: boolean;
  readonly build: { readonly command?: string; readonly watch_dir?: string | string[] };
}

const read = (environment?: string): Config =>
  unstable_readConfig({ config: './wrangler.toml', env: environment }, { hideWarnings: true });

const bindingsOf = (config: Config) => ({
  vars: Object.keys(config.vars),
  kv: config.kv_namespaces.map(({ binding }) => binding),
  r2: config.r2_buckets.map(({ binding }) => binding),
  ratelimits: config.ratelimits?.map(({ name }) => name),
  assets: config.assets,
});

const environments = ['staging', 'production'] as const;

describe('wrangler.toml', () => {
  it.each(environments)('gives %s its name, and every binding of the top level', (environment) => {
    expect(read(environment).vars.ENVIRONMENT).toBe(environment);
    const top = bindingsOf(read());
    expect(top.kv).toEqual(['SNAPSHOTS', 'TOKENS']);
    expect(top.r2).toEqual(['SNAPSHOT_BUCKET']);
    expect(top.ratelimits).toEqual(['RATE_LIMITER', 'GUESS_LIMITER']);
    expect(top.assets).toMatchObject({ binding: 'ASSETS', run_worker_first: true });
    expect(bindingsOf(read(environment))).toEqual(top);
  });

  it.each([
    ...environments.map((environment) => [environment, 1] as const),
    [undefined, 0] as const,
  ])('gives %s so many custom domains: %i, and no other address', (environment, count) => {
    const { workers_dev, preview_urls, routes = [] } = read(environment);
    expect({ workers_dev, preview_urls }).toEqual({ workers_dev: false, preview_urls: false });
    const pattern = expect.stringMatching(/^[\w-]+\.example\.com$/);
    expect(routes).toEqual(Array(count).fill({ pattern, custom_domain: true }));
  });

  it.each([undefined, ...environments])(
    'builds the pages of %s, unless they are up to date',
    (name) => {
      const { build, assets } = read(name);
      expect(build.command).toBe('node web/build.ts');
      expect(assets?.directory).toBe(relative(PROJECT, SITE_FOLDER));
    },
  );

  it('uploads a small Worker, with the map of its source', async () => {
    for (const environment of environments) {
      const { minify, upload_source_maps } = read(environment);
      expect({ minify, upload_source_maps }).toEqual({ minify: true, upload_source_maps: true });
    }
    const folder = await mkdtemp(join(tmpdir(), 'worker-'));
    try {
      const options = ['deploy', '--dry-run', '--env', 'production', '--outdir', folder];
      const env = { ...process.env, ...OFFLINE_VARIABLES };
      await promisify(execFile)(process.execPath, [wranglerProgram(), ...options], { env });
      expect((await stat(join(folder, 'worker.js'))).size).toBeLessThan(MAX_WORKER_BYTES);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('watches all that pages are made of, and nothing that a build writes', () => {
    const watched = [read().build.watch_dir ?? []].flat();
    expect(watched.sort()).toEqual([...SOURCES].sort());
    for (const written of [SITE_FOLDER, BUILD_FOLDER, STAMP_FILE, MAP_FILE]) {
      const place = relative(PROJECT, written);
      expect(watched.filter((source) => place.startsWith(source))).toEqual([]);
    }
  });

  it.each([undefined, ...environments])('tells the true rate limit of %s', (environment) => {
    const config = read(environment);
    const [ofTokens, ofGuesses] = (config.ratelimits ?? []).map(({ simple }) => simple);
    expect(config.vars.RATE_LIMIT).toBe(String(ofTokens?.limit));
    expect(config.vars.RATE_LIMIT_PERIOD).toBe(String(ofTokens?.period));
    expect(ofGuesses).toEqual({ limit: 60, period: 60 });
    expect(config.vars.GUESS_LIMIT_PERIOD).toBe('60');
  });

  it('shares no namespace, bucket, counter or domain between environments', () => {
    const all = [undefined, ...environments].flatMap((environment) => {
      const config = read(environment);
      return [
        ...config.kv_namespaces.map(({ id }) => id),
        ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
        ...(config.ratelimits ?? []).map(({ namespace_id }) => namespace_id),
        ...(config.routes ?? []).map(({ pattern }) => pattern),
      ];
    });
    expect(new Set(all).size).toBe(all.length);
  });
});
