/** The documentation in a real browser. No page may show an error or ask another origin. */
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Service } from '../support/prepared/service.ts';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import { openService } from './support/stage.ts';
import { axeViolations, overhang, type Visit, visit } from './support/visit.ts';

const PHONE = { width: 390, height: 844 };

/** What a page may weigh before it is painted, compressed. */
const MAX_BYTES = 100_000;

/** The page that is about it, by what people search for. */
const FOUND: Readonly<Record<string, string>> = {
  cursor: '/docs/guides/paging',
  pagination: '/docs/guides/paging',
  'page through everything': '/docs/guides/paging',
  429: '/docs/problems/rate_limited',
  etag: '/docs/guides/errors-and-limits',
};

/** How many blocks of code have to be scrolled sideways. */
const WIDE_CODE = `[...document.querySelectorAll('pre.wrap')].filter(
  ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth
).length`;

describeInBrowser('the documentation', () => {
  let service: Service;
  let browser: Browser;
  let visits: Visit[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([openService(), openBrowser()]);
  });

  afterEach(async () => {
    await Promise.all(visits.map((visited) => visited.close()));
    const faults = visits.flatMap((visited) => visited.faults);
    visits = [];
    expect(faults).toEqual([]);
  });

  afterAll(() => browser?.close());

  /** Opens a page with nothing remembered, until the end of the test. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const visited = await visit(browser, service.origin + path, options);
    visits.push(visited);
    return visited.page;
  }

  it('fits a phone, and is light', async () => {
    const page = await open('/docs', { viewport: PHONE, colorScheme: 'dark' });
    await page.locator('[data-theme=dark]').waitFor();
    for (const path of [
      '/docs',
      '/docs/operations/listStores',
      '/docs/fields',
      '/docs/guides/paging',
    ]) {
      await page.goto(service.origin + path);
      expect([path, await overhang(page)]).toEqual([path, 0]);
      expect([path, (await compressedBytes(page)) < MAX_BYTES]).toEqual([path, true]);
      // Code that scrolls sideways is out of reach for the keyboard until a script has found it.
      expect([path, await page.evaluate(WIDE_CODE)]).toEqual([path, 0]);
    }
    // On the last one; `npm run web:check` has all pages, in every size and light.
    expect(await axeViolations(page)).toEqual([]);
  });

  it('finds the page about a word before those that use it, by keyboard alone', async () => {
    const page = await open('/docs');
    await page.locator('.pagefind-ui__search-input').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    const found: [string, string | null][] = [];
    for (const words of Object.keys(FOUND)) {
      await page.locator('.pagefind-ui__search-input').fill(words);
      await page.getByText(new RegExp(`results? for ${words}$`)).waitFor();
      // Each result gets its link by itself: the first link that is there may belong to the second result.
      const result = page.locator('.pagefind-ui__result').first();
      const link = result.locator('.pagefind-ui__result-title a').first();
      found.push([words, await link.getAttribute('href')]);
    }
    expect(Object.fromEntries(found)).toEqual(FOUND);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('rental points');
    await page.getByRole('link', { name: 'Rental points', exact: true }).press('Enter');
    await page.waitForURL(`${service.origin}/docs/guides/finding-stores#rental-points`);
  });

  it('keeps the language of samples from page to page, and copies code without a prompt', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await open('/docs/guides/finding-stores', { permissions });
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('radio', { name: 'TypeScript' }).first().press('ArrowRight');
    await page.locator('pre:visible', { hasText: 'import json' }).waitFor();
    await page.goto(`${service.origin}/docs/operations/listStores`);
    await page.locator('pre:visible', { hasText: 'import json' }).waitFor();
    await page.getByRole('radio', { name: 'curl' }).press('Space');
    const copy = page.getByRole('button', { name: 'Copy to clipboard' }).first();
    await copy.click();
    await expect.poll(copied).toMatch(/^curl -H "x-access-token: \$TOKEN"/);
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(copied).toMatch(/^# List stores\n[^<]*```sh\ncurl/);
    await page.goto(`${service.origin}/docs`);
    await copy.click();
    await expect.poll(copied).toContain(`export BASE_URL=${service.origin}\n`);
    const first = page.locator('.ec-line').first();
    expect(await first.textContent()).toBe(`export BASE_URL=${service.origin}`);
    expect(await first.locator('span').count()).toBeGreaterThan(3);
  });

  it('sends a request that the samples follow, with a token that all pages use until it is forgotten', async () => {
    const page = await open('/docs/operations/getStore');
    const form = await openForm(page);
    await addToken(form, service.token);
    await form.getByLabel('lang').selectOption('fr');
    const samples = page.locator('[data-languages] pre');
    for (const text of await samples.allTextContents()) expect(text).toMatch(/slug.*lang=fr/is);
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText(/^200 OK/).waitFor();
    const body = await form.getByRole('region', { name: 'Body of the answer' }).textContent();
    expect(JSON.parse(body ?? '')).toHaveProperty('profile.name');
    const id = form.getByLabel('id', { exact: true });
    const asked = `/v2/external/stores/${await id.inputValue()}?lang=fr`;
    const texts = await samples.allTextContents();
    expect(texts[0]).toBe(`curl -H "x-access-token: $TOKEN" "$BASE_URL${asked}"`);
    for (const text of texts) expect([text, text.includes(asked)]).toEqual([text, true]);
    expect(await samples.first().locator('span').count()).toBeGreaterThan(5);
    await id.fill("d'or");
    expect(await samples.nth(1).textContent()).toContain('/stores/d%27or?');
    await form.getByText('Headers').click();
    await form.getByText('x-snapshot-release').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${service.origin}/docs`);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByRole('button', { name: 'Add token' }).click();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(KEPT)).not.toContain(service.token);
  });

  it('says what is wrong with a token, and asks for another one', async () => {
    const { page, faults, close } = await visit(
      browser,
      `${service.origin}/docs/operations/listStores`,
    );
    const form = await openForm(page);
    await addToken(form, `rsd_sk_test_${'x'.repeat(32)}`);
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText(/^401 Unauthorized/).waitFor();
    await form.getByRole('link', { name: 'Access token unknown' }).waitFor();
    expect(faults).toEqual([expect.stringContaining('401')]);
    await addToken(form, service.token);
    await form.getByText('Where').click();
    await form.getByLabel('position.radius').fill('90');
    await form.getByRole('button', { name: 'Send request' }).click();
    const faulty = form.locator('[aria-invalid=true]');
    await faulty.first().waitFor();
    expect(await faulty.evaluateAll((all) => all.map((each) => each.getAttribute('name')))).toEqual(
      ['position.radius', 'position.latitude', 'position.longitude'],
    );
    await form.getByText('Expected 0 to 50').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.route('**/v2/external/**', (route) => route.abort());
    await form.getByRole('button', { name: 'Send request' }).click();
    await form.getByText('the service cannot be reached').waitFor();
    await close();
  });

  it('has it all without scripts', async () => {
    const page = await open('/docs/operations/listStores', { javaScriptEnabled: false });
    for (const [label, program] of [
      ['Python', 'import json'],
      ['TypeScript', 'await fetch'],
      ['curl', '$BASE_URL'],
    ] as const) {
      await page.getByRole('radio', { name: label }).press('Space');
      await page.locator('pre:visible', { hasText: program }).waitFor();
    }
    await page.getByRole('radio', { name: 'Try it' }).press('Space');
    expect(await page.locator('try-it > form').isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'verticale.in' }).isVisible()).toBe(true);
    await page.locator('.tree summary', { hasText: 'docs' }).first().click();
    await page.locator('.tree summary', { hasText: 'docs.geo' }).first().waitFor();
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const day = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(day);
  });

  it('has the header of the store finder', async () => {
    const [here, there] = [await open('/docs'), await open('/explore')];
    expect(await here.evaluate(HEADER)).toEqual(await there.evaluate(HEADER));
  });

  it('finds a field by its words, and unfolds what holds it', async () => {
    const page = await open('/docs/fields');
    const found = page.locator('.tree > li:visible');
    await page.getByLabel('Filter').fill('opening from');
    const shown = page.locator('#field-temporal\\.schedule\\.openingHours\\.from');
    await shown.waitFor();
    expect(await page.getByRole('status').textContent()).toMatch(/^[1-9] fields$/);
    expect(await found.first().getAttribute('id')).toBe('field-temporal');
    await page.evaluate('location.hash = "field-geo.location.point.lat"');
    await page.locator('#field-geo\\.location\\.point\\.lat').waitFor();
    expect(await page.getByLabel('Filter').inputValue()).toBe('');
  });
});

/** Opens "Try it". */
async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('radio', { name: 'Try it' }).press('Space');
  return page.locator('try-it');
}

