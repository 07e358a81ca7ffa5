import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest({ wrangler: { configPath: './wrangler.toml' }, miniflare: { cf: false } }),
        ],
        test: { name: 'worker', include: ['test/worker/**/*.test.ts'] },
      },
      {
        test: { name: 'node', include: ['test/node/**/*.test.ts'], testTimeout: 60_000 },
      },
    ],
  },
});
