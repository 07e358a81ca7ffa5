/** `snapshot view` in a real browser: two snapshots, and what differs between them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSnapshotFolder } from '../../scripts/build/snapshot-folder.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { comparePlaces } from '../../scripts/view/compare-places.ts';
import { SnapshotAnswers } from '../../scripts/view/snapshot-answers.ts';
import { ViewServer } from '../../scripts/view/view-server.ts';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { freePort } from '../support/free-port.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import { changeAddress, listedNames, statusOf, untilLoaded } from './support/explorer-page.ts';
import { axeViolations, type Visit, visit } from './support/visit.ts';

describeInBrowser('snapshot view', () => {
  let browser: Browser;
  let folder: string;
  let server: ViewServer;
  let viewed: Visit;

  beforeAll(async () => {
    [browser, folder] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), 'view-'))]);
    const stores = storesFrom(1, 120);
    const before = await openSnapshotFolder(await build('before', stores.slice(0, 110)));
    const after = await openSnapshotFolder(await build('after', stores.slice(5).map(changeSome)));
    const snapshots = {
      before: { name: 'before', answers: new SnapshotAnswers(before) },
      after: { name: 'after', answers: new SnapshotAnswers(after) },
      changes: await comparePlaces(before, after),
    };
    server = await ViewServer.open(snapshots, await freePort());
    viewed = await visit(browser, `${server.url}#list=all`);
    await untilLoaded(viewed.page);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function build(name: string, stores: readonly SourceStore[]): Promise<string> {
    const source = join(folder, `${name}.ndjson`);
    const out = join(folder, name);
    // Ids may have capital letters, in which the page must not get lost.
    const capital = stores.map((store) => ({ ...store, id: store.id.toUpperCase() }));
    await writeFile(source, ndjson(capital));
    const { code } = await callTool('snapshot', ['build', '--source', source, '--out', out]);
    expect(code).toBe(0);
    return out;
  }

  it('shows what was added, removed, moved and changed, and asks for no token', async () => {
    const { page, faults } = viewed;
    expect(await page.getByLabel('Access token').isVisible()).toBe(false);
    const counts = await page.locator('#changes output').allTextContents();
    expect(counts).toEqual(['10', '5', '2', '1', '102']);
    expect(await statusOf(page)).toBe('18 stores.');
    await page.getByRole('checkbox', { name: 'Added', exact: true }).uncheck();
    await page.getByRole('checkbox', { name: 'Moved', exact: true }).uncheck();
    await page.getByText('6 stores.').waitFor();
    expect(await listedNames(page)).toEqual([
      'Renamed',
      ...[1, 2, 3, 4, 5].map((number) => `Store ${number}`),
    ]);
    // One that is gone is still there in the earlier snapshot.
    await page.getByRole('button', { name: 'Store 3' }).click();
    await page.locator('#detail').getByText('store-3', { exact: true }).waitFor();
    expect(await page.locator('#list [aria-pressed="true"] .name').textContent()).toBe('Store 3');
    expect(await axeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows the map that the address asks for, else all that was found', async () => {
    const { page } = viewed;
    // All stores lie within a few degrees.
    await changeAddress(page, '');
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(5);
    expect(await statusOf(page)).toBe('18 stores.');
    await changeAddress(page, 'map=9,-30,-100');
    expect(await statusOf(page)).toBe('18 stores, 0 in view.');
  });

  it('tells the hours of the chosen store for the instant that is looked at', async () => {
    const { page } = viewed;
    const detail = page.locator('#detail');
    const store = `list=all&store=${storeId(20)}&at=2026-05-20`;
    await changeAddress(page, `${store}T10:00:00.000Z`);
    await detail.getByText('Closes Wednesday 18:00.').waitFor();
    await changeAddress(page, `${store}T20:00:00.000Z`);
    await detail.getByText('Opens Thursday 09:00.').waitFor();
    // A map that still moves may write its view before the page hears of the other address.
    await page.evaluate(`{
      const before = location.href;
      location.hash = ${JSON.stringify(`${store}T10:00:00.000Z`)};
      history.replaceState(null, '', before);
    }`);
    await detail.getByText('Closes Wednesday 18:00.').waitFor();
  });

  it('marks what no position can be, and leaves what is half typed', async () => {
    const { page } = viewed;
    await changeAddress(page, `${NEAR}&map=9,-30,-100`);
    await page.locator('#lang').selectOption('en');
    await page.waitForURL(/lang=en/);
    await page.locator('#radius-number').fill('-5');
    await page.locator('#radius-number[aria-invalid]').waitFor();
    await page.locator('#latitude').fill('95');
    await page.locator('#latitude[aria-invalid]').waitFor();
    await page.locator('#lang').selectOption('fr');
    await page.waitForURL(/lang=fr/);
    expect(await page.locator('[aria-invalid]').evaluateAll(valuesOf)).toEqual(['95', '-5']);
    // The search is where it was, and so is the map.
    expect(page.url()).toContain(NEAR);
    expect(page.url()).toContain('map=9,-30,-100');
    await page.getByRole('button', { name: 'Everywhere' }).click();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    expect(viewed.faults).toEqual([]);
  });
});

const NEAR = 'position.latitude=48&position.longitude=7&position.radius=20';

/** How near the map is, as the address has it. */
const zoomOf = (page: Page): number => Number(/[#&]map=([\d.]+)/.exec(page.url())?.[1]);

/** Runs in the page. */
function valuesOf(inputs: readonly object[]): string[] {
  return inputs.map((input) => (input as { value: string }).value);
}

/** Two stores move, one gets another name. */
function changeSome(store: SourceStore): SourceStore {
  const { main } = store.geo;
  if (store.slug === 'store-50')
    return { ...store, profile: { ...store.profile, name: 'Renamed' } };
  if (store.slug !== 'store-60' && store.slug !== 'store-61') return store;
  const point = { lat: main.point.lat + 1, lng: main.point.lng };
  return { ...store, geo: { ...store.geo, main: { ...main, point } } };
}
