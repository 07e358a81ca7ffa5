/** What tests do on `/explore`, and read off it. */
import type { Page } from 'playwright-core';

/** Waits until the map has its canvas, its style and its first picture. */
export async function untilMapIsThere(page: Page): Promise<void> {
  await page.locator('#map[data-drawn]').waitFor({ state: 'attached' });
}

/** Waits until everything that was searched is there. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('#panel:not([aria-busy])').waitFor({ state: 'attached' });
  await untilItSays(page, /^(?!Loading|Searching|The service|$)/);
}

/** Waits until the page says that it has found this. */
export async function untilItSays(page: Page, status: string | RegExp): Promise<void> {
  await page.locator('#status').filter({ hasText: status }).waitFor({ state: 'attached' });
}

/** The names of the rows, in their order. */
export function listedNames(page: Page): Promise<string[]> {
  return page.locator('#list .name').allTextContents();
}
