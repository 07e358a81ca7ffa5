/** What tests of pages share: the service with published fixtures, as a browser meets it, and a page. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { askPrepared } from '../../support/prepared/ask-prepared.ts';
import { axeViolations, browserProgram, openBrowser, visit } from './browser.ts';

const isTried = browserProgram !== undefined || process.env.BROWSER_TESTS === 'required';
if (!isTried) {
  console.warn('SKIPPED, for there is no browser (install chromium or set CHROME_PATH): pages');
}

/**
 * `describe` where there is a browser; elsewhere it skips, loudly. With BROWSER_TESTS=required (`.ci/run`)
 * there has to be one.
 */
export const describeInBrowser: (name: string, body: () => void | Promise<void>) => void = isTried
  ? describe
  : it.skip;

/**
 * Opens a page for the tests that follow, of the service that `npm start` runs for all of them: they read, and
 * publish nothing. Whatever they do on it: nothing fails, and no request leaves the origin.
 */
export async function sharePage(path: string, options: BrowserContextOptions) {
  const [service, browser] = await Promise.all([askPrepared('service'), openBrowser()]);
  afterAll(() => browser.close());
  const address = service.origin + path.replace('TOKEN', service.token);
  const { page, faults } = await visit(browser, address, options);
  afterEach(() => expect(faults.splice(0)).toEqual([]));
  return {
    ...service,
    browser,
    page,
    faults,

    /** Waits until a part of the page shows this text. */
    see: (text: string | RegExp, part: Page | Locator = page) => part.getByText(text).waitFor(),

    /** Clicks on the button of this name. */
    click: (name: string | RegExp, part: Page | Locator = page) =>
      part.getByRole('button', { name }).click(),

    /** Expects that axe finds nothing. @param part a selector of what is looked at */
    passesAxe: async (part?: string) => expect(await axeViolations(page, part)).toEqual([]),
  };
}
