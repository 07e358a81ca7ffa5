/**
 * `/explore` in a real browser, before the service under `wrangler dev`. A page with its map takes
 * seconds of a machine without a graphics card: tests that do not look at how a page begins share one.
 */
import type { BrowserContextOptions, Locator, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Store } from '../../client/src/contract.ts';
import { StoreDirectory } from '../../client/src/directory.ts';
import { overhang } from './support/browser.ts';
import { listedNames, untilItSays, untilLoaded, untilMapIsThere } from './support/explorer-page.ts';
import { describeInBrowser, sharePage } from './support/stage.ts';

const DESKTOP: BrowserContextOptions = {
  viewport: { width: 1400, height: 900 },
  // Few pixels, and no frames between one view of the map and the next: software draws each of them.
  deviceScaleFactor: 0.25,
  reducedMotion: 'reduce',
  locale: 'fr-FR',
  permissions: ['geolocation'],
  geolocation: { latitude: 43.3, longitude: 5.38 },
};

const PHONE = { width: 390, height: 844 };

const OPENING = /^(Open|Closed)/;

/** Software draws the map: a frame takes its time. */
const WAIT = { interval: 200 };

describeInBrowser('/explore', async () => {
  const { page, faults, origin, token, see, click, passesAxe } = await sharePage(
    '/explore#token=TOKEN',
    DESKTOP,
  );
  const directory = new StoreDirectory({ baseUrl: origin, token });
  const stores = await Array.fromAsync(directory.stores({ lang: 'fr' }));
  const search = page.getByRole('combobox', { name: 'Town, country or store' });
  const order = page.getByLabel('Order');
  const panel = page.locator('#panel');
  const status = page.locator('#status');
  const rows = page.locator('#list li');
  const detail = page.locator('#detail');
  const canvas = page.locator('.maplibregl-canvas');
  await untilMapIsThere(page);
  await untilLoaded(page);

  /** Goes to another address on the same page, as a link or the user does. */
  async function goTo(hash: string): Promise<void> {
    // What the new address asks for is on its way by then.
    await page.goto(new URL(`#${hash}`, page.url()).href);
    await untilLoaded(page);
  }

  async function searchFor(words: string): Promise<void> {
    await search.fill(words);
    await search.press('Enter');
  }

  /** Where the pin of a store in the middle of the map is seen. */
  async function pinInTheMiddle() {
    const { width, height } = await boxOf(canvas);
    return { x: width / 2, y: height / 2 - 15 };
  }

  it('takes the token of an address, keeps it for the tab alone, and begins where most stores are', async () => {
    await see('Token in use');
    const seen = await page.evaluate(
      'JSON.stringify([location.href, document.cookie, localStorage, document.documentElement.outerHTML])',
    );
    expect(seen).not.toContain(token);
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([token]);
    const far = page.getByText(/^\d+ stores farther away: show$/);
    const number = Number.parseInt(`${await far.textContent()}`, 10);
    await far.getByRole('button').click();
    await expect.poll(() => rows.count()).toBe(number);
    await click('back to the map');
    expect(Number(/[#&]map=([\d.]+)/.exec(page.url())?.[1])).toBeGreaterThan(2);
    // The first request of a walk is the one to show.
    expect(await page.locator('#request-line').textContent()).not.toContain('after=');
    await passesAxe();
  });

  it('suggests towns and stores as one types, with one request under way, by mouse and by keyboard', async () => {
    const underWay = new Set<Request>();
    let most = 0;
    page.on('request', (request) => {
      if (/[?&]q=/.test(request.url())) most = Math.max(most, underWay.add(request).size);
    });
    page.on('requestfinished', (request) => underWay.delete(request));
    await search.pressSequentially('marseil');
    const store = page.getByRole('option', { name: /^Marseille vélos/ });
    await store.waitFor();
    expect(most).toBe(1);
    await search.press('Escape');
    expect(await search.getAttribute('aria-expanded')).toBe('false');
    await search.press('ArrowDown');
    await store.waitFor();
    await search.press('ArrowDown');
    const active = await search.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).textContent()).toBe('MarseilleFrance');
    await search.press('Enter');
    await untilItSays(page, 'within 20 km of Marseille');
    expect(await order.inputValue()).toBe('nearest');
    await see(/ k?m$/, page.locator('#list .distance').first());
    // A store opens.
    await search.fill('marseille vel');
    await store.click();
    await detail.getByRole('heading', { name: 'Marseille vélos' }).waitFor();
  });

  it('finds what is near the user and near a point, and says beside a field what is wrong with it', async () => {
    await click('Near me');
    await untilItSays(page, 'within 20 km of Your position');
    const button = page.getByRole('button', { name: 'Advanced' });
    await button.click();
    const { x, y, height } = await boxOf(button);
    const form = page.getByRole('dialog', { name: 'Around a point' });
    await expect.poll(() => form.boundingBox()).toMatchObject({ x, y: y + height + 8 });
    await page.getByLabel('Latitude').fill('200');
    await page.getByLabel('Longitude').fill('Milano');
    await click('Search there');
    await see('Latitude is a number from -90 to 90.');
    await see('Longitude is a number from -180 to 180.');
    await page.getByLabel('Latitude').fill('52,23');
    await page.getByLabel('Longitude').fill('21.01');
    // As the address has it, to 10 m.
    await page.getByLabel('Radius in km').fill('20.0012');
    await click('Search there');
    const position = { latitude: 52.23, longitude: 21.01, radius: 20 };
    const { total } = await directory.list({ position, limit: 0 });
    await untilItSays(page, `${total} stores within 20 km of 52.23, 21.01`);
    await searchFor('xyzzyplugh');
    await see('No town, country or store is called “xyzzyplugh”.');
    expect(await search.getAttribute('aria-expanded')).toBe('false');
    // All of a country, though no store in view is in it; then a town of another one.
    await searchFor('bikes in Italien');
    await page.waitForURL(/verticale\.in=BIKE&country\.in=Italy/);
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await searchFor('Marseille');
    await untilItSays(page, /^\d+ stores? within 20 km of Marseille/);
    await searchFor('');
    await untilItSays(page, /^\d+ stores?$/);
  });

  it('lets the list follow the map, and Back undo the last act, not the last move', async () => {
    await goTo('map=9,52.2,21');
    const near = await listedNames(page);
    const { docs } = await directory.list({ bbox: [20.5, 51.9, 21.5, 52.5] });
    for (const { profile } of docs) expect(near).toContain(profile.name);
    const entries = () => page.evaluate<number>('history.length');
    const before = await entries();
    await click('Zoom in');
    await page.waitForURL(/map=10/);
    expect(await entries()).toBe(before);
    await order.selectOption({ label: 'Rating and votes' });
    expect(await entries()).toBe(before + 1);
    await page.goBack();
    expect(await order.inputValue()).toBe('name');
    expect(page.url()).toContain('map=10');
    // A click on the empty map does nothing.
    const url = page.url();
    await canvas.click({ position: { x: 20, y: 300 } });
    expect(page.url()).toBe(url);
  });

  it('filters by chips that have their numbers, and goes back to all', async () => {
    await goTo('');
    const chip = page.locator('#verticales label', { hasText: /^Bikes/ });
    const kinds = () => page.locator('#verticales .name').allTextContents();
    const before = await kinds();
    await expect.poll(() => chip.textContent()).toMatch(/^Bikes [\d,]+$/);
    await page
      .getByText(/without an address: list$/)
      .getByRole('button')
      .click();
    await chip.click();
    await page.waitForURL(/verticale\.in=BIKE/);
    await click('Country');
    await page.locator('#countries label', { hasText: 'Poland' }).click();
    await page.waitForURL(/country\.in=Poland/);
    await page.keyboard.press('Escape');
    await untilItSays(page, /^\d stores?$/);
    // The number of a filter is what it leaves beside the others, and the list has them, not what it had beside the map.
    await expect.poll(() => chip.textContent()).toBe(`Bikes ${await rows.count()}`);
    // None moves or goes while another is ticked: those without a store are grey.
    expect(await kinds()).toEqual(before);
    await page.getByText('Open now').click();
    await page.waitForURL(/openAt=now/);
    // At night, when none of them is open, the list offers the same.
    await page.locator('#clear-filters').click();
    await page.waitForURL((url) => !/verticale|country|openAt/.test(url.hash));
    await untilLoaded(page);
  });

  it('lights up row and pin together, and tells of a store what one asks first, in one’s language', async () => {
    // With more to say than three lines hold.
    const { geo, profile } = stores.find(
      (store) => store.geo.location && store.profile.description.length > 400,
    ) as Store;
    const { name, description } = profile;
    const point = geo.location?.point;
    await goTo(`map=13,${point?.lat},${point?.lng}`);
    const pin = await pinInTheMiddle();
    // The pin is there once the map has drawn it.
    await expect
      .poll(async () => {
        await canvas.hover({ position: { ...pin, x: pin.x + 1 } });
        await canvas.hover({ position: pin });
        return page.locator('#list .hovered .name').allTextContents();
      }, WAIT)
      .toEqual([name]);
    await see(name, page.locator('.maplibregl-popup'));
    await see(OPENING, page.locator('#list .hovered .opening'));
    const sent = page.waitForRequest(/lang=fr/);
    await canvas.click({ position: pin });
    await sent;
    await detail.getByRole('heading', { name }).waitFor();
    await see(OPENING, detail.locator('.facts .opening'));
    const visitPage = detail.getByRole('link').first();
    expect(await visitPage.textContent()).toBe('Visit page');
    expect(await visitPage.getAttribute('rel')).toContain('noopener');
    const text = detail.getByText(description);
    const folded = await heightOf(text);
    await click('Read more', detail);
    expect(await heightOf(text)).toBeGreaterThan(folded);
    await page.keyboard.press('Escape');
    const focused = 'document.activeElement.querySelector(".name")?.textContent';
    await expect.poll(() => page.evaluate(focused)).toBe(name);
  });

  it('shows what else a store has: its rental points, on the map too, and a link to it', async () => {
    const { id, geo } = stores.find((store) => store.geo.locations) as Store;
    await goTo(`store=${id}`);
    const points = detail.locator('.points li');
    await expect.poll(() => points.count()).toBe(geo.locations?.length);
    await points.getByRole('button', { name: 'Show on the map' }).last().click();
    await page.waitForURL(/map=12,/);
    await page.getByRole('link', { name: 'Directions' }).waitFor();
    await click('All stores');
    await detail.waitFor({ state: 'hidden' });
  });

  it('lists the stores of one point by key and by mouse, and shows the chosen one in short at its pin', async () => {
    await goTo('map=14,46,6');
    const names = await listedNames(page);
    expect(names.length).toBeGreaterThan(1);
    const card = page.getByRole('region', { name: `${names.length} stores here` });
    await expect
      .poll(async () => {
        await canvas.press('Enter');
        return card.locator('.name').allTextContents();
      }, WAIT)
      .toEqual(names);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await canvas.click({ position: await pinInTheMiddle() });
    // What a filter takes out is not there to choose either.
    await goTo('map=14,46,6&country.in=Poland');
    await page.getByRole('region', { name: '0 stores here' }).waitFor();
    await page.goBack();
    const [name = ''] = names;
    await card.getByRole('button', { name }).click();
    await detail.getByRole('heading', { name }).waitFor();
    const short = page.getByRole('region', { name, exact: true });
    await see(OPENING, short);
    await short.getByRole('button', { name: 'Close' }).press('Escape');
    await short.waitFor({ state: 'detached' });
    await page.goBack();
  });

  it('shows the request as it was sent, for a shell and for the client, with fields of one’s choice', async () => {
    await goTo('q=marseille');
    const summary = page.locator('#request-panel > summary');
    await summary.click();
    const text = () => page.locator('#request-text').textContent();
    await expect.poll(text).toMatch(/^curl -H "x-access-token: \$TOKEN" 'http:.*q=marseille/);
    await page.getByRole('radio', { name: 'curl' }).press('ArrowRight');
    expect(await text()).toContain('directory.list({');
    await page.getByText('Fields of the answer').click();
    await page.getByLabel('Find a field').fill('pricing.tax');
    await page.getByLabel('pricing.tax.name').check();
    await expect.poll(text).toMatch(/fields: \[\s+"pricing\.tax\.name"\s+\]/);
    await summary.click();
  });

  it('finds the nearest stores however far they are, and offers to search where the map was moved to', async () => {
    await goTo('map=11,40,-40');
    await page.getByRole('heading', { name: 'No stores here' }).waitFor();
    await click('Show the nearest');
    await untilItSays(
      page,
      /^No stores within 20 km of the middle of the map\. The nearest (is|are) \d/,
    );
    await goTo('q=marseille&verticale.in=BIKE&map=9,-30,-100');
    await page.getByRole('heading', { name: 'No stores in this part of the map' }).waitFor();
    expect(await page.getByText('pass all filters').isVisible()).toBe(false);
    await click(/^Show all \d+ stores?$/);
    await untilItSays(page, /^\d+ stores? that match “marseille”$/);
    await click('Zoom in');
    await page.locator('#search-area').click();
    await page.waitForURL((url) => !url.hash.includes('q='));
    await untilItSays(page, /^\d+ stores?$/);
  });

  it('keeps the list where it was while a store is shown, and has one stop of the Tab key for it', async () => {
    await goTo('');
    const buttons = rows.getByRole('button');
    const row = buttons.nth(20);
    await row.click();
    await detail.locator('.week').waitFor();
    const scrolled = () => page.evaluate('document.getElementById("scroller").scrollTop');
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await page.goBack();
    await detail.waitFor({ state: 'hidden' });
    expect(await scrolled()).toBe(before);
    const focused = () => page.evaluate<string>('document.activeElement.dataset.id');
    expect(await focused()).toBe(await row.getAttribute('data-id'));
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(await buttons.nth(21).getAttribute('data-id'));
    expect(await page.locator('#list button[tabindex="0"]').count()).toBe(1);
  });

  it('keeps old answers, dimmed, under a line that tells of a failure, and tries again', async () => {
    await goTo('q=marseille');
    const before = await listedNames(page);
    await page.route('**/v2/**', (route) => route.abort());
    await searchFor('marseille vel');
    await see('The stores cannot be reached. Check your connection.');
    await see(/^Trying again in \d s\.$/);
    expect(await listedNames(page)).toEqual(before);
    expect(await panel.getAttribute('aria-busy')).toBe('true');
    await see('No answer', page.locator('#request-figures'));
    // Until it gives up, the page asks by itself, too: the button could be gone before it is clicked.
    await page.getByText(/^Trying again/).waitFor({ state: 'detached' });
    // How many stores there are is not known.
    expect(await status.textContent()).toBe('');
    await page.unroute('**/v2/**');
    await click('Try again');
    await untilLoaded(page);
    expect(await page.locator('.failure').count()).toBe(0);
    // As was to be seen.
    faults.splice(0);
  });

  it('says what is wrong with a token, and goes on with the search once there is a good one', async () => {
    await goTo('q=marseille');
    await click('Forget');
    expect(await listedNames(page)).toEqual([]);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.locator('#token').fill('rsd_sk_test_0000000000000000000000');
    await click('Show stores');
    await see('Access token unknown', page.locator('#token-fault'));
    await page.locator('#token').fill(token);
    await click('Show stores');
    await untilItSays(page, 'that match “marseille”');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    // As was to be seen.
    faults.splice(0);
  });

  it('begins on a phone in the light of the manual, without its map if it must, and draws it when asked to', async () => {
    const scheme = () => page.evaluate('getComputedStyle(document.body).colorScheme');
    expect(await scheme()).toBe('light dark');
    await goTo('map=6,46.3,8');
    await page.evaluate("localStorage.setItem('starlight-theme', 'dark')");
    await page.setViewportSize(PHONE);
    await page.route('**/maplibre-gl-worker*', (route) => route.abort());
    await page.reload();
    expect(await scheme()).toBe('dark');
    await see('The map could not be loaded in full.');
    await rows.first().waitFor();
    await page.unroute('**/maplibre-gl-worker*');
    const notice = page.locator('#map-notice');
    await click('Try again', notice);
    await untilMapIsThere(page);
    expect(await notice.textContent()).toBe('');
    expect(page.url()).toContain('map=6,46.3,8');
    // As was to be seen.
    faults.splice(0);
  });

  it('has on a phone the map in full, and a list that is drawn up by finger and by key', async () => {
    await page.setViewportSize(PHONE);
    await untilLoaded(page);
    expect(await overhang(page)).toBe(0);
    await expect.poll(() => heightOf(page.locator('#map'))).toBe(844 - 56);
    const half = await heightOf(panel);
    const { x, y } = await boxOf(status);
    const before = await listedNames(page);
    // Who chooses an order does not draw the sheet.
    await order.dispatchEvent('pointerdown', { isPrimary: true, clientY: y });
    await order.dispatchEvent('pointermove', { clientY: y - 150 });
    await order.dispatchEvent('pointerup', { clientY: y - 150 });
    expect(await heightOf(panel)).toBe(half);
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 20, y - 150);
    await page.mouse.up();
    await expect.poll(() => heightOf(panel)).toBeGreaterThan(half + 200);
    // It is drawn up to read on: the list stays what it was.
    await page.waitForTimeout(400);
    expect(await listedNames(page)).toEqual(before);
    // Nothing covers its grip, where text is twice as large either.
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await click('Show the map');
    await page.evaluate("document.documentElement.style.fontSize = ''");
    await expect.poll(() => heightOf(panel)).toBeLessThan(100);
    await click(/^Filters$/);
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.locator('#verticales .name').first().waitFor();
    await sheet.getByText('Open now').click();
    await click(/^Show/, sheet);
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    await passesAxe();
    await page.emulateMedia({ media: 'print' });
    expect(await heightOf(page.locator('main'))).toBeGreaterThan(50);
    await page.emulateMedia({ media: null });
    // On its side there is room for rows: the page scrolls.
    await page.setViewportSize({ width: 844, height: 390 });
    const first = page.locator('#list li, #message h2').first();
    await expect.poll(async () => (await boxOf(first)).y).toBeLessThan(390);
    // Both at once: rows that are drawn in between would change them.
    const [body, scroller] = await page
      .locator('#panel-body, #scroller')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(body).toBe(scroller);
    expect(await overhang(page)).toBe(0);
  });
});

/** Where an element is; of no size while it is not seen. */
async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

const heightOf = async (element: Locator) => (await boxOf(element)).height;
