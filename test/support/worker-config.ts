/** How tests that serve the Worker in workerd bind it. */

/**
 * What a Worker of the service needs, storage that all Workers of a test share among it.
 * @param main its bundle
 * @param requests that its limiters let through a minute
 */
export function workerConfig(name: string, main: string, requests: number) {
  const limit = { limit: requests, period: 60 } as const;
  return {
    ...{ name, main, no_bundle: true, compatibility_date: '2026-08-15' },
    vars: {
      ENVIRONMENT: 'development',
      SNAPSHOT_STORE: 'kv',
      RATE_LIMIT: `${requests}`,
      RATE_LIMIT_PERIOD: '60',
      GUESS_LIMIT_PERIOD: '60',
    },
    kv_namespaces: ['SNAPSHOTS', 'TOKENS'].map((binding) => ({
      ...{ binding, id: binding.toLowerCase() },
    })),
    r2_buckets: [{ binding: 'SNAPSHOT_BUCKET', bucket_name: 'snapshots' }],
    ratelimits: [
      { name: 'RATE_LIMITER', namespace_id: '1', simple: limit },
      { name: 'GUESS_LIMITER', namespace_id: '2', simple: limit },
    ],
  };
}
