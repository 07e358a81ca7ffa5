/**
 * `/explore` in a real browser, before the service under `wrangler dev`. A page with its map takes
 * seconds of a machine without a graphics card: tests that do not look at how a page begins share one.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { isOpenAt } from '../../src/hours/opening-hours.ts';
import type { StoreHours } from '../../src/hours/schedule.ts';
import type { Service } from '../support/prepared/service.ts';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import {
  changeAddress,
  listedNames,
  openDetails,
  openFirstStore,
  pasteToken,
  statusOf,
  untilLoaded,
  untilMapIsThere,
} from './support/explorer-page.ts';
import { askForAllStores, askForStores, openService } from './support/stage.ts';
import { overhang, type Visit, violationsInBothLights, visit } from './support/visit.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

const PARIS = 'position.latitude=48.86&position.longitude=2.35&position.radius=50';

/** A search with everything that an address holds. */
const SEARCH = `${PARIS}&verticale.notIn=CAR&lang=en&sort=profile.name__desc`;

const AFTERNOON = '2026-05-20T13:30:00.000Z';

describeInBrowser('/explore', () => {
  let stage: Service;
  let browser: Browser;
  const visits: Visit[] = [];
  /** Pages that several tests use, by the address with which they began. */
  const shared = new Map<string, Page>();

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openService(), openBrowser()]);
  });

  /** Whatever a test does: nothing fails, and no request leaves the origin. */
  afterEach(() => {
    expect(visits.flatMap((open) => open.faults)).toEqual([]);
  });

  afterAll(async () => {
    await Promise.all(visits.map((open) => open.close()));
    await browser?.close();
  });

  /** A page with its token, and its map drawn. */
  async function open(hash: string, options = {}): Promise<Page> {
    const opened = await visit(browser, `${stage.origin}/explore#${hash}`, options);
    visits.push(opened);
    await pasteToken(opened.page, stage.token);
    await untilMapIsThere(opened.page);
    return opened.page;
  }

  /** The same page for all who ask for it; each leaves it as it likes. */
  async function openShared(hash: string): Promise<Page> {
    const page = shared.get(hash) ?? (await open(hash));
    shared.set(hash, page);
    return page;
  }

  /** A page that shows what this address says, whatever it has shown before. */
  async function show(hash: string): Promise<Page> {
    const page = await openShared(`${SEARCH}&list=all`);
    await changeAddress(page, hash);
    return page;
  }

  const ask = <Doc>(query: string) => askForStores<Doc>(stage, query);
  const askForAll = <Doc>(query: string) => askForAllStores<Doc>(stage, query);

  /** A page that looks at one store from near by. */
  async function openNearStore() {
    const docs = await askForAll<Listed>('fields=id,profile.name,geo.location.point');
    const store = docs.find(({ geo }) => geo.location !== null) as Listed;
    const { lat, lng } = store.geo.location?.point ?? { lat: 0, lng: 0 };
    return { docs, store, page: await openShared(`map=12.5,${lat},${lng}`) };
  }

  it('tells what is wrong with a token, and keeps the right one in memory alone', async () => {
    const { docs } = await ask<Listed>('limit=1&fields=id,profile.name');
    const [chosen] = docs as [Listed];
    const address = `${stage.origin}/explore#store=${chosen.id}`;
    const { page, faults, close } = await visit(browser, address);
    await page.getByText('Stores appear here once you have pasted a token.').waitFor();
    await page.getByLabel('Access token').fill('rsd_sk_test_0000000000000000000000');
    await page.getByRole('button', { name: 'Show stores' }).click();
    await page.locator('#token-fault').getByText('Access token unknown').waitFor();
    await pasteToken(page, stage.token);
    const heading = page.locator('#detail').getByRole('heading', { name: chosen.profile.name });
    await heading.waitFor();
    const { total } = await ask('limit=0');
    expect(await statusOf(page)).toContain(`${total} stores`);
    const seen = await page.evaluate(
      'JSON.stringify([location.href, document.cookie, {...localStorage}, {...sessionStorage}, document.documentElement.outerHTML, document.getElementById("token").value])',
    );
    expect(seen).not.toContain(stage.token);
    await page.getByRole('button', { name: 'Forget it' }).click();
    await heading.waitFor({ state: 'detached' });
    expect(await listedNames(page)).toEqual([]);
    await page.reload();
    await page.getByLabel('Access token').waitFor();
    await close();
    // The browser's own word for each 401.
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });

  it('brings a shared address back: search, order, distances, list', async () => {
    const page = await open(`${SEARCH}&list=all`);
    shared.set(`${SEARCH}&list=all`, page);
    const { total, docs } = await ask<{ profile: { name: string }; distance: number }>(
      `${SEARCH}&fields=profile.name,distance`,
    );
    expect(total).toBeGreaterThan(0);
    expect(await listedNames(page)).toEqual(docs.map(({ profile }) => profile.name));
    const distances = await page.locator('#list .distance').allTextContents();
    const written = ({ distance }: { distance: number }) =>
      distance < 1 ? `${Math.round(distance * 1000)} m` : `${distance.toFixed(1)} km`;
    expect(distances).toEqual(docs.map(written));
    expect(await page.getByLabel('Latitude').inputValue()).toBe('48.86');
    expect(await page.locator('#lang').inputValue()).toBe('en');
    expect(await page.locator('#direction').inputValue()).toBe('__desc');
  });

  it('pulls the radius by its handle, and by keys', async () => {
    // As it begins, with the whole circle in sight.
    const page = await openShared(`${SEARCH}&list=all`);
    const handle = page.getByRole('slider', { name: 'Radius of the search in kilometres' });
    await handle.press('ArrowLeft');
    await page.waitForURL(/position\.radius=49(&|$)/);
    const box = await handle.boundingBox();
    if (!box) throw new Error('the handle is nowhere');
    await page.mouse.move(box.x + 12, box.y + 12);
    await page.mouse.down();
    await page.mouse.move(box.x - 60, box.y + 12, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/position\.radius=([1-3]?\d|4[0-8])(\.\d+)?(&|$)/);
    const radius = await page.locator('#radius-number').inputValue();
    expect(await handle.getAttribute('aria-valuenow')).toBe(radius);
    await page.getByRole('button', { name: 'Everywhere' }).click();
    await page.waitForURL((url) => !url.hash.includes('position'));
    await handle.waitFor({ state: 'detached' });
  });

  it('lets the list follow the map, and the map the list', async () => {
    const { docs, store, page } = await openNearStore();
    const near = await listedNames(page);
    expect(near).toContain(store.profile.name);
    expect(near.length).toBeLessThan(docs.length / 2);
    const canvas = page.locator('.maplibregl-canvas');
    const box = await canvas.boundingBox();
    const middle = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 };
    // The mark is there once the map has drawn it.
    await expect
      .poll(async () => {
        await canvas.hover({ position: { ...middle, x: middle.x + 1 } });
        await canvas.hover({ position: middle });
        return canvas.evaluate(
          'getComputedStyle(document.querySelector(".maplibregl-canvas")).cursor',
        );
      }, WAIT)
      .toBe('pointer');
    await page.locator('.maplibregl-popup').getByText(store.profile.name).waitFor();
    await canvas.click({ position: middle });
    await page.locator('#detail').getByRole('heading', { name: store.profile.name }).waitFor();
    await page.waitForURL(new RegExp(`store=${store.id}`));
  });

  it('searches around the place that is clicked, and shows the request as it was sent', async () => {
    const { page } = await openNearStore();
    const sent = page.waitForRequest((request) => request.url().includes('position.latitude'));
    await page.locator('.maplibregl-canvas').click({ position: { x: 200, y: 100 } });
    const url = (await sent).url();
    await untilLoaded(page);
    expect(page.url()).toContain(new URL(url).search.slice(1).split('&fields')[0]);
    await page.locator('#request-panel summary').click();
    const text = () => page.locator('#request-text').textContent();
    await expect.poll(text).toBe(`curl -H "x-access-token: $TOKEN" '${url}'`);
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
    expect(await text()).toContain('directory.list({');
    await page.getByRole('tab', { name: 'TypeScript' }).press('ArrowRight');
    const answer = JSON.parse((await text()) ?? '');
    expect(answer).toEqual(await ask(new URL(url).search.slice(1)));
    expect(await page.locator('#request-figures').textContent()).toMatch(/^200 in \d+ ms, /);
  });

  it('asks for the fields that are chosen', async () => {
    const page = await show('');
    await page.getByText('Fields of the answer').click();
    await page.getByLabel('Find a field').fill('pricing.tax');
    const sent = page.waitForRequest((request) => request.url().includes('pricing.tax.name'));
    await page.getByLabel('pricing.tax.name').check();
    await sent;
    await page.waitForURL(/fields=pricing\.tax\.name/);
  });

  it('shows open stores alone, by the rules of the client', async () => {
    const page = await show(`opening=open&at=${AFTERNOON}&list=all`);
    const docs = await askForAll<StoreHours & { profile: { name: string } }>(
      'fields=profile.name,temporal',
    );
    const open = docs.filter((store) => isOpenAt(store, new Date(AFTERNOON)));
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(docs.length);
    await page.getByText(`${open.length} open`).waitFor();
    const listed = await listedNames(page);
    expect(listed).toEqual(open.slice(0, listed.length).map(({ profile }) => profile.name));
  });

  it('opens a store by the keyboard, and goes back to its row', async () => {
    const page = await show('list=all');
    const row = page.locator('#list button').first();
    const name = (await row.locator('.name').textContent()) ?? '';
    await row.focus();
    await page.keyboard.press('Enter');
    const detail = page.locator('#detail');
    await detail.getByRole('heading', { name, exact: true }).waitFor();
    await detail.getByText('Opening hours').waitFor();
    await page.waitForURL(/store=[0-9a-f]{24}/);
    await page.keyboard.press('Escape');
    const id = await row.getAttribute('data-id');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.id')).toBe(id);
    expect(page.url()).not.toContain('store=');
  });

  it('has nothing that axe finds, by day and by night', async () => {
    const page = await show('lang=fr');
    await openDetails(page);
    expect(await violationsInBothLights(page)).toEqual([]);
    await openFirstStore(page);
    expect(await violationsInBothLights(page)).toEqual([]);
  });

  it('fits a phone, with nothing that axe finds', async () => {
    const page = await open(PARIS, { ...PHONE, colorScheme: 'dark' });
    await openDetails(page);
    expect(await overhang(page)).toBe(0);
    expect(await violationsInBothLights(page)).toEqual([]);
    await openFirstStore(page);
    expect(await violationsInBothLights(page)).toEqual([]);
  });
});

interface Listed {
  readonly id: string;
  readonly profile: { readonly name: string };
  readonly geo: { readonly location: { readonly point: { lat: number; lng: number } } | null };
}

/** Software draws the map: a frame takes its time. */
const WAIT = { interval: 200 };
