/**
 * How fast `/explore` is with many stores; takes minutes, so only when asked for:
 *
 *     EXPLORE_BARS=1 npx vitest run --project node test/pages/explore-bars.test.ts
 *
 * The figures are printed. They are judged on a machine that does nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSnapshotFolder } from '../../scripts/build/snapshot-folder.ts';
import { SnapshotAnswers } from '../../scripts/view/snapshot-answers.ts';
import { ViewServer } from '../../scripts/view/view-server.ts';
import { freePort } from '../support/free-port.ts';
import { startService } from '../support/prepared/service.ts';
import { runTool } from '../support/run-tool.ts';
import { openBrowser } from './support/browser.ts';
import { pasteToken, untilLoaded, untilMapIsThere } from './support/explorer-page.ts';
import { visit } from './support/visit.ts';

/** Milliseconds. */
const MOST_UNTIL_SHOWN = 2_000;
const LONGEST_TASK = 300;
const MINUTES = 60_000;

describe.skipIf(!process.env.EXPLORE_BARS)('/explore', () => {
  let folder: string;
  let browser: Browser;

  beforeAll(async () => {
    [folder, browser] = await Promise.all([mkdtemp(join(tmpdir(), 'bars-')), openBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function generate(count: number): Promise<string> {
    const out = join(folder, `${count}.ndjson`);
    const args = ['--count', String(count), '--seed', '7', '--out', out];
    expect((await runTool('fixtures', args)).code).toBe(0);
    return out;
  }

  it(
    'shows 2,500 stores within 2 s of the token',
    async () => {
      const source = await generate(2_500);
      const service = await startService();
      const { origin, token, state } = service.value;
      try {
        const publish = ['publish', '--source', source, '--force'];
        const env = { STORE_DIRECTORY_STATE: state };
        expect((await runTool('snapshot', publish, { env })).code).toBe(0);
        const times: number[] = [];
        for (let round = 0; round < 5; round++) {
          const { page, close } = await visit(browser, `${origin}/explore`);
          await untilMapIsThere(page);
          const started = performance.now();
          await pasteToken(page, token);
          times.push(Math.round(performance.now() - started));
          await close();
        }
        console.log(`2,500 stores shown after ${times.join(', ')} ms`);
        expect(Math.min(...times)).toBeLessThan(MOST_UNTIL_SHOWN);
      } finally {
        await service.end();
      }
    },
    10 * MINUTES,
  );

  it(
    'never blocks the page for 300 ms while 25,000 stores are panned and zoomed',
    async () => {
      const source = await generate(25_000);
      const out = join(folder, 'snapshot');
      expect((await runTool('snapshot', ['build', '--source', source, '--out', out])).code).toBe(0);
      const answers = new SnapshotAnswers(await openSnapshotFolder(out));
      const snapshots = { before: null, after: { name: 'many', answers }, changes: null };
      const server = await ViewServer.open(snapshots, await freePort());
      try {
        const { page, close } = await visit(browser, server.url);
        await untilLoaded(page);
        await untilMapIsThere(page);
        const tasks = await tasksWhile(page, () => wander(page, 10_000));
        console.log(`tasks over 50 ms: ${tasks.join(', ') || 'none'}`);
        expect(Math.max(0, ...tasks)).toBeLessThan(LONGEST_TASK);
        await close();
      } finally {
        await server.close();
      }
    },
    10 * MINUTES,
  );
});

/** Milliseconds of every task of the main thread over 50 ms while `work` is done. */
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

/** Pans by dragging and zooms by the wheel, as a person does who looks for something. */
async function wander(page: Page, milliseconds: number): Promise<void> {
  const box = await page.locator('.maplibregl-canvas').boundingBox();
  if (!box) throw new Error('there is no map');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const end = performance.now() + milliseconds;
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
  }
}
