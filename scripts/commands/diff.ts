/** `snapshot diff`: what a store export, or a folder built before, would change. */

import {
  declareReleaseChoice,
  type ReleaseChoice,
  withChosenRelease,
} from '../build/release-choice.ts';
import { readRelease } from '../build/release-reader.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
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
import { withTarget } from '../storage/open-target.ts';

export const diffCommand = defineCommand<ReleaseChoice & PlaceOptions>('diff', {
  summary: 'Compare a store export, or a folder made by build, with the live release',
  declare: (command) => {
    declareReleaseChoice(command);
    declarePlace(command);
  },
  examples: [
    ['--source export.ndjson', 'compares with local development'],
    ['--snapshot dist/snapshot --env production --remote', 'compares with what production serves'],
    [
      '--source export.ndjson --json',
      'prints every store that was added, removed or changed, with its fields',
    ],
  ],
  run: async (options, context) => {
    // Of changed stores people see the first few, machines all.
    const first: DetailedChange[] = [];
    const changed = new JsonSpool<DetailedChange>();
    const onChanged = (store: ChangedStore, { differences }: ComparedRecords) => {
      const change = { ...store, values: differences.map(showDifference) };
      if (first.length < SHOWN_EACH_KIND) first.push(change);
      if (context.json) changed.add(change);
    };
    const { result, validation, leftOut } = await withChosenRelease(options, context, (release) =>
      withTarget(options, context, async (target) => {
        const { head, releases } = await readLog(target);
        const live = head && readRelease(releases.open(head.manifest));
        const { progress, signal } = context;
        const all = { progress, signal, maxRead: Number.POSITIVE_INFINITY, onChanged };
        return explainLive(live, () => diffReleases(live, readRelease(release), all));
      }),
    );
    const { changed: _, lookedAt: __, ...diff } = result;
    const { changedFields } = diffFigures(result);
    return {
      data: { environment: options.env, ...diff, changed, changedFields, validation },
      text: () => [`${placeName(options)}:\n${describeDiff(result, first)}`, ...leftOut].join('\n'),
    };
  },
});
