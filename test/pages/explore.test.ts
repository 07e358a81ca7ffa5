/** `/explore` in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openBrowser } from './browser.ts';
import { openPageStage, type PageStage } from './stage.ts';

describeInBrowser('/explore', () => {
  let stage: PageStage;
  let browser: Browser;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openPageStage(), openBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  it('tells how many stores there are', async () => {
    const page = await browser.newPage();
    await page.goto(`${stage.origin}/explore`);
    await page.getByText(/^\d+ stores are published\.$/).waitFor();
    expect(await page.title()).toBe('Explore rental stores');
  });
});
