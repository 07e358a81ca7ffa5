/** `snapshot diff`: what a store export, or a folder built before, would change. */
import {
  environmentOption,
  type PlaceOptions,
  placeName,
  remoteOption,
} from '../cli/environment-option.ts';
import { style } from '../cli/output.ts';
import { defineCommand } from '../cli/run-command.ts';
import { compareWithLive } from '../diff/compare-with-live.ts';
import { describeDiff, diffFigures } from '../diff/describe-diff.ts';
import { withTarget } from '../publish/open-target.ts';
import { readPointer } from '../publish/published-release.ts';
import { openPublished } from '../releases/published-objects.ts';
import { declareReleaseChoice, type ReleaseChoice, withChosenRelease } from './release-choice.ts';

interface DiffOptions extends ReleaseChoice, PlaceOptions {}

export const diffCommand = defineCommand<DiffOptions>({
  name: 'diff',
  summary: 'Show what a store export, or a folder made by build, would change in what is live',
  declare: (command) => {
    declareReleaseChoice(command);
    command.addOption(environmentOption('whose stores')).addOption(remoteOption());
  },
  examples: [
    ['--source export.ndjson', 'against local development'],
    ['--snapshot dist/snapshot --env production --remote', 'against what production serves'],
    ['--source export.ndjson --json', 'every store added, removed and changed, with its fields'],
  ],
  run: async (options, context) => {
    const { result, validation, leftOut } = await withChosenRelease(options, context, (release) =>
      withTarget(options, context, async (target) => {
        const pointer = await readPointer(target);
        const live = pointer && openPublished(target, pointer.manifest);
        const { progress, signal } = context;
        const options = { progress, signal, mostRead: Number.POSITIVE_INFINITY };
        return compareWithLive(target, live, release, options);
      }),
    );
    const { changedFields } = diffFigures(result);
    const { changedCount: _, ...diff } = result;
    return {
      data: { environment: options.env, ...diff, changedFields, validation },
      text: () => [`${placeName(options)}: ${describeDiff(result, style)}`, ...leftOut].join('\n'),
    };
  },
});
