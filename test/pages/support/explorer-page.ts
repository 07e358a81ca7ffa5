/** What tests do on `/explore`, and read off it. */
import type { Page } from 'playwright-core';

/** How the page says what it has found, once that is all there. */
const FOUND = /^([\d,]+ stores?|The first [\d,]+ of [\d,]+ stores)\b.*\.$/;

/** Gives the page its token and waits until everything is loaded. */
export async function pasteToken(page: Page, token: string): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Show stores' }).click();
  await untilLoaded(page);
}

export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('#status').filter({ hasText: FOUND }).waitFor({ state: 'attached' });
}

/** Waits until MapLibre has its canvas and style. */
export async function untilMapIsThere(page: Page): Promise<void> {
  await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
}

export async function statusOf(page: Page): Promise<string> {
  return (await page.locator('#status').textContent()) ?? '';
}

/** The names of the rows, in their order. */
export function listedNames(page: Page): Promise<string[]> {
  return page.locator('#list .name').allTextContents();
}

/**
 * Goes to another address on the same page, as a link or the user does, and waits until everything is
 * loaded: whatever the page said before is wiped out first. The page was there first to listen, so it
 * has begun to follow when the change is told here.
 */
export async function changeAddress(page: Page, hash: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    document.getElementById('status').textContent = '';
    addEventListener('hashchange', resolve, { once: true });
    location.hash = ${JSON.stringify(hash)};
  }).then(() => {})`);
  await untilLoaded(page);
}

/** Opens everything that can be unfolded. */
export async function openDetails(page: Page): Promise<void> {
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
}

/** Opens the store at the head of the list. */
export async function openFirstStore(page: Page): Promise<void> {
  await page.locator('#list button').first().click();
  await page.locator('#detail').getByText('Opening hours').waitFor();
}
