import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** How much these tests do; test/README.md has commands for more. */
const { CHANGE_PAIRS = '80' } = process.env;

/**
 * Milliseconds, far more than anything takes: they end what hangs, and a slow machine never meets
 * them. Within a test nothing may depend on how fast the machine is.
 */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 150_000 } },
};

/** A real limiter that is soon used up: a slow machine does not make thousands of requests a minute. */
const FEW_REQUESTS = { namespace_id: 'few', simple: { limit: 3, period: 60 } } as const;

/** What changes modules, variables, streams or the time of its process, which the next file would find so. */
const CHANGES_PROCESS = /\bvi\b|\/(call-tool|snapshot-tool|served-stores|installed-client)\.ts'/;

/** Files of Node: those that change their process, and those that share one and what it has loaded. */
const { alone = [], together = [] } = Object.groupBy(
  globSync('test/*/*.test.ts', { exclude: ['**/*.worker.test.ts'] }),
  (file) => (CHANGES_PROCESS.test(readFileSync(file, 'utf8')) ? 'alone' : 'together'),
);

const NODE = {
  ...PATIENCE,
  // Commands that run in processes of their own load what was compiled before.
  env: {
    NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/node'),
    // What tests publish is whole: no command waits to see whether it still changes.
    STORE_DIRECTORY_FINISHED_SOURCES: '1',
  },
};

export default defineConfig({
  test: {
    // Two more than there are cores: many tests wait for other processes.
    maxWorkers: availableParallelism() + 2,
    // Builds the pages first, unless they are up to date; the rest only if a test asks for it.
    globalSetup: ['test/support/build-pages.ts', 'test/support/prepared/prepare-once.ts'],
    // As patient with processes that end.
    teardownTimeout: 180_000,
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { cf: false, ratelimits: { FEW_REQUESTS } },
          }),
        ],
        test: {
          name: 'worker',
          provide: { changePairs: Number(CHANGE_PAIRS) },
          include: ['test/**/*.worker.test.ts'],
          ...PATIENCE,
          isolate: false,
          setupFiles: ['test/support/worker/leave-clean.ts'],
        },
      },
      { test: { name: 'node alone', include: alone, ...NODE } },
      { test: { name: 'node', include: together, isolate: false, ...NODE } },
    ],
  },
});
