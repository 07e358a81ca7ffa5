/** What tests of pages share: the service with published fixtures, as a browser meets it, and a page. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { StoreDirectory } from '../../../client/src/directory.ts';
import { askPrepared } from '../../support/prepared/ask-prepared.ts';
import { openBrowser, program } from './open-browser.ts';
import { type Visit, visit } from './visit.ts';

if (program === null) {
  console.warn('SKIPPED, for there is no browser (install chromium or set CHROME_PATH): pages');
}

/**
 * `describe` where there is a browser; elsewhere it skips, loudly. With BROWSER_TESTS=required (`.ci/run`)
 * there has to be one.
 */
export const describeInBrowser = describe.skipIf(program === null);

/** The service that `npm start` runs for all tests of pages: they read, and publish nothing. */
export async function openService() {
  const service = await askPrepared('service');
  const { origin: baseUrl, token } = service;
  return { ...service, directory: new StoreDirectory({ baseUrl, token }) };
}

type Stage = Visit & { readonly browser: Browser } & Awaited<ReturnType<typeof openService>>;

/**
 * Opens a page for the tests that follow. Whatever they do on it: nothing fails, and no request leaves the
 * origin. It is there once they begin.
 */
export function sharePage(path: string, options: BrowserContextOptions): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    const [service, browser] = await Promise.all([openService(), openBrowser()]);
    Object.assign(stage, service, { browser });
    const address = service.origin + path.replace('TOKEN', service.token);
    Object.assign(stage, await visit(browser, address, options));
  });
  afterEach(() => {
    expect(stage.faults.splice(0)).toEqual([]);
  });
  afterAll(() => stage.browser?.close());
  return stage;
}
