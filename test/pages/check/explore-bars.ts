/** How fast `/explore` is with 2,500 stores: figures for a machine that does nothing else. */
import type { Page } from 'playwright-core';
import { median, quantile } from 'simple-statistics';
import { visit } from '../support/browser.ts';
import { listedNames, untilLoaded, untilMapIsThere } from '../support/explorer-page.ts';
import type { Stage } from './many-stores.ts';
import { DESKTOP } from './scenes.ts';

/** 1.6 Mbit/s, and 150 ms there and back. */
const SLOW_LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 200_000,
};

const WANDERING = 20_000;

const ROUNDS = 5;

/** Prints the figures. @returns what is beyond its bar */
export async function checkBars(stage: Stage): Promise<string[]> {
  // The first visit warms the service.
  await timeVisit(stage, false);
  const warm: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) warm.push(await timeVisit(stage, false));
  const slow = await timeVisit(stage, true);
  const tasks = await tasksOfWandering(stage);
  const figures: readonly [what: string, time: number, bar: number][] = [
    ['to the first row', median(warm.map(({ row }) => row)), 2_500],
    ['from a key to a store among the suggestions', median(warm.map(({ store }) => store)), 200],
    ['of nine long tasks in ten', tasks.length > 0 ? quantile(tasks, 0.9) : 0, 100],
    ['of the longest task', Math.max(0, ...tasks), 300],
    ['to the first row, on a slow line', slow.row, 2_500],
    ['to the map, on a slow line', slow.map, 5_000],
    ['from a key to a store, on a slow line', slow.store, 500],
  ];
  console.log(`2,500 stores, ${tasks.length} tasks over 50 ms in 20 s:`);
  for (const [what, time] of figures) console.log(`${Math.round(time)} ms ${what}`);
  return figures
    .filter(([, time, bar]) => time > bar)
    .map(([what, time, bar]) => `${Math.round(time)} ms ${what}, at most ${bar}`);
}

type Times = Awaited<ReturnType<typeof timeVisit>>;

/** Milliseconds from navigation to the first row and the map, and from a key to a store. */
async function timeVisit(stage: Stage, isSlow: boolean) {
  const { page } = await openExplore(stage);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  if (isSlow) await session.send('Network.emulateNetworkConditions', SLOW_LINE);
  const started = performance.now();
  await page.reload({ waitUntil: 'commit' });
  await page.locator('#list li').first().waitFor();
  const row = performance.now() - started;
  await untilMapIsThere(page);
  const map = performance.now() - started;
  await untilLoaded(page);
  const store = await timeSuggestion(page);
  await page.context().close();
  return { row, map, store };
}

/** Opens the page, with the token that its tab keeps. */
const openExplore = ({ service, browser }: Stage) =>
  visit(browser, `${service.origin}/explore#token=${service.token}`, DESKTOP);

/** Milliseconds from a key to the suggestion of the store whose name it completes. */
async function timeSuggestion(page: Page): Promise<number> {
  const [name] = await listedNames(page);
  return page.evaluate<number>(`new Promise((resolve) => {
    const name = ${JSON.stringify(name)};
    const started = performance.now();
    const list = document.getElementById('suggestions');
    new MutationObserver((_, observer) => {
      if (![...list.querySelectorAll('.text')].some((text) => text.textContent === name)) return;
      observer.disconnect();
      resolve(performance.now() - started);
    }).observe(list, { childList: true, subtree: true, characterData: true });
    const input = document.getElementById('search');
    input.value = name;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })`);
}

/** Milliseconds of every task of the main thread over 50 ms while a person looks around: shorter ones are not told. */
async function tasksOfWandering(stage: Stage): Promise<number[]> {
  const { page } = await openExplore(stage);
  await untilMapIsThere(page);
  await untilLoaded(page);
  await page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(duration);
    }).observe({ type: 'longtask' });
  `);
  await wander(page);
  const tasks = await page.evaluate<number[]>('window.longTasks');
  await page.context().close();
  return tasks;
}

/** Pans, zooms, types and opens stores, as a person does who looks for something. */
async function wander(page: Page): Promise<void> {
  const box = await page.locator('.maplibregl-canvas').boundingBox();
  if (!box) throw new Error('there is no map');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const end = performance.now() + WANDERING;
  for (let turn = 0; performance.now() < end; turn++) {
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.wheel(0, turn % 8 < 4 ? -400 : 400);
    await page.waitForTimeout(300);
    await page.mouse.down();
    const angle = turn * 1.1;
    const target = { x: middle.x + 220 * Math.cos(angle), y: middle.y + 160 * Math.sin(angle) };
    await page.mouse.move(target.x, target.y, { steps: 12 });
    await page.mouse.up();
    await page.waitForTimeout(200);
    if (turn % 6 !== 5) continue;
    await page.locator('#search').pressSequentially('mars', { delay: 80 });
    await page.locator('#search').press('Escape');
    await page.locator('#clear-search').click();
    await untilLoaded(page);
    const row = page.locator('#list button').first();
    if ((await row.count()) === 0) continue;
    await row.click();
    await page.locator('.back').click();
  }
}
