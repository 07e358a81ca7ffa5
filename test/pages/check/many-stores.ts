/** The service with as many stores as a check or a picture wants, in a browser. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
  const service = await startService();
  const source = join(service.state, 'stores.ndjson');
  const env = { STORE_DIRECTORY_STATE: service.state };
  const browser = await openBrowser();
  try {
    for (const [tool, ...args] of [
      ['fixtures', '--count', String(count), '--seed', '7', '--out', source],
      ['snapshot', 'publish', '--source', source, '--force'],
    ] as const) {
      const { code, stderr } = await runTool(tool, args, { env });
      if (code !== 0) throw new Error(`${tool} ended with ${code}:\n${stderr}`);
    }
    // The isolate follows a release seconds later: no visit may see both.
    for (let live = 0; live !== count; await wait(100)) {
      ({ storeCount: live } = await (await fetch(`${service.origin}/healthz`)).json());
    }
    await use({ service, browser });
  } finally {
    await browser.close();
    await service.end();
  }
}
