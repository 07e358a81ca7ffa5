/** Bindings are not inherited by environments, and wrangler only warns when one lacks them. */
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { SOURCES } from '../../web/build/freshness.ts';
import {
  BUILD_FOLDER,
  MAP_FILE,
  PROJECT,
  SITE_FOLDER,
  STAMP_FILE,
} from '../../web/build/site-folder.ts';

const read = (environment?: string) =>
  unstable_readConfig({ config: './wrangler.toml', env: environment }, { hideWarnings: true });

/** One member of each binding. */
const eachOf = (bindings: readonly Readonly<Record<string, unknown>>[], member: string) =>
  bindings.map((binding) => binding[member]);

const bindingsOf = (config: ReturnType<typeof read>) => ({
  vars: Object.keys(config.vars),
  kv: eachOf(config.kv_namespaces, 'binding'),
  r2: eachOf(config.r2_buckets, 'binding'),
  ratelimits: eachOf(config.ratelimits, 'name'),
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

  it.each(environments)('uploads to %s the map of the source, too', (environment) => {
    const { minify, upload_source_maps } = read(environment);
    expect({ minify, upload_source_maps }).toEqual({ minify: true, upload_source_maps: true });
  });

  it('watches all that pages are made of, and nothing that a build writes', () => {
    const watched = [read().build.watch_dir ?? []].flat();
    expect(watched.sort()).toEqual([...SOURCES].sort());
    for (const written of [SITE_FOLDER, BUILD_FOLDER, STAMP_FILE, MAP_FILE]) {
      const path = relative(PROJECT, written);
      expect(watched.filter((source) => path.startsWith(source))).toEqual([]);
    }
  });

  it.each([undefined, ...environments])('tells the true rate limit of %s', (environment) => {
    const config = read(environment);
    const { RATE_LIMIT, RATE_LIMIT_PERIOD } = config.vars;
    expect(eachOf(config.ratelimits, 'simple')).toEqual([
      { limit: Number(RATE_LIMIT), period: Number(RATE_LIMIT_PERIOD) },
      { limit: 60, period: 60 },
    ]);
    expect(config.vars.GUESS_LIMIT_PERIOD).toBe('60');
  });

  it('shares no namespace, bucket, counter or domain between environments', () => {
    const all = [undefined, ...environments].flatMap((environment) => {
      const config = read(environment);
      return [
        ...eachOf(config.kv_namespaces, 'id'),
        ...eachOf(config.r2_buckets, 'bucket_name'),
        ...eachOf(config.ratelimits, 'namespace_id'),
        ...eachOf(config.routes ?? [], 'pattern'),
      ];
    });
    expect(new Set(all).size).toBe(all.length);
  });
});
