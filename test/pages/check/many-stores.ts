/** The service with 2,500 invented stores, in a browser. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { writeStores } from '../../../fixtures/generator/ndjson-file.ts';
import { generateStores } from '../../../fixtures/generator/store.ts';
import { type Service, startService } from '../../support/prepared/service.ts';
import { openBrowser } from '../support/browser.ts';

export interface Stage {
  readonly service: Service;
  readonly browser: Browser;
}

/** Serves the stores, and ends all of it once `use` is done. */
export async function withManyStores(use: (stage: Stage) => Promise<void>): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stores-'));
  const source = join(folder.path, 'stores.ndjson');
  await writeStores(generateStores(2_500, { seed: 7, languages: null }), source);
  const service = await startService('--source', source);
  await using browser = await openBrowser();
  await use({ service, browser }).finally(service.end);
}
