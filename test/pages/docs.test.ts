/** The documentation in a real browser. No page may show an error or ask another origin. */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { overhang, visit } from './support/browser.ts';
import { describeInBrowser, sharePage } from './support/stage.ts';

/** What a page may weigh before it is painted, compressed. */
const MAX_BYTES = 100_000;

/** The page that is about it, by what people search for. */
const FOUND = {
  cursor: 'guides/paging',
  pagination: 'guides/paging',
  'page through everything': 'guides/paging',
  429: 'problems/rate_limited',
  etag: 'guides/errors-and-limits',
};

/** How many blocks of code have to be scrolled sideways. */
const WIDE_CODE = `[...document.querySelectorAll('pre.wrap')].filter(
  ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth
).length`;

describeInBrowser('the documentation', async () => {
  const { page, faults, browser, origin, token, see, click, passesAxe } = await sharePage('/docs', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const form = page.locator('try-it');
  const open = (path: string) => page.goto(origin + path);

  /** As the header does it too. */
  async function addToken(token: string): Promise<void> {
    await click('Add token', form);
    await form.getByLabel('Access token').fill(token);
    await click('Use this token', form);
  }

  it('finds the page about a word before those that use it, by keyboard alone', async () => {
    const input = page.locator('.pagefind-ui__search-input');
    await input.waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    for (const [words, path] of Object.entries(FOUND)) {
      await input.fill(words);
      await see(new RegExp(`results? for ${words}$`));
      // Each result gets its link by itself: the first link that is there may belong to the second result.
      const result = page.locator('.pagefind-ui__result').first();
      expect(await result.getByRole('link').first().getAttribute('href')).toBe(`/docs/${path}`);
    }
    await input.fill('rental points');
    await page.getByRole('link', { name: 'Rental points', exact: true }).press('Enter');
    await page.waitForURL(`${origin}/docs/guides/finding-stores#rental-points`);
  });

  it('keeps the language of samples from page to page, and copies code without a prompt', async () => {
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await open('/docs/guides/finding-stores');
    await page.getByRole('radio', { name: 'TypeScript' }).first().press('ArrowRight');
    await page.locator('pre:visible', { hasText: 'import json' }).waitFor();
    await open('/docs/operations/listStores');
    await page.locator('pre:visible', { hasText: 'import json' }).waitFor();
    await choose(page, 'curl');
    const copy = page.getByRole('button', { name: 'Copy to clipboard' }).first();
    await copy.click();
    await expect.poll(copied).toMatch(/^curl -H "x-access-token: \$TOKEN"/);
    await click('Copy as Markdown');
    await expect.poll(copied).toMatch(/^# List stores\n[^<]*```sh\ncurl/);
    await open('/docs');
    await copy.click();
    const line = `export BASE_URL="${origin}"`;
    await expect.poll(copied).toContain(`${line}\n`);
    expect(await page.locator('.ec-line').first().textContent()).toBe(line);
  });

  it('sends a request that the samples follow, and says what is wrong with a token, a value and the service', async () => {
    await open('/docs/operations/getStore');
    await choose(page, 'Try it');
    await addToken(`rsd_sk_test_${'x'.repeat(32)}`);
    await click('Send request', form);
    await see(/^401 Unauthorized/, form);
    await form.getByRole('link', { name: 'Access token unknown' }).waitFor();
    await addToken(token);
    await form.getByLabel('lang').selectOption('fr');
    await click('Send request', form);
    await see(/^200 OK/, form);
    const body = await form.getByRole('region', { name: 'Body of the answer' }).textContent();
    expect(JSON.parse(body ?? '')).toHaveProperty('profile.name');
    await form.getByText('Headers').click();
    await see('x-snapshot-release', form);
    const id = form.getByLabel('id (empty: any that exists)');
    const asked = `/v2/external/stores/${await id.inputValue()}?lang=fr`;
    const samples = page.locator('[data-languages] pre');
    for (const text of await samples.allTextContents()) expect(text).toContain(asked);
    await id.fill("d'or");
    expect(await samples.nth(1).textContent()).toContain('/stores/d%27or?');
    for (const [group, name] of [
      ['Order and fields', 'fields'],
      ['When', 'at'],
    ]) {
      await form.getByText(`${group}`, { exact: true }).click();
      await form.locator(`[name=${name}]`).fill('x');
    }
    await click('Send request', form);
    await form.getByText('Expected now, or an instant').first().waitFor();
    expect(await page.evaluate(FAULTY)).toEqual(['fields', 'at']);
    await passesAxe('try-it');
    await page.route('**/v2/external/**', (route) => route.abort());
    await click('Send request', form);
    await see('the service cannot be reached', form);
    await page.unroute('**/v2/external/**');
    // As was to be seen.
    faults.splice(0);
    // All pages use the token until it is forgotten.
    await open('/docs');
    await click('Forget the token');
    await click('Add token');
    await passesAxe('.bar');
    expect(await page.evaluate(KEPT)).not.toContain(token);
  });

  it('finds a field by its words, and unfolds what holds it', async () => {
    await open('/docs/fields');
    const found = page.locator('.tree > li:visible');
    await page.getByLabel('Filter').fill('opening from');
    await page.locator('#field-temporal\\.schedule\\.openingHours\\.from').waitFor();
    expect(await page.getByRole('status').textContent()).toMatch(/^[1-9] fields$/);
    expect(await found.first().getAttribute('id')).toBe('field-temporal');
    await page.evaluate('location.hash = "field-geo.location.point.lat"');
    await page.locator('#field-geo\\.location\\.point\\.lat').waitFor();
    expect(await page.getByLabel('Filter').inputValue()).toBe('');
  });

  it('has the header of the store finder', async () => {
    const header = await page.evaluate(HEADER);
    await open('/explore');
    expect(await page.evaluate(HEADER)).toEqual(header);
  });

  it('fits a phone, and is light', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['', '/operations/listStores', '/fields', '/guides/paging']) {
      await open(`/docs${path}`);
      expect(await overhang(page), path).toBe(0);
      expect(await compressedBytes(page), path).toBeLessThan(MAX_BYTES);
      // Code that scrolls sideways is out of reach for the keyboard until a script has found it.
      expect(await page.evaluate(WIDE_CODE), path).toBe(0);
    }
    // Of the last one; `npm run web:check` has all pages, in every size and light.
    await page.locator('[data-theme=dark]').waitFor();
    await passesAxe();
  });

  it('has it all without scripts, and says that the store finder needs them', async () => {
    const path = `${origin}/docs/operations/listStores`;
    const plain = await visit(browser, path, { javaScriptEnabled: false });
    const { page } = plain;
    const programs = { Python: 'import json', TypeScript: 'await fetch', curl: '$BASE_URL' };
    for (const [language, program] of Object.entries(programs)) {
      await choose(page, language);
      await page.locator('pre:visible', { hasText: program }).waitFor();
    }
    await choose(page, 'Try it');
    expect(await page.locator('try-it > form').isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'verticale.in' }).isVisible()).toBe(true);
    await page.locator('.tree summary', { hasText: 'docs' }).first().click();
    await page.locator('.tree summary', { hasText: 'docs.geo' }).first().waitFor();
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const day = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(day);
    expect(plain.faults).toEqual([]);
    await page.goto(`${origin}/explore`);
    expect(await page.locator('.no-scripts').isVisible()).toBe(true);
    expect(await page.locator('#search').isVisible()).toBe(false);
  });
});

