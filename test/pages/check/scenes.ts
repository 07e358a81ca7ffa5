/** States of the pages that are worth a picture, and worth a look of axe at each. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { LOGOS, visit } from '../support/browser.ts';
import { untilLoaded, untilMapIsThere } from '../support/explorer-page.ts';
import type { Stage } from './many-stores.ts';

export interface Scene {
  readonly name: string;
  /** By default the store finder with all stores. */
  readonly path?: string;
  readonly options?: BrowserContextOptions;
  /** Brings the page into its state, once all of it is there. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1400, height: 900 } };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
};

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4"/></svg>';

/** A place without a store within 20 km. */
const NOWHERE =
  '#position.latitude=54.5&position.longitude=3.5&position.radius=20&place=Dogger%20Bank';

const LYON =
  '#position.latitude=45.748&position.longitude=4.847&position.radius=20&place=Lyon&order=nearest';

const openStore = async (page: Page): Promise<void> => {
  await page.locator('#list button').first().click();
  await page.locator('#detail .week').waitFor();
};

/** Each has its picture in `docs/images`. */
export const SCENES: readonly Scene[] = [
  { name: 'explore' },
  {
    name: 'explore-dark',
    path: `/explore${LYON}`,
    options: { ...DESKTOP, colorScheme: 'dark' },
    prepare: openStore,
  },
  { name: 'explore-nearest', path: `/explore${NOWHERE}` },
  { name: 'explore-phone-store', path: `/explore${LYON}`, options: PHONE, prepare: openStore },
  {
    name: 'explore-suggestions',
    prepare: async (page) => {
      await page.locator('#search').fill('mars');
      await page.locator('#suggestions [role=option]').nth(3).waitFor();
    },
  },
  {
    name: 'explore-filters',
    prepare: async (page) => {
      // On a phone they are in a sheet of their own.
      const sheet = page.getByRole('button', { name: 'Filters' });
      if (await sheet.isVisible()) await sheet.click();
      await page.locator('#verticales label').first().click();
      await untilLoaded(page);
      await page.locator('#countries-button').click();
    },
  },
  { name: 'explore-phone', path: `/explore${LYON}`, options: PHONE },
  {
    name: 'explore-phone-list',
    path: `/explore${LYON}`,
    options: { ...PHONE, colorScheme: 'dark' },
    prepare: async (page) => {
      // Elsewhere the list is no sheet.
      const grip = page.locator('#grip');
      if (await grip.isVisible()) await grip.click();
    },
  },
  { name: 'docs-landing', path: '/docs' },
  {
    name: 'docs-operation',
    path: '/docs/operations/listStores',
    // What scripts add is there.
    prepare: (page) => page.locator('.tabs').first().waitFor(),
  },
];

/** Opens a page with the token of the tab, and brings it into its state. */
export async function openScene(
  { service, browser }: Stage,
  { path = '/explore', prepare }: Scene,
  options: BrowserContextOptions,
) {
  // A small page keeps the token for the tab.
  const address = `${service.origin}/docs/problems#token=${service.token}`;
  const opened = await visit(browser, address, options);
  const { page } = opened;
  const logo = { contentType: 'image/svg+xml', body: LOGO };
  await page.route(`${LOGOS}**`, (route) => route.fulfill(logo));
  await page.goto(service.origin + path);
  if (path.startsWith('/explore')) {
    await untilMapIsThere(page);
    await untilLoaded(page);
  }
  await prepare?.(page);
  return opened;
}
