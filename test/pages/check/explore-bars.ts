/** How fast `/explore` is with 2,500 stores: figures for a machine that does nothing else. */
import type { Page } from 'playwright-core';
import { median, quantile } from 'simple-statistics';
import { untilLoaded, untilMapIsThere } from '../support/explorer-page.ts';
import { visit } from '../support/visit.ts';
import type { Stage } from './many-stores.ts';

/** Milliseconds. */
const MOST_UNTIL_ROWS = 2_500;
const MOST_UNTIL_SUGGESTED = 200;
const LONG_TASK = 100;
const LONGEST_TASK = 300;
const WANDERING = 20_000;

const ROUNDS = 5;

const DESKTOP = { viewport: { width: 1400, height: 900 } };

/** Prints the figures. @returns what is beyond its bar */
export async function checkBars({ service, browser }: Stage): Promise<string[]> {
  const rows: number[] = [];
  const suggestions: number[] = [];
  let tasks: number[] = [];
  // The first visit warms the service.
  for (let round = 0; round <= ROUNDS; round++) {
    const started = performance.now();
    const address = `${service.origin}/explore#token=${service.token}`;
    const { page, close } = await visit(browser, address, DESKTOP);
    await page.locator('#list li').first().waitFor();
    rows.push(performance.now() - started);
    await untilMapIsThere(page);
    await untilLoaded(page);
    suggestions.push(await timeSuggestions(page));
    if (round === ROUNDS) tasks = await tasksWhile(page, () => wander(page));
    await close();
  }
  const found = {
    'ms to the first row': Math.round(median(rows.slice(1))),
    'ms from a key to its suggestions': Math.round(median(suggestions.slice(1))),
    'ms of nine such tasks in ten': tasks.length > 0 ? quantile(tasks, 0.9) : 0,
    'ms of the longest task': Math.max(0, ...tasks),
  };
  console.log(`2,500 stores, ${tasks.length} tasks over 50 ms in 20 s:`, found);
  const bars = [MOST_UNTIL_ROWS, MOST_UNTIL_SUGGESTED, LONG_TASK, LONGEST_TASK];
  return Object.entries(found).flatMap(([name, value], place) =>
    value > (bars[place] as number) ? `${value} ${name}, at most ${bars[place]}` : [],
  );
}

/** Milliseconds from a key to the suggestions of stores for what it makes. */
async function timeSuggestions(page: Page): Promise<number> {
  await page.locator('#search').fill('mar');
  await page.locator('#suggestions [role=option]').first().waitFor();
  const time = await page.evaluate<number>(`new Promise((resolve) => {
    const started = performance.now();
    const list = document.getElementById('suggestions');
    new MutationObserver((_, observer) => {
      if (list.querySelectorAll('li').length < 6) return;
      observer.disconnect();
      resolve(performance.now() - started);
    }).observe(list, { childList: true });
    const input = document.getElementById('search');
    input.value = 'mars';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })`);
  await page.locator('#search').press('Escape');
  await page.locator('#clear-search').click();
  return time;
}

/** Milliseconds of every task of the main thread over 50 ms while `work` is done: shorter ones are not told. */
async function tasksWhile(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  `);
  await work();
  return page.evaluate('window.longTasks');
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
