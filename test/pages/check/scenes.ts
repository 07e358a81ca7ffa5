/** States of the pages that are worth a picture, and worth a look of axe at each. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { untilLoaded, untilMapIsThere } from '../support/explorer-page.ts';
import { type Visit, visit } from '../support/visit.ts';
import type { Stage } from './many-stores.ts';

export interface Scene {
  readonly name: string;
  readonly path: string;
  readonly options: BrowserContextOptions;
  /** Brings the page into its state. */
  readonly prepare: (page: Page) => Promise<void>;
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1400, height: 900 } };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
};
const DARK: BrowserContextOptions = { colorScheme: 'dark' };

/** A place without a store within 20 km. */
const NOWHERE =
  '#position.latitude=54.5&position.longitude=3.5&position.radius=20&place=Dogger%20Bank';

const LYON =
  '#position.latitude=45.748&position.longitude=4.847&position.radius=20&place=Lyon&order=nearest';

const explored = async (page: Page): Promise<void> => {
  await untilMapIsThere(page);
  await untilLoaded(page);
};

const openStore = async (page: Page): Promise<void> => {
  await explored(page);
  await page.locator('#list button').first().click();
  await page.locator('#detail .week').waitFor();
};

const suggest = async (page: Page): Promise<void> => {
  await explored(page);
  await page.locator('#search').fill('mars');
  await page.locator('#suggestions [role=option]').nth(3).waitFor();
};

const filter = async (page: Page): Promise<void> => {
  await explored(page);
  // On a phone they are in a sheet of their own.
  const sheet = page.getByRole('button', { name: 'Filters' });
  if (await sheet.isVisible()) await sheet.click();
  await page.locator('#verticales label').first().click();
  await untilLoaded(page);
  await page.locator('#countries-button').click();
};

const raiseSheet = async (page: Page): Promise<void> => {
  await explored(page);
  // Elsewhere the list is no sheet.
  const grip = page.locator('#grip');
  if (await grip.isVisible()) await grip.click();
};

/** Each has its picture in `docs/images`. */
export const SCENES: readonly Scene[] = [
  { name: 'explore', path: '/explore', options: DESKTOP, prepare: explored },
  {
    name: 'explore-dark',
    path: `/explore${LYON}`,
    options: { ...DESKTOP, ...DARK },
    prepare: openStore,
  },
  { name: 'explore-nearest', path: `/explore${NOWHERE}`, options: DESKTOP, prepare: explored },
  { name: 'explore-phone-store', path: `/explore${LYON}`, options: PHONE, prepare: openStore },
  { name: 'explore-suggestions', path: '/explore', options: DESKTOP, prepare: suggest },
  { name: 'explore-filters', path: '/explore', options: DESKTOP, prepare: filter },
  { name: 'explore-phone', path: `/explore${LYON}`, options: PHONE, prepare: explored },
  {
    name: 'explore-phone-list',
    path: `/explore${LYON}`,
    options: { ...PHONE, ...DARK },
    prepare: raiseSheet,
  },
  { name: 'docs-landing', path: '/docs', options: DESKTOP, prepare: async () => {} },
  {
    name: 'docs-operation',
    path: '/docs/operations/listStores',
    options: DESKTOP,
    // What scripts add is there.
    prepare: (page) => page.locator('.tabs').first().waitFor(),
  },
];

/** Opens a page with the token of the tab, and brings it into its state. */
export async function openScene(
  { service, browser }: Stage,
  { path, prepare }: Scene,
  options: BrowserContextOptions,
): Promise<Visit> {
  // The token is kept before the page itself is opened, which takes it out of the address.
  const address = `${service.origin}/explore#token=${service.token}`;
  const opened = await visit(browser, address, options);
  await opened.page.goto('about:blank');
  await opened.page.goto(service.origin + path);
  await prepare(opened.page);
  return opened;
}
