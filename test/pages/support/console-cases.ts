/** `/docs/console`: the library over the document, and requests of one's own. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Scene } from './scene.ts';
import { axeViolations, overhang, type Violation } from './visit.ts';

/** What axe finds in the form of the library that sends requests, and we do not mend. */
const VIOLATIONS_OF_CLIENT: readonly Violation[] = [
  // The form lies over the page, whose landmarks are there still.
  { rule: 'landmark-no-duplicate-main', impact: 'moderate', count: 1 },
  { rule: 'landmark-unique', impact: 'moderate', count: 2 },
];

export function consoleCases(scene: Scene): void {
  it('is what "Try it" leads to: search, samples, a request with a pasted token', async () => {
    const page = await scene.open('/docs');
    await page.getByRole('link', { name: /^Try it.*Get one store$/ }).click();
    const heading = page.getByRole('heading', { name: 'Get one store' });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate(isInView)).toBe(true);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('list stores');
    const option = page.getByRole('option', { name: /List stores/ }).first();
    await option.click();
    await expect.poll(() => page.url()).toMatch(/GET\/v2\/external\/stores$/);
    expect(await axeViolations(page, ['color-contrast'])).toEqual([]);

    const choice = page.getByRole('button', { name: /curl/i }).first();
    await choice.click();
    const names = await page.getByRole('option').allInnerTexts();
    expect(names).toEqual(expect.arrayContaining(['curl', 'TypeScript', 'Python']));
    await page.keyboard.press('Escape');

    // Fewer stores than the form asks for: the library takes seconds to colour twenty.
    await page.route('**/v2/external/stores?*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=1'),
      }),
    );
    await sendWithToken(page, scene.stage.token);
    await page.locator('.cm-content').filter({ hasText: '"docs"' }).first().waitFor();
    expect(await keptTexts(page)).not.toContain(scene.stage.token);
    expect(await axeViolations(page)).toEqual(VIOLATIONS_OF_CLIENT);
  });

  it('is dark, has nothing that axe finds, and fits a phone', async () => {
    const page = await scene.open('/docs/console', { colorScheme: 'dark' });
    await testRequest(page).waitFor();
    expect(await page.evaluate('document.body.className')).toContain('dark-mode');
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    // The library lays itself out anew.
    await expect.poll(() => overhang(page)).toBe(0);
  });

  it('says so when what it shows cannot be loaded', async () => {
    const page = await scene.open('/healthz');
    await page.route('**/console-document*', (route) => route.fulfill({ body: '{' }));
    await page.goto(`${scene.stage.origin}/docs/console`);
    await page.getByText('The console could not be loaded. Load the page again.').waitFor();
  });
}

const testRequest = (page: Page) => page.getByRole('button', { name: /^Test Request/ }).first();

/** Pastes the token where the library asks for it, and sends the request that it begins with. */
async function sendWithToken(page: Page, token: string): Promise<void> {
  await testRequest(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[placeholder^="QUx"]').first().fill(token);
  const answered = page.waitForResponse((response) => response.url().includes('/v2/external/'));
  const [response] = await Promise.all([
    answered,
    dialog.getByRole('button', { name: /^Send get request/ }).click(),
  ]);
  expect(response.status()).toBe(200);
  expect((await response.json()).docs.length).toBeGreaterThan(0);
  await page.getByText('200 OK').waitFor();
}

/** Everything that outlives the page, or could be shared with its address. */
function keptTexts(page: Page): Promise<string> {
  return page.evaluate(
    'location.href + document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })',
  );
}

/** Runs in the page. */
function isInView(element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= 900;
}
