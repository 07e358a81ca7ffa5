/** `snapshot view` in a real browser: two snapshots, and what differs between them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSnapshotFolder } from '../../scripts/release/snapshot-folder.ts';
import { comparePlaces } from '../../scripts/view/compare-places.ts';
import { SnapshotAnswers } from '../../scripts/view/snapshot-answers.ts';
import { ViewServer } from '../../scripts/view/view-server.ts';
import type { SourceStore } from '../../src/model/source-store.ts';
import { callTool } from '../node/call-tool.ts';
import { storesFrom } from '../node/compiled-stores.ts';
import { ndjson } from '../node/faulty-sources.ts';
import { freePort } from '../node/free-port.ts';
import { describeInBrowser, openBrowser } from './browser.ts';
import { listedNames, statusOf, untilLoaded } from './explorer-page.ts';
import { axeViolations, visit } from './visit.ts';

describeInBrowser('snapshot view', () => {
  let browser: Browser;
  let folder: string;
  let server: ViewServer;

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
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function build(name: string, stores: readonly SourceStore[]): Promise<string> {
    const source = join(folder, `${name}.ndjson`);
    const out = join(folder, name);
    await writeFile(source, ndjson([...stores]));
    const { code } = await callTool('snapshot', ['build', '--source', source, '--out', out]);
    expect(code).toBe(0);
    return out;
  }

  it('shows what was added, removed, moved and changed, and asks for no token', async () => {
    const { page, faults, close } = await visit(browser, `${server.url}#list=all`);
    await untilLoaded(page);
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
    expect(await axeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});

/** Two stores move, one gets another name. */
function changeSome(store: SourceStore): SourceStore {
  const { main } = store.geo;
  if (store.slug === 'store-50')
    return { ...store, profile: { ...store.profile, name: 'Renamed' } };
  if (store.slug !== 'store-60' && store.slug !== 'store-61') return store;
  const point = { lat: main.point.lat + 1, lng: main.point.lng };
  return { ...store, geo: { ...store.geo, main: { ...main, point } } };
}
