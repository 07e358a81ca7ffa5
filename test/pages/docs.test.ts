/** `/docs` and the pages of problems in a real browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/problem.ts';
import { describeInBrowser, openBrowser } from './browser.ts';
import { openPageStage, type PageStage } from './stage.ts';
import { axeViolations, overhang, type Visit, visit } from './visit.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

describeInBrowser('/docs', () => {
  let stage: PageStage;
  let browser: Browser;
  let visits: Visit[] = [];

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openPageStage(), openBrowser()]);
  });

  afterEach(async () => {
    const faults = visits.flatMap((open) => open.faults);
    await Promise.all(visits.map((open) => open.close()));
    visits = [];
    expect(faults).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function open(path = '/docs', options: BrowserContextOptions = {}): Promise<Page> {
    const opened = await visit(browser, stage.origin + path, options);
    visits.push(opened);
    return opened.page;
  }

  it('paints the operations at once', async () => {
    const page = await open();
    const overview = page.locator('.overview li');
    expect(await overview.count()).toBeGreaterThanOrEqual(6);
    expect(await overview.first().innerText()).toContain('/v2/external/stores');
    expect(await isInView(page, '.overview li:first-child')).toBe(true);
    const paint = await page.evaluate(
      'performance.getEntriesByName("first-contentful-paint")[0].startTime',
    );
    console.log(`/docs: the operations were painted after ${Math.round(Number(paint))} ms`);
  });

  it.each([
    ['light', {}, undefined],
    // Nothing but colours differs.
    ['dark', { colorScheme: 'dark' as const }, ['color-contrast']],
    // Tables are laid out in another way.
    ['on a phone', PHONE, ['cat.tables', 'cat.structure', 'cat.name-role-value']],
  ])('has nothing that axe finds, %s', async (_how, options, rules) => {
    for (const path of ['/docs', '/docs/problems/invalid_parameters']) {
      expect(await axeViolations(await open(path, options), rules)).toEqual([]);
    }
  });

  it('fits a phone, each table too', async () => {
    for (const path of ['/docs', '/docs/problems/invalid_parameters']) {
      expect(await overhang(await open(path, PHONE))).toBe(0);
    }
  });

  it('is dark where everything is', async () => {
    const ground = 'getComputedStyle(document.body).backgroundColor';
    const light = await (await open()).evaluate(ground);
    const dark = await (await open('/docs', { colorScheme: 'dark' })).evaluate(ground);
    expect([light, dark]).toEqual(['rgb(255, 255, 255)', 'rgb(20, 24, 29)']);
  });

  it('has it all without scripts', async () => {
    const page = await open('/docs', { javaScriptEnabled: false });
    expect(await page.locator('#field-table tbody tr').count()).toBeGreaterThan(200);
    expect(await page.getByLabel('Filter').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    const samples = page.locator('.operation').first().locator('.samples');
    expect(await samples.locator('.sample:visible').innerText()).toMatch(/^curl /);
    await samples.getByText('Python').click();
    expect(await samples.locator('.sample:visible').innerText()).toMatch(/^import json/);
  });

  it('finds a field by its words, and comes back to all of them', async () => {
    const page = await open();
    const rows = page.locator('#field-table tbody tr:visible');
    const all = await rows.count();
    await page.keyboard.press('/');
    await page.keyboard.type('opening from');
    expect(await rows.count()).toBeGreaterThan(0);
    expect(await rows.count()).toBeLessThan(12);
    expect(await rows.first().innerText()).toContain('temporal.schedule.openingHours');
    expect(await page.locator('#found').innerText()).toBe(`${await rows.count()} fields`);
    await page.getByLabel('Filter').fill('lat');
    const withOld = await rows.count();
    await page.getByLabel('without deprecated ones').check();
    expect(await rows.count()).toBeLessThan(withOld);
    await page.evaluate('location.hash = "field-lat"');
    await page.locator('#field-lat').waitFor();
    expect(await rows.count()).toBe(all);
  });

  it('is walked by keyboard', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('/v2/external/stores');
    await page.locator('#sample-listStores-curl').focus();
    await page.keyboard.press('ArrowRight');
    const shown = await page.locator('.sample:visible').allInnerTexts();
    expect(shown.length).toBeGreaterThanOrEqual(6);
    for (const text of shown) expect(text).toMatch(/^const response/);
  });

  it('copies code', async () => {
    const page = await open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.code.origin').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `BASE_URL=${stage.origin}\n`,
    );
  });

  it('leads to the page of every problem', async () => {
    const page = await open();
    const problems = Object.entries(PROBLEMS);
    for (const [code, { title }] of problems) {
      const link = page.locator(`#errors ~ table a[href="/docs/problems/${code}"]`);
      expect([code, await link.count()]).toEqual([code, 1]);
      const response = await fetch(`${stage.origin}/docs/problems/${code}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(`<h1>${title}</h1>`);
    }
  });
});

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.textContent');

function isInView(page: Page, selector: string): Promise<boolean> {
  const box = `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()`;
  return page.evaluate(`${box}.bottom <= innerHeight`);
}
