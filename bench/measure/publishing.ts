/**
 * What it takes to build, with the command that data teams use, and what a change brings up. What publishing writes
 * and asks for is counted by test/release/publish-pace.test.ts.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sum } from 'simple-statistics';
import { LARGE, SMALL } from '../choices.ts';
import { snapshotCommand } from '../data/stores.ts';
import { megabytes, percent, seconds } from '../report/figures.ts';
import type { Run } from './run.ts';

/** Seconds that a build may take. */
const BUILD: Readonly<Record<number, number>> = { [SMALL]: 3, [LARGE]: 90 };
const CHANGED_SHARE = 0.08;
/** Bytes of the parts that conditions read, of a large directory. */
const PARTS = { words: 6e6, hours: 8e6, deliveries: 6e6, settings: 1.5e6 };

export async function measurePublishing(run: Run): Promise<void> {
  const { storeCount, where, findings, scene } = run;
  const { sourceFolder, snapshots } = scene.data;
  const source = join(sourceFolder, 'live.ndjson');
  const start = performance.now();
  await snapshotCommand('build', '--source', source, '--out', join(scene.folder, 'snapshot'));
  const took = (performance.now() - start) / 1000;
  findings.atMost(`build of ${where}`, seconds, '', took, BUILD[storeCount] ?? Infinity);
  if (storeCount === LARGE) {
    const parts = Object.entries(snapshots.live.manifest.parts);
    for (const [label, most] of Object.entries(PARTS)) {
      const own = parts.filter(([name]) => name.split('/')[0] === label);
      // No number where the part is gone.
      const bytes = sum(own.map(([, part]) => part.bytes)) || Number.NaN;
      findings.atMost(`parts of conditions, ${where}`, megabytes, label, bytes, most);
    }
  }
  const share = await shareOfNew(snapshots.live.objectsFolder, snapshots.later.objectsFolder);
  const what = 'share of the bytes that go up after 1 % of stores changed';
  findings.atMost(what, percent, where, share, CHANGED_SHARE);
}

/** Returns the bytes of the objects in `after` that `before` lacks, as a share of all in `after`. */
async function shareOfNew(before: string, after: string): Promise<number> {
  const known = new Set(await readdir(before));
  let all = 0;
  let fresh = 0;
  for (const name of await readdir(after)) {
    const { size } = await stat(join(after, name));
    all += size;
    if (!known.has(name)) fresh += size;
  }
  return fresh / all;
}