/** Chooses a tab, by the keyboard. */
function choose(page: Page, name: string): Promise<void> {
  return page.getByRole('radio', { name }).press('Space');
}

/** Everything that outlives the page, or could be shared with its address. */
const KEPT = 'location.href + document.cookie + JSON.stringify([localStorage, sessionStorage])';

/** The names of the fields with a fault. */
const FAULTY = '[...document.querySelectorAll("[aria-invalid=true]")].map(({ name }) => name)';

/** How the parts look that all headers have, but for which link is the current one. */
const HEADER = `['.bar', '.brand', '.site-links a:last-child', 'token-control button'].map((part) => {
  const style = getComputedStyle(document.querySelector(part));
  const { color, fontSize, fontWeight, padding, backgroundColor, borderBottom } = style;
  return [part, color, fontSize, fontWeight, padding, backgroundColor, borderBottom];
})`;

/** What was loaded before the page was painted, by a guess: all but what it loads once it is idle. */
async function compressedBytes(page: Page): Promise<number> {
  const files = await page.evaluate<string[]>(`[
    location.href,
    ...[...document.querySelectorAll('link[rel=stylesheet]:not([media=print]), script[src]')]
      .map((each) => each.href || each.src),
  ]`);
  const texts = await Promise.all(files.map(async (file) => (await fetch(file)).text()));
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
}
