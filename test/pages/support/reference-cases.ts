/** `/docs` and the pages of problems: read, filtered, walked through. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../src/problem.ts';
import type { Scene } from './scene.ts';
import { axeViolations, overhang, type Visit } from './visit.ts';

/** One page of each template; `/docs` and this guide have tables. */
const PAGES = [
  { path: '/docs', hasTables: true },
  { path: '/docs/problems/invalid_parameters', hasTables: false },
  { path: '/docs/guides/deprecated-fields', hasTables: true },
];

/** The guide with the longest programs, which are what may be too wide for a phone. */
const LONG_GUIDE = '/docs/guides/keeping-a-copy';

const PHONE = { width: 390, height: 844 };

export function referenceCases(scene: Scene): void {
  it('paints the operations at once', async () => {
    const page = await scene.open('/docs');
    const overview = page.locator('.overview li');
    expect(await overview.count()).toBeGreaterThanOrEqual(6);
    expect(await overview.first().textContent()).toContain('/v2/external/stores');
    expect(await isInView(page, '.overview li:first-child')).toBe(true);
  });

  describe.each(PAGES)('$path', ({ path, hasTables }) => {
    let visited: Visit;
    let page: Page;

    beforeAll(async () => {
      visited = await scene.visit(path);
      page = visited.page;
    });

    afterAll(async () => {
      await visited.close();
      expect(visited.faults).toEqual([]);
    });

    it('has nothing that axe finds, light', async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await axeViolations(page)).toEqual([]);
      expect(await ground(page)).toBe('rgb(255, 255, 255)');
    });

    it('has contrast enough where everything is dark', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeViolations(page, ['color-contrast'])).toEqual([]);
      expect(await ground(page)).toBe('rgb(20, 24, 29)');
    });

    it('fits a phone, where tables are laid out in another way', async () => {
      await page.setViewportSize(PHONE);
      expect(await overhang(page)).toBe(0);
      const rules = ['cat.tables', 'cat.structure', 'cat.name-role-value'];
      if (hasTables) expect(await axeViolations(page, rules)).toEqual([]);
    });
  });

  it('shows long programs on a phone', async () => {
    const page = await scene.open(LONG_GUIDE, { viewport: PHONE });
    expect(await overhang(page)).toBe(0);
  });

  it('has it all without scripts', async () => {
    const page = await scene.open('/docs', { javaScriptEnabled: false });
    expect(await page.locator('#field-table tbody tr').count()).toBeGreaterThan(200);
    expect(await page.getByLabel('Filter').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    const samples = page.locator('.operation').first().locator('.samples');
    expect(await samples.locator('.sample:visible').textContent()).toMatch(/^curl /);
    await samples.getByText('Python').click();
    expect(await samples.locator('.sample:visible').textContent()).toMatch(/^import json/);
  });

  it('finds a field by its words, and comes back to all of them', async () => {
    const page = await scene.open('/docs');
    const rows = page.locator('#field-table tbody tr:visible');
    const all = await rows.count();
    await page.keyboard.press('/');
    await page.keyboard.type('opening from');
    expect(await rows.count()).toBeGreaterThan(0);
    expect(await rows.count()).toBeLessThan(12);
    expect(await rows.first().textContent()).toContain('temporal.schedule.openingHours');
    expect(await page.locator('#found').textContent()).toBe(`${await rows.count()} fields`);
    await page.getByLabel('Filter').fill('lat');
    const withOld = await rows.count();
    await page.getByLabel('without deprecated ones').check();
    expect(await rows.count()).toBeLessThan(withOld);
    await page.evaluate('location.hash = "field-lat"');
    await page.locator('#field-lat').waitFor();
    expect(await rows.count()).toBe(all);
  });

  it('is walked by keyboard', async () => {
    const page = await scene.open('/docs');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('/v2/external/stores');
    await page.locator('#sample-listStores-curl').focus();
    await page.keyboard.press('ArrowRight');
    const shown = await page.locator('.sample:visible').allInnerTexts();
    expect(shown.length).toBeGreaterThanOrEqual(6);
    for (const text of shown) expect(text).toMatch(/^const /);
  });

  it('copies code', async () => {
    const page = await scene.open('/docs', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.code.origin').getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `BASE_URL=${scene.stage.origin}\n`,
    );
    await page.evaluate(
      'navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))',
    );
    await page.locator('.code.origin').getByRole('button').click();
    await page.getByRole('button', { name: 'Not allowed here' }).waitFor();
  });

  it('leads to the page of every problem', async () => {
    const page = await scene.open('/docs');
    const problems = Object.entries(PROBLEMS);
    for (const [code, { title }] of problems) {
      const link = page.locator(`#errors ~ table a[href="/docs/problems/${code}"]`);
      expect([code, await link.count()]).toEqual([code, 1]);
      const response = await fetch(`${scene.stage.origin}/docs/problems/${code}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(`<h1>${title}</h1>`);
    }
  });
}

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.textContent');

const ground = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor');

function isInView(page: Page, selector: string): Promise<boolean> {
  const box = `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()`;
  return page.evaluate(`${box}.bottom <= innerHeight`);
}
