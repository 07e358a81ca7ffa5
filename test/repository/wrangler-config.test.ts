/** Bindings are not inherited by environments, and wrangler only warns when one lacks them. */
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import wrangler from 'wrangler/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { readEnvironmentConfig } from '../../scripts/storage/open-target.ts';
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

const ENVIRONMENTS = [undefined, 'staging', 'production'] as const;

describe('wrangler.toml', () => {
  it.each(ENVIRONMENTS)(
    'gives %s each binding, pages, one address, and the true rate limit',
    (name) => {
      const config = read(name);
      expect(config).toMatchObject({
        ...{ minify: true, upload_source_maps: true, workers_dev: false, preview_urls: false },
        build: { command: 'node web/build.ts' },
        assets: {
          directory: relative(PROJECT, SITE_FOLDER),
          binding: 'ASSETS',
          run_worker_first: true,
          html_handling: 'none',
        },
        vars: { ENVIRONMENT: name ?? 'development', GUESS_LIMIT_PERIOD: '60' },
      });
      expect(Object.keys(config.vars)).toEqual(Object.keys(read().vars));
      expect(eachOf(config.kv_namespaces, 'binding')).toEqual(['SNAPSHOTS', 'TOKENS']);
      expect(eachOf(config.r2_buckets, 'binding')).toEqual(['SNAPSHOT_BUCKET']);
      const pattern = expect.stringMatching(/^[\w-]+\.example\.com$/);
      const domains = name ? [{ pattern, custom_domain: true }] : [];
      expect(config.routes ?? []).toEqual(domains);
      // What partners are told is the true limit.
      const [limit, period] = [config.vars.RATE_LIMIT, config.vars.RATE_LIMIT_PERIOD].map(Number);
      expect(config.ratelimits).toMatchObject([
        { name: 'RATE_LIMITER', simple: { limit, period } },
        { name: 'GUESS_LIMITER', simple: { limit: 60, period: 60 } },
      ]);
    },
  );

  it.each(ENVIRONMENTS)('is read by commands as wrangler reads it: %s', async (name) => {
    const { vars, kv_namespaces, r2_buckets, routes } = read(name);
    const expected = { vars, kv_namespaces, r2_buckets, ...(name && { routes }) };
    expect(await readEnvironmentConfig(name ?? 'development')).toEqual(expected);
  });

  it('is served from local storage in the form of wrangler’s own version', () => {
    expect(manifest.devDependencies.miniflare).toBe(wrangler.dependencies.miniflare);
  });

  it('watches all that pages are made of, and nothing that a build writes', () => {
    const watched = [read().build.watch_dir ?? []].flat();
    expect(watched.sort()).toEqual([...SOURCES].sort());
    for (const written of [SITE_FOLDER, BUILD_FOLDER, STAMP_FILE, MAP_FILE]) {
      const path = relative(PROJECT, written);
      expect(watched.filter((source) => path.startsWith(source))).toEqual([]);
    }
  });

  it('shares no namespace, bucket, counter or domain between environments', () => {
    const all = ENVIRONMENTS.flatMap((environment) => {
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
