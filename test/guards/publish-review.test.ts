/** What keeps a bad export from going live: the review before publishing, and what the command says. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import type { ReviewOptions } from '../../scripts/guards/review-change.ts';
import { readHead } from '../../scripts/release/log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { releaseKey } from '../../src/snapshot/keys.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { liveKey } from '../support/publish-stage.ts';
import { reviewNow } from '../support/review-stage.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import {
  compileStores,
  dayOfJanuary,
  publishOptions,
  publishStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';

const LIMITS: ReviewOptions = {
  allowed: new Map(),
  now: dayOfJanuary(1),
  force: false,
};

const removing = (percent: number): ReviewOptions => ({
  ...LIMITS,
  allowed: new Map([['removed', percent]]),
});

const { signal } = new AbortController();

function watched(): CommandContext & { readonly remarks: string[] } {
  const remarks: string[] = [];
  const remark = (text: string) => void remarks.push(text);
  return { json: false, progress: SILENT_PROGRESS, signal, remark, remarks };
}

describe('a review', () => {
  let target: MemoryTarget;

  beforeEach(async () => {
    target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 40), 1);
    target.writes.length = 0;
  });

  it('tells the summary and allows a fifth of the stores to go', async () => {
    const context = watched();
    const next = await compileStores(storesFrom(9, 48));
    const { diff, seen } = await reviewNow(target, next, LIMITS, context);
    expect(diff?.removed).toHaveLength(8);
    expect(seen.head).toEqual(await readHead(target.ledger));
    expect(context.remarks).toEqual([expect.stringContaining('removed  8')]);
    expect(target.writes).toEqual([]);
  });

  it('refuses when more go, after telling the summary', async () => {
    const context = watched();
    const next = await compileStores(storesFrom(13, 50));
    await expect(reviewNow(target, next, LIMITS, context)).rejects.toMatchObject({
      code: 'suspicious_change',
      message:
        '12 of 40 stores (30 %) would go: this looks like a bad export; nothing was published',
      details: {
        refusals: [{ name: 'removed', against: 'live', count: 12, of: 40, limit: 20 }],
        diff: { removed: 12, added: 10 },
      },
      exitCode: 1,
    });
    expect(context.remarks).toHaveLength(1);
  });

  it.each([
    ['a higher bound', removing(30)],
    ['force', { ...LIMITS, force: true }],
  ])('allows them to go with %s', async (_name, limits) => {
    const next = await compileStores(storesFrom(13, 50));
    const { diff } = await reviewNow(target, next, limits, watched());
    expect(diff?.removed).toHaveLength(12);
  });

  it('allows everything where nothing is live', async () => {
    const next = await compileStores(storesFrom(1, 1));
    const { seen, diff } = await reviewNow(new MemoryTarget(), next, removing(0), watched());
    expect({ live: seen.head, of: diff?.live }).toEqual({ live: null, of: null });
  });

  it('finds the manifest of the live release in the log', async () => {
    const live = target.pointer;
    target.values.delete(releaseKey(`1-${live?.manifest.release}`));
    const next = await compileStores(storesFrom(2, 40));
    const { diff } = await reviewNow(target, next, LIMITS, watched());
    expect(diff?.removed).toHaveLength(1);
  });

  it.each(['ids', 'fingerprints', 'figures', 'chunks', 'documents'])(
    'cannot compare with a live release without its %s, which only force replaces',
    async (what) => {
      const live = await compileStores(storesFrom(1, 40));
      const { manifest, objects } = live;
      const parts = Object.values(manifest.parts).map(({ hash }) => hash);
      const documents = [...objects.keys()].filter((hash) => !parts.includes(hash));
      const part = manifest.parts[what]?.hash;
      const lost = part === undefined ? documents : [part];
      for (const hash of lost) target.values.delete(liveKey(target, hash));
      const renamed = storesFrom(1, 40).map((store) => ({ ...store, slug: `${store.slug}-b` }));
      const next = await compileStores(renamed);
      await expect(reviewNow(target, next, LIMITS, watched())).rejects.toMatchObject({
        code: 'live_unreadable',
      });
      const context = watched();
      const { diff } = await reviewNow(target, next, { ...LIMITS, force: true }, context);
      expect(diff).toBeNull();
      expect(context.remarks).toEqual(['The live release cannot be read: nothing compared']);
      // The same stores afresh heal it, and need no force.
      await reviewNow(target, live, LIMITS, watched());
      await publishRelease(live, target, publishOptions({ afresh: true }));
      const again = await reviewNow(target, next, { ...LIMITS, force: true }, watched());
      expect(again.diff?.changed).toHaveLength(40);
    },
  );
});

describe('snapshot publish', () => {
  const tool = useSnapshotTool();

  it('refuses a bad export, says why, and publishes it when told to', async () => {
    await tool.snapshot(['publish', '--source', tool.goodFile]);
    const source = join(tool.folder, 'short.ndjson');
    await writeFile(source, ndjson(storesFrom(4, 4)));
    const refused = await tool.snapshot(['publish', '--source', source]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Against live release [0-9a-f]{16} \(3 stores\):\n {2}added {4}1\n {2}removed {2}3\n {2}changed {2}0\nerror: development: 3 of 3 stores \(100 %\) would go: this looks like a bad export; nothing was published \[suspicious_change\]\n/,
    );
    expect(refused.stderr).toContain(
      '\n  removed: 3 of 3 stores (100 %) would go against the live release, at most 20 % (--allow removed=100)\n',
    );
    const dry = await tool.snapshot([
      ...['publish', '--source', source, '--allow', 'removed', '--dry-run', '--json'],
    ]);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      storeCount: 1,
      diff: { removed: 3, added: 1, changed: 0 },
      guards: { accepted: ['removed'], refusals: [] },
    });
    const forced = await tool.snapshot(['publish', '--source', source, '--force', '--json']);
    expect(JSON.parse(forced.stdout)).toMatchObject({ dryRun: false, alreadyLive: false });
    await rm(source);
  });

  it.each(['-1', '101', 'x', ''])('refuses a limit of "%s" percent', async (percent) => {
    const args = ['publish', '--source', tool.goodFile, `--allow=removed=${percent}`];
    const { code, stderr } = await tool.snapshot(args);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toMatch(
      /Expected (a percentage from 0 to 100|one of removed, .*, with =PERCENT)/,
    );
  });
});
