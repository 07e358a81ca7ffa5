/** The service with as many stores as a check or a picture wants, in a browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Service, startService } from '../../support/prepared/service.ts';
import { runTool } from '../../support/run-tool.ts';
import { openBrowser } from '../support/open-browser.ts';

export interface Stage {
  readonly service: Service;
  readonly browser: Browser;
}

/** Publishes invented stores, serves them, and ends all of it once `use` is done. */
export async function withManyStores(
  count: number,
  use: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'many-'));
  const source = join(folder, 'stores.ndjson');
  const service = await startService();
  const browser = await openBrowser();
  try {
    await run('fixtures', ['--count', String(count), '--seed', '7', '--out', source], {});
    const env = { STORE_DIRECTORY_STATE: service.state };
    await run('snapshot', ['publish', '--source', source, '--force'], env);
    await use({ service, browser });
  } finally {
    await browser.close();
    await service.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(tool: 'fixtures' | 'snapshot', args: string[], env: Record<string, string>) {
  const { code, stderr } = await runTool(tool, args, { env });
  if (code !== 0) throw new Error(`${tool} ended with ${code}:\n${stderr}`);
}
