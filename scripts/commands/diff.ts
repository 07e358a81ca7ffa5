/** `snapshot diff`: what a store export, or a folder built before, would change. */

import { makeWorkFolder, openChosenRelease } from '../build/release-choice.ts';
import { readRelease } from '../build/release-reader.ts';
import type { PlaceOptions, ReleaseChoice } from '../cli/common-options.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { diffReleases, readChanges } from '../diff/compare-releases.ts';
import {
  type DetailedChange,
  describeChange,
  describeDiff,
  diffFigures,
  MAX_SHOWN,
} from '../diff/describe-diff.ts';
import { readLog } from '../release/open-log.ts';
import { JsonSpool } from '../source/file-spool.ts';
import { openTarget } from '../storage/open-target.ts';

export async function run(options: ReleaseChoice & PlaceOptions, context: CommandContext) {
  await using workFolder = await makeWorkFolder(context.signal);
  const release = await openChosenRelease(options, workFolder.path, context);
  await using target = await openTarget(options, context);
  const { head, open } = await readLog(target);
  const live = head && open(head.manifest, 'live_unreadable');
  const next = readRelease(release, 'snapshot_damaged');
  const diff = await diffReleases(live, next);
  // Of changed stores people see the first few, machines all.
  const first: DetailedChange[] = [];
  const changed = new JsonSpool<DetailedChange>();
  for await (const change of readChanges(diff, live, next, diff.changed, context)) {
    const detailed = describeChange(change);
    if (first.length < MAX_SHOWN) first.push(detailed);
    if (context.json) changed.add(detailed);
  }
  const { validation, leftOut } = release;
  return {
    data: {
      ...diffFigures(diff),
      added: diff.added.map(({ id, slug }) => ({ id, slug })),
      removed: diff.removed,
      changed,
      validation,
    },
    text: [describeDiff(diff, first), ...leftOut].join('\n'),
  };
}
