/**
 * `/explore` in a real browser, before the service under `wrangler dev`. A page with its map takes
 * seconds of a machine without a graphics card: tests that do not look at how a page begins share one.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Service } from '../support/prepared/service.ts';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import {
  changeAddress,
  listedNames,
  statusOf,
  suggestionsOf,
  untilItSays,
  untilLoaded,
  untilMapIsThere,
} from './support/explorer-page.ts';
import { askForAllStores, askForStores, openService } from './support/stage.ts';
import { axeViolations, overhang, type Visit, visit } from './support/visit.ts';

const DESKTOP = {
  viewport: { width: 1400, height: 900 },
  locale: 'fr-FR',
  permissions: ['geolocation'],
  geolocation: { latitude: 43.3, longitude: 5.38 },
};

/** What software has to draw is little. */
const SMALL = { viewport: { width: 800, height: 400 } };

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Software draws the map: a frame takes its time. */
const WAIT = { interval: 200 };

describeInBrowser('/explore', () => {
  let stage: Service;
  let browser: Browser;
  /** The desktop that tests share. */
  let visited: Visit;
  let page: Page;

  beforeAll(async () => {
    [stage, browser] = await Promise.all([openService(), openBrowser()]);
    visited = await visit(browser, `${stage.origin}/explore#token=${stage.token}`, DESKTOP);
    page = visited.page;
    await untilMapIsThere(page);
    await untilLoaded(page);
  });

  /** Whatever a test does: nothing fails, and no request leaves the origin. */
  afterEach(() => {
    expect(visited.faults).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
  });

  const search = () => page.getByRole('combobox', { name: 'Town, country or store' });
  const ask = <Doc>(query: string) => askForStores<Doc>(stage, query);

  it('takes the token of an address, keeps it for the tab alone, and begins where most stores are', async () => {
    expect(page.url()).not.toContain('token');
    await page.getByText('Token in use').waitFor();
    const seen = await page.evaluate(
      'JSON.stringify([location.href, document.cookie, {...localStorage}, document.documentElement.outerHTML])',
    );
    expect(seen).not.toContain(stage.token);
    expect(await page.evaluate('Object.values(sessionStorage)')).toEqual([stage.token]);
    const far = page.getByText(/^\d+ stores farther away: show$/);
    const number = Number.parseInt((await far.textContent()) ?? '', 10);
    await far.getByRole('button').click();
    await expect.poll(() => page.locator('#list li').count()).toBe(number);
    await page.getByRole('button', { name: 'back to the map' }).click();
    expect(Number(/[#&]map=([\d.]+)/.exec(page.url())?.[1])).toBeGreaterThan(2);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('suggests towns and stores as one types, with one request under way, by mouse and by keyboard', async () => {
    let [underWay, most] = [0, 0];
    const count = (step: number) => (request: { url(): string }) => {
      if (/[?&]q=/.test(request.url())) underWay += step;
      most = Math.max(most, underWay);
    };
    page.on('request', count(1));
    page.on('requestfinished', count(-1));
    page.on('requestfailed', count(-1));
    await search().pressSequentially('marseil');
    await page.getByRole('option', { name: /^Marseille vélos/ }).waitFor();
    expect((await suggestionsOf(page))[0]).toBe('Marseille');
    expect(most).toBe(1);
    await search().press('Escape');
    expect(await search().getAttribute('aria-expanded')).toBe('false');
    await search().press('ArrowDown');
    await page.getByRole('option', { name: /^Marseille vélos/ }).waitFor();
    await search().press('ArrowDown');
    const active = await search().getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).textContent()).toBe('MarseilleFrance');
    await search().press('Enter');
    await untilItSays(page, 'within 20 km of Marseille');
    expect(await page.getByLabel('Order').inputValue()).toBe('nearest');
    await page.locator('#list .distance').first().getByText(/ k?m$/).waitFor();
    // A store opens.
    await search().fill('marseille vel');
    await page.getByRole('option', { name: /^Marseille vélos/ }).click();
    await page.locator('#detail').getByRole('heading', { name: 'Marseille vélos' }).waitFor();
    await page.goBack();
    await page.locator('#detail').waitFor({ state: 'hidden' });
    await untilItSays(page, 'within 20 km of Marseille');
  });

  it('finds what is near the user and near a point, and says beside a field what is wrong with it', async () => {
    await page.getByRole('button', { name: 'Near me' }).click();
    await untilItSays(page, 'within 20 km of Your position');
    const button = page.getByRole('button', { name: 'Advanced' });
    await button.click();
    const { x, y, height } = (await button.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    const form = page.getByRole('dialog', { name: 'Around a point' });
    await expect.poll(() => form.boundingBox()).toMatchObject({ x, y: y + height + 8 });
    await page.getByLabel('Latitude').fill('200');
    await page.getByLabel('Longitude').fill('Milano');
    await page.getByRole('button', { name: 'Search there' }).click();
    await page.getByText('Latitude is a number from -90 to 90.').waitFor();
    await page.getByText('Longitude is a number from -180 to 180.').waitFor();
    await page.getByLabel('Latitude').fill('52,23');
    await page.getByLabel('Longitude').fill('21.01');
    // As the address has it, to 10 m.
    await page.getByLabel('Radius in km').fill('20.0012');
    await page.getByRole('button', { name: 'Search there' }).click();
    const { total } = await ask(
      'position.latitude=52.23&position.longitude=21.01&position.radius=20&limit=0',
    );
    await untilItSays(page, `${total} stores within 20 km of 52.23, 21.01`);
    await search().fill('xyzzyplugh');
    await search().press('Enter');
    await page.getByText('No town, country or store is called “xyzzyplugh”.').waitFor();
    expect(await search().getAttribute('aria-expanded')).toBe('false');
    // All of a country, though no store in view is in it; then a town of another one.
    await search().fill('bikes in Italien');
    await search().press('Enter');
    await page.waitForURL(/verticale\.in=BIKE&country\.in=Italy/);
    await expect.poll(() => page.locator('#list li').count()).toBeGreaterThan(1);
    await search().fill('Marseille');
    await search().press('Enter');
    await untilItSays(page, /^\d+ stores? within 20 km of Marseille/);
    await search().fill('');
    await search().press('Enter');
    await untilItSays(page, /^\d+ stores?$/);
  });

  it('lets the list follow the map, and Back undo the last act, not the last move', async () => {
    await changeAddress(page, 'map=9,52.2,21');
    const near = await listedNames(page);
    const { docs } = await ask<Named>('bbox=20.5,51.9,21.5,52.5&fields=id,profile.name');
    for (const { profile } of docs) expect(near).toContain(profile.name);
    const entries = () => page.evaluate<number>('history.length');
    const before = await entries();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL(/map=10/);
    expect(await entries()).toBe(before);
    await page.getByLabel('Order').selectOption({ label: 'Rating and votes' });
    expect(await entries()).toBe(before + 1);
    await page.goBack();
    expect(await page.getByLabel('Order').inputValue()).toBe('name');
    expect(page.url()).toContain('map=10');
    // A click on the empty map does nothing.
    const url = page.url();
    await page.locator('.maplibregl-canvas').click({ position: { x: 20, y: 300 } });
    expect(page.url()).toBe(url);
  });

  it('filters by chips that have their numbers, and goes back to all', async () => {
    await changeAddress(page, '');
    const { facets } = await ask('limit=0&facets=verticales,countries');
    const chip = page.locator('#verticales label', { hasText: /^Bikes/ });
    const kinds = () => page.locator('#verticales .name').allTextContents();
    const before = await kinds();
    await expect.poll(() => chip.textContent()).toMatch(/^Bikes [\d,]+$/);
    const sent = page.waitForRequest((request) => request.url().includes('verticale.in=BIKE'));
    await chip.click();
    await sent;
    await untilLoaded(page);
    expect(page.url()).toContain('verticale.in=BIKE');
    await page.getByRole('button', { name: 'Country' }).click();
    await page.locator('#countries label', { hasText: 'Poland' }).click();
    await page.waitForURL(/country\.in=Poland/);
    await page.keyboard.press('Escape');
    await untilItSays(page, /^\d stores?$/);
    const found = Number.parseInt(await statusOf(page), 10);
    expect(facets?.countries?.Poland).toBeGreaterThan(found);
    // The number of a filter is what it leaves beside the others.
    await expect.poll(() => chip.textContent()).toBe(`Bikes ${found}`);
    // None moves or goes while another is ticked: those without a store are grey.
    expect(await kinds()).toEqual(before);
    await page.getByText('Open now').click();
    await page.waitForURL(/openAt=now/);
    // At night, when none of them is open, the list offers the same.
    await page.locator('#clear-filters').click();
    await page.waitForURL((url) => !url.hash.includes('verticale'));
    await untilLoaded(page);
    expect(page.url()).not.toContain('openAt');
  });

  it('lights up row and pin together, and tells of a store what one asks first, in one’s language', async () => {
    const { name, description, lat, lng } = await findTalkative(stage);
    await changeAddress(page, `map=13,${lat},${lng}`);
    const canvas = page.locator('.maplibregl-canvas');
    const box = await canvas.boundingBox();
    const pin = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 - 15 };
    // The pin is there once the map has drawn it.
    await expect
      .poll(async () => {
        await canvas.hover({ position: { ...pin, x: pin.x + 1 } });
        await canvas.hover({ position: pin });
        return page.locator('#list .hovered .name').allTextContents();
      }, WAIT)
      .toEqual([name]);
    await page.locator('.maplibregl-popup').getByText(name).waitFor();
    await page
      .locator('#list .hovered .opening')
      .getByText(/^(Open|Closed)/)
      .waitFor();
    const sent = page.waitForRequest((request) => request.url().includes('lang=fr'));
    await canvas.click({ position: pin });
    await sent;
    const detail = page.locator('#detail');
    await detail.getByRole('heading', { name, exact: true }).waitFor();
    await detail
      .locator('.facts .opening')
      .getByText(/^(Open|Closed)/)
      .waitFor();
    const visitPage = detail.getByRole('link').first();
    expect(await visitPage.textContent()).toBe('Visit page');
    expect(await visitPage.getAttribute('rel')).toContain('noopener');
    expect(await detail.locator('.week tr').count()).toBe(7);
    const text = detail.getByText(description);
    const folded = await text.evaluate(heightOf);
    await detail.getByRole('button', { name: 'Read more' }).click();
    expect(await text.evaluate(heightOf)).toBeGreaterThan(folded);
    await page.keyboard.press('Escape');
    const focused = 'document.activeElement.querySelector(".name")?.textContent';
    await expect.poll(() => page.evaluate(focused)).toBe(name);
  });

  it('shows what else a store has: its rental points, on the map too, and a link to it', async () => {
    const stores = await askForAllStores<WithPoints>(stage, 'fields=id,geo.locations');
    const { id, geo } = stores.find((store) => store.geo.locations) as WithPoints;
    await changeAddress(page, `store=${id}`);
    const points = page.locator('#detail .points li');
    await expect.poll(() => points.count()).toBe(geo.locations?.length);
    await points.getByRole('button', { name: 'Show on the map' }).last().click();
    await page.waitForURL(/map=12,/);
    const directions = page.getByRole('link', { name: 'Directions' });
    expect(await directions.getAttribute('href')).toMatch(/^https:.*directions/);
    await page.getByRole('button', { name: 'All stores' }).click();
    await page.locator('#detail').waitFor({ state: 'hidden' });
  });

  it('lists the stores of one point by key and by mouse, and shows the chosen one in short at its pin', async () => {
    await changeAddress(page, 'map=14,46,6');
    const names = await listedNames(page);
    expect(names.length).toBeGreaterThan(1);
    const canvas = page.locator('.maplibregl-canvas');
    const card = page.getByRole('region', { name: `${names.length} stores here` });
    await expect
      .poll(async () => {
        await canvas.press('Enter');
        return card.locator('.name').allTextContents();
      }, WAIT)
      .toEqual(names);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
    await canvas.click({ position: { x: width / 2, y: height / 2 - 15 } });
    const [name = ''] = names;
    await card.getByRole('button', { name }).click();
    await page.locator('#detail').getByRole('heading', { name }).waitFor();
    const short = page.getByRole('region', { name, exact: true });
    await short.getByText(/^(Open|Closed)/).waitFor();
    await short.getByRole('button', { name: 'Close' }).press('Escape');
    await short.waitFor({ state: 'detached' });
    await page.goBack();
  });

  it('lists stores where the map cannot come, says so, and draws it when asked to try again', async () => {
    const { page: bare, close } = await visit(browser, `${stage.origin}/openapi.json`, SMALL);
    await bare.route('**/maplibre-gl-worker*', (route) => route.abort());
    await bare.goto(`${stage.origin}/explore#token=${stage.token}&map=6,46.3,8`);
    await bare.getByText('The map could not be loaded in full.').waitFor();
    await bare.locator('#list li').first().waitFor();
    await bare.unroute('**/maplibre-gl-worker*');
    await bare.locator('#map-notice').getByRole('button', { name: 'Try again' }).click();
    await untilMapIsThere(bare);
    expect(await bare.locator('#map-notice').textContent()).toBe('');
    expect(bare.url()).toContain('map=6,46.3,8');
    await close();
  });

  it('shows the request as it was sent, for a shell and for the client, with fields of one’s choice', async () => {
    await changeAddress(page, 'q=marseille');
    await page.locator('#request-panel > summary').click();
    const text = async () => (await page.locator('#request-text').textContent()) ?? '';
    await expect.poll(text).toMatch(/^curl -H "x-access-token: \$TOKEN" 'http:.*q=marseille/);
    await page.getByRole('radio', { name: 'curl' }).press('ArrowRight');
    expect(await text()).toContain('directory.list({');
    await page.getByText('Fields of the answer').click();
    await page.getByLabel('Find a field').fill('pricing.tax');
    await page.getByLabel('pricing.tax.name').check();
    await expect.poll(text).toMatch(/fields: \[\s+"pricing\.tax\.name"\s+\]/);
    await page.locator('#request-panel > summary').click();
  });

  it('finds the nearest stores however far they are, and offers to search where the map was moved to', async () => {
    const milan = 'position.latitude=45.46&position.longitude=9.19&position.radius=20&place=Milan';
    await changeAddress(page, `${milan}&verticale.in=BIKE`);
    await untilItSays(
      page,
      /^No bikes within 20 km of Milan\. The nearest (is|are) \d+ km away\.$/,
    );
    await page.locator('#list .distance').first().getByText(/ km$/).waitFor();
    await changeAddress(page, 'map=11,40,-40');
    await page.getByRole('heading', { name: 'No stores here' }).waitFor();
    await page.getByRole('button', { name: 'Show the nearest' }).click();
    await untilItSays(page, /^No stores within 20 km of the middle of the map\. The nearest/);
    await changeAddress(page, 'q=marseille&verticale.in=BIKE&map=9,-30,-100');
    await page.getByRole('heading', { name: 'No stores in this part of the map' }).waitFor();
    expect(await page.getByText('pass all filters').isVisible()).toBe(false);
    await page.getByRole('button', { name: /^Show all \d+ stores?$/ }).click();
    await untilItSays(page, /^\d+ stores? that match “marseille”$/);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.locator('#search-area').click();
    await page.waitForURL((url) => !url.hash.includes('q='));
    await untilItSays(page, /^\d+ stores?$/);
  });

  it('keeps the list where it was while a store is shown, and has one stop of the Tab key for it', async () => {
    await changeAddress(page, '');
    const row = page.locator('#list button').nth(20);
    await row.click();
    await page.locator('#detail .week').waitFor();
    const scrolled = () =>
      page.locator('#scroller').evaluate((it: { scrollTop: number }) => it.scrollTop);
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await page.goBack();
    await page.locator('#detail').waitFor({ state: 'hidden' });
    expect(await scrolled()).toBe(before);
    const focused = () => page.evaluate<string>('document.activeElement.dataset.id');
    expect(await focused()).toBe(await row.getAttribute('data-id'));
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(
      await page.locator('#list button').nth(21).getAttribute('data-id'),
    );
    expect(await page.locator('#list button[tabindex="0"]').count()).toBe(1);
  });

  it('keeps old answers, dimmed, under a line that tells of a failure, and tries again', async () => {
    const { page: failing, close } = await visit(
      browser,
      `${stage.origin}/explore#token=${stage.token}&q=marseille`,
      DESKTOP,
    );
    await untilItSays(failing, 'match “marseille”');
    const before = await listedNames(failing);
    await failing.route('**/v2/**', (route) => route.abort());
    const field = failing.getByRole('combobox', { name: 'Town' });
    await field.fill('marseille vel');
    await field.press('Enter');
    await failing.getByText('The stores cannot be reached. Check your connection.').waitFor();
    await failing.getByText(/^Trying again in \d s\.$/).waitFor();
    expect(await listedNames(failing)).toEqual(before);
    expect(await failing.locator('#panel').getAttribute('aria-busy')).toBe('true');
    await failing.locator('#request-figures').getByText('No answer').waitFor();
    // Until it gives up, the page asks by itself, too: the button could be gone before it is clicked.
    await failing.getByText(/^Trying again/).waitFor({ state: 'detached' });
    // How many stores there are is not known.
    expect(await statusOf(failing)).toBe('');
    await failing.unroute('**/v2/**');
    await failing.getByRole('button', { name: 'Try again' }).click();
    await untilLoaded(failing);
    expect(await failing.locator('.failure').count()).toBe(0);
    await close();
  });

  it('says what is wrong with a token, and goes on with the search once there is a good one', async () => {
    const { page: fresh, close } = await visit(browser, `${stage.origin}/explore`, DESKTOP);
    await fresh.locator('#token').fill('rsd_sk_test_0000000000000000000000');
    await fresh.getByRole('button', { name: 'Show stores' }).click();
    await fresh.locator('#token-fault').getByText('Access token unknown').waitFor();
    await fresh.locator('#token').fill(stage.token);
    await fresh.getByRole('button', { name: 'Show stores' }).click();
    await untilLoaded(fresh);
    expect(await fresh.evaluate('document.activeElement.id')).toBe('search');
    await fresh.getByRole('button', { name: 'Forget' }).click();
    expect(await listedNames(fresh)).toEqual([]);
    expect(await fresh.evaluate('sessionStorage.length')).toBe(0);
    await close();
  });

  it('has on a phone the map in full, and a list that is drawn up by finger and by key', async () => {
    const address = `${stage.origin}/explore#token=${stage.token}`;
    const { page: phone, faults, close } = await visit(browser, address, PHONE);
    // Once the map is there, the list has what is seen of it.
    await untilMapIsThere(phone);
    await untilLoaded(phone);
    expect(await overhang(phone)).toBe(0);
    const heightOfThe = (selector: string) => phone.locator(selector).evaluate(heightOf);
    expect(await heightOfThe('#map')).toBe(844 - 56);
    const half = await heightOfThe('#panel');
    const box = await phone.locator('#status').boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10];
    const before = await listedNames(phone);
    // Who chooses an order does not draw the sheet.
    const order = phone.getByLabel('Order');
    await order.dispatchEvent('pointerdown', { isPrimary: true, clientY: y });
    await order.dispatchEvent('pointermove', { clientY: y - 150 });
    await order.dispatchEvent('pointerup', { clientY: y - 150 });
    expect(await heightOfThe('#panel')).toBe(half);
    await phone.mouse.move(x, y);
    await phone.mouse.down();
    await phone.mouse.move(x, y - 150, { steps: 3 });
    await phone.mouse.up();
    await expect.poll(() => heightOfThe('#panel')).toBeGreaterThan(half + 200);
    // It is drawn up to read on: the list stays what it was.
    await phone.waitForTimeout(400);
    expect(await listedNames(phone)).toEqual(before);
    await phone.getByRole('button', { name: 'Show the map' }).press('Enter');
    await expect.poll(() => heightOfThe('#panel')).toBeLessThan(100);
    await phone.getByRole('button', { name: 'Filters', exact: true }).click();
    await phone.locator('#filter-sheet #verticales .name').first().waitFor();
    await phone.locator('#filter-sheet').getByText('Open now').click();
    await phone.locator('#filter-sheet').getByRole('button', { name: /^Show/ }).click();
    await phone.getByRole('button', { name: 'Filters (1)' }).waitFor();
    expect(await axeViolations(phone)).toEqual([]);
    await phone.emulateMedia({ media: 'print' });
    expect((await phone.locator('main').boundingBox())?.height).toBeGreaterThan(50);
    await phone.emulateMedia({ media: null });
    // On its side there is room for rows: the page scrolls.
    await phone.setViewportSize({ width: 844, height: 390 });
    const row = phone.locator('#list li, #message h2').first();
    await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThan(390);
    // Both at once: rows that are drawn in between would change them.
    const [body, scroller] = await phone
      .locator('#panel-body, #scroller')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(body).toBe(scroller);
    expect(await overhang(phone)).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  it('has the light that was chosen in the manual, whatever that of the system', async () => {
    const { page: lit, close } = await visit(browser, `${stage.origin}/explore`);
    const scheme = () => lit.evaluate('getComputedStyle(document.body).colorScheme');
    expect(await scheme()).toBe('light dark');
    await lit.evaluate("localStorage.setItem('starlight-theme', 'dark')");
    await lit.reload();
    expect(await scheme()).toBe('dark');
    await close();
  });

  it('says what it needs where there are no scripts', async () => {
    const { page: plain, close } = await visit(browser, `${stage.origin}/explore`, {
      javaScriptEnabled: false,
    });
    expect(await plain.locator('.no-scripts').isVisible()).toBe(true);
    expect(await plain.locator('#search').isVisible()).toBe(false);
    await close();
  });
});

interface Named {
  readonly profile: { readonly name: string };
}

interface WithPoints {
  readonly id: string;
  readonly geo: { readonly locations: readonly unknown[] | null };
}

interface Point {
  readonly lat: number;
  readonly lng: number;
}

interface Talkative {
  readonly profile: { readonly name: string; readonly description: string };
  readonly geo: { readonly location: { readonly point: Point } | null };
}

/** A store with more to say in French than three lines hold. */
async function findTalkative(stage: Service) {
  const fields = 'profile.name,profile.description,geo.location.point';
  const docs = await askForAllStores<Talkative>(stage, `lang=fr&fields=${fields}`);
  const isTalkative = ({ profile, geo }: Talkative) =>
    geo.location && profile.description.length > 400;
  const { profile, geo } = docs.find(isTalkative) as Talkative;
  return { ...profile, ...(geo.location as NonNullable<Talkative['geo']['location']>).point };
}

/** Runs in the page. */
function heightOf(element: object): number {
  return (element as { getBoundingClientRect(): { height: number } }).getBoundingClientRect()
    .height;
}