/** As the header does it too. */
async function addToken(form: Locator, token: string): Promise<void> {
  await form.getByRole('button', { name: 'Add token' }).click();
  await form.getByLabel('Access token').fill(token);
  await form.getByRole('button', { name: 'Use this token' }).click();
}

/** Everything that outlives the page, or could be shared with its address. */
const KEPT =
  'location.href + document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })';

/** How the parts look that all headers have, but for which link is the current one. */
const HEADER = `['.bar', '.brand', '.site-links a:last-child', 'token-control button'].map((part) => {
  const style = getComputedStyle(document.querySelector(part));
  const { color, fontSize, fontWeight, padding, backgroundColor, borderBottom } = style;
  return [part, color, fontSize, fontWeight, padding, backgroundColor, borderBottom];
})`;

/** What was loaded before the page was painted, by a guess: all but what it loads once it is idle. */
async function compressedBytes(page: Page): Promise<number> {
  const files = (await page.evaluate(`[
    location.pathname,
    ...[...document.querySelectorAll('link[rel=stylesheet]:not([media=print]), script[src]')]
      .map((each) => new URL(each.href || each.src).pathname),
  ]`)) as string[];
  const texts = files.map(async (path) => (await fetch(new URL(path, page.url()))).text());
  return (await Promise.all(texts)).reduce((sum, text) => sum + gzipSync(text).length, 0);
}
