/** `snapshot view` in a real browser: two snapshots, and what differs between them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSnapshotFolder } from '../../scripts/build/snapshot-folder.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { comparePlaces } from '../../scripts/diff/compare-places.ts';
import { openViewServer } from '../../scripts/view/view-server.ts';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { freePort } from '../support/free-port.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { describeInBrowser, openBrowser } from './support/browser.ts';
import { changeAddress, listedNames, untilItSays, untilLoaded } from './support/explorer-page.ts';
import { axeViolations, type Visit, visit } from './support/visit.ts';

describeInBrowser('snapshot view', () => {
  let browser: Browser;
  let folder: string;
  let server: Awaited<ReturnType<typeof openViewServer>>;
  let viewed: Visit;

  beforeAll(async () => {
    [browser, folder] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), 'view-'))]);
    const stores = storesFrom(1, 120);
    const before = await openSnapshotFolder(await build('before', stores.slice(0, 110)));
    const after = await openSnapshotFolder(await build('after', stores.slice(5).map(changeSome)));
    const snapshots = {
      before: { name: 'before', release: before },
      after: { name: 'after', release: after },
      changes: await comparePlaces(before, after),
    };
    server = await openViewServer(snapshots, await freePort());
    viewed = await visit(browser, server.url);
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
    expect(await page.getByText('Add token').isVisible()).toBe(false);
    const counts = await page.locator('#changes .count').allTextContents();
    expect(counts).toEqual(['10', '5', '2', '1', '102']);
    await untilItSays(page, '18 stores');
    await page.locator('#changes label', { hasText: 'Added' }).click();
    await page.locator('#changes label', { hasText: /^Moved/ }).click();
    await untilItSays(page, '6 stores');
    expect(await listedNames(page)).toEqual([
      'Renamed',
      ...[1, 2, 3, 4, 5].map((number) => `Store ${number}`),
    ]);
    // One that is gone is still there in the earlier snapshot.
    await page.getByRole('button', { name: 'Store 3' }).click();
    await page.locator('#detail').getByText('store-3', { exact: true }).waitFor();
    await page.locator('#detail').getByText('removed').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows the map that the address asks for, else all that was found', async () => {
    const { page } = viewed;
    // All stores lie within a few degrees.
    await changeAddress(page, '');
    await expect.poll(() => zoomOf(page)).toBeGreaterThan(5);
    await untilItSays(page, '18 stores');
    await changeAddress(page, 'map=9,-30,-100');
    await page.getByRole('button', { name: 'Show all 18 stores' }).click();
    await untilItSays(page, '18 stores');
  });

  it('has the search of the service', async () => {
    const { page, faults } = viewed;
    const search = page.getByRole('combobox', { name: 'Town, postcode or store' });
    await search.fill('renam');
    await page.getByRole('option', { name: /^Renamed/ }).click();
    await page.locator('#detail').getByRole('heading', { name: 'Renamed' }).waitFor();
    expect(await page.locator('#detail .facts .badge').textContent()).toBe('changed');
    await page.keyboard.press('Escape');
    await changeAddress(page, 'changes=unchanged&verticale.in=BIKE');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await untilItSays(page, '102 stores');
    expect(faults).toEqual([]);
  });
});

/** How near the map is, as the address has it. */
const zoomOf = (page: Page): number => Number(/[#&]map=([\d.]+)/.exec(page.url())?.[1]);

/** Two stores move, one gets another name. */
function changeSome(store: SourceStore): SourceStore {
  const { main } = store.geo;
  if (store.slug === 'store-50')
    return { ...store, profile: { ...store.profile, name: 'Renamed' } };
  if (store.slug !== 'store-60' && store.slug !== 'store-61') return store;
  const point = { lat: main.point.lat + 1, lng: main.point.lng };
  return { ...store, geo: { ...store.geo, main: { ...main, point } } };
}
