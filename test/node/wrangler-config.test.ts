/** Bindings are not inherited by environments, and wrangler only warns when one lacks them. */

import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';

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
  it.each(environments)('gives %s every binding of the top level', (environment) => {
    const top = bindingsOf(read());
    expect(top.kv).toEqual(['SNAPSHOTS', 'TOKENS']);
    expect(top.r2).toEqual(['SNAPSHOT_BUCKET']);
    expect(top.ratelimits).toEqual(['RATE_LIMITER', 'GUESS_LIMITER']);
    expect(top.assets).toMatchObject({ binding: 'ASSETS', run_worker_first: true });
    expect(bindingsOf(read(environment))).toEqual(top);
  });

  it.each(environments)('names %s in its variables', (environment) => {
    expect(read(environment).vars.ENVIRONMENT).toBe(environment);
  });

  it.each([undefined, ...environments])('tells the true rate limit of %s', (environment) => {
    const config = read(environment);
    const [ofTokens, ofGuesses] = (config.ratelimits ?? []).map(({ simple }) => simple);
    expect(config.vars.RATE_LIMIT).toBe(String(ofTokens?.limit));
    expect(config.vars.RATE_LIMIT_PERIOD).toBe(String(ofTokens?.period));
    expect(ofGuesses).toEqual({ limit: 60, period: 60 });
    expect(config.vars.GUESS_LIMIT_PERIOD).toBe('60');
  });

  it('shares no namespace, bucket or counter between environments', () => {
    const all = [undefined, ...environments].flatMap((environment) => {
      const config = read(environment);
      return [
        ...config.kv_namespaces.map(({ id }) => id),
        ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
        ...(config.ratelimits ?? []).map(({ namespace_id }) => namespace_id),
      ];
    });
    expect(new Set(all).size).toBe(all.length);
  });
});
