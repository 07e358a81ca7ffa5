/** `snapshot rollback`: an earlier release goes live again. */
import {
  environmentOption,
  type PlaceOptions,
  placeName,
  remoteOption,
} from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { authorName } from '../release/author-name.ts';
import { parseReleaseId } from '../release/kept-releases.ts';
import { withLease } from '../release/lease.ts';
import { breakLeaseOption, type LeaseChoice } from '../release/lease-option.ts';
import { type Rollback, rollBack } from '../release/roll-back.ts';
import { plural } from '../source/format-faults.ts';
import { withTarget } from '../storage/open-target.ts';

interface RollbackCommandOptions extends PlaceOptions, LeaseChoice {}

export const rollbackCommand = defineCommand<RollbackCommandOptions>({
  name: 'rollback',
  summary:
    'Put an earlier release live again. The one it replaces is marked withdrawn: publish refuses the same stores from then on, unless --force is given.',
  declare: (command) => {
    command
      .argument('[release]', 'its id or the first digits; default: what was live before')
      .addOption(breakLeaseOption())
      .addOption(environmentOption('whose stores'))
      .addOption(remoteOption());
  },
  examples: [
    ['--env production --remote', 'undoes the last publication'],
    ['9f2c41d07be85a36 --env production --remote', 'goes to a release that snapshot list shows'],
  ],
  run: async (options, context, ...[argument]) => {
    const release = argument === undefined ? null : parseReleaseId(argument);
    const author = authorName();
    const rollback = await withTarget(options, context, (target) => {
      const goBack = () => rollBack(target, { release, author, now: new Date() });
      // A prune keeps the release before the live one: nobody in need has to wait for its end.
      if (release === null) return goBack();
      const { breakLease: breaking } = options;
      return withLease(target, { kind: 'publish', holder: author, breaking }, goBack);
    });
    const { from, to, turned, withdrawn } = rollback;
    return {
      data: { environment: options.env, from, to: to.release, turned, withdrawn },
      text: () => `${placeName(options)}: ${describeRollback(rollback)}`,
    };
  },
});

function describeRollback({ from, to, turned, withdrawn }: Rollback): string {
  const content = `release ${to.release} (${plural(to.storeCount, 'store')})`;
  if (!turned) return `${content} is live already, nothing was written`;
  const origin = `published ${to.publishedAt} by ${to.author}`;
  const mark = withdrawn ? `\n${from} is withdrawn` : '';
  const before = from ?? 'what cannot be told: the pointer could not be read';
  return `${content} is live again, ${origin}, after ${before}${mark}`;
}
