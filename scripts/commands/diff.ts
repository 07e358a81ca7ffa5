/** `snapshot diff`: what a store export, or a folder built before, would change. */

import { openChosenRelease } from '../build/release-choice.ts';
import { readRelease } from '../build/release-reader.ts';
import { type PlaceOptions, placeName, type ReleaseChoice } from '../cli/common-options.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { describeDiff, diffFigures, SHOWN_EACH_KIND } from '../diff/describe-diff.ts';
import {
  type ChangedStore,
  type ComparedRecords,
  type DetailedChange,
  diffReleases,
  explainLive,
  showDifference,
} from '../diff/diff-releases.ts';
import { readLog } from '../release/open-log.ts';
import { JsonSpool } from '../source/file-spool.ts';
import { openTarget } from '../storage/open-target.ts';

export async function run(options: ReleaseChoice & PlaceOptions, context: CommandContext) {
  const { progress, signal } = context;
  // Of changed stores people see the first few, machines all.
  const first: DetailedChange[] = [];
  const changed = new JsonSpool<DetailedChange>();
  const onChanged = (store: ChangedStore, { differences }: ComparedRecords) => {
    const change = { ...store, values: differences.map(showDifference) };
    if (first.length < SHOWN_EACH_KIND) first.push(change);
    if (context.json) changed.add(change);
  };
  await using release = await openChosenRelease(options, context);
  await using target = await openTarget(options, context);
  const { head, releases } = await readLog(target);
  const live = head && readRelease(releases.open(head.manifest));
  const all = { progress, signal, maxRead: Number.POSITIVE_INFINITY, onChanged };
  const found = await explainLive(live, () => diffReleases(live, readRelease(release), all));
  const { changed: _, lookedAt: __, ...diff } = found;
  const { changedFields } = diffFigures(found);
  const { validation, leftOut = [] } = release;
  return {
    data: { environment: options.env, ...diff, changed, changedFields, validation },
    text: () => [`${placeName(options)}:\n${describeDiff(found, first)}`, ...leftOut].join('\n'),
  };
}
