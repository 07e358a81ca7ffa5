/** `snapshot purge`: everything but what is live goes, now. */

import { UsageError } from '../cli/command-error.ts';
import { plural } from '../cli/progress.ts';
import { declareSignature, type SignatureChoice, signatureOf } from '../cli/signature-options.ts';
import { nameOf } from '../release/log-entry.ts';
import { nothingLiveError, readLog } from '../release/open-log.ts';
import { purgeReleases } from '../release/purge.ts';
import { defineReleaseCommand } from './placed-command.ts';
import { collectedJson, describeCollected } from './prune.ts';

interface PurgeCommandOptions extends SignatureChoice {
  readonly yes?: boolean;
}

const COST = [
  'No rollback is possible then, until another release is published.',
  'Partners who keep a copy by changes have to walk the whole list anew.',
  'The live release is uploaded once more. When Workers read the new copy (after three minutes on Cloudflare), the rest is deleted.',
].join('\n');

export const purgeCommand = defineReleaseCommand<PurgeCommandOptions>('purge', {
  summary:
    'Delete every release except the live one, now. If a store or an address must not stay stored, first publish without it, then purge.',
  declare: (command) => {
    command.option('--yes', 'delete them; without it, say what would go and fail');
    declareSignature(command);
  },
  examples: [
    ['--env production --remote', 'says what a purge would delete, and fails'],
    [
      '--yes --note "store 5f… asked for it" --env production --remote',
      'deletes every release except the live one',
    ],
  ],
  run: async (target, options, context) => {
    const { env, place, yes = false } = options;
    const log = await readLog(target);
    const { head } = log;
    if (!head) throw nothingLiveError();
    const { kept } = await log.rule();
    const releases = kept.map(({ manifest }) => manifest.release);
    const purged = [...new Set(releases)].filter((id) => id !== head.manifest.release);
    const facts = { environment: env, live: head.manifest.release, purged };
    const others =
      purged.length === 0 ? 'no other one' : plural(purged.length, 'other kept release');
    context.remark(
      `${place}: a purge keeps release ${nameOf(head)} alone, and deletes ${others}.\n${COST}`,
    );
    if (!yes) {
      // A machine is told of it nowhere else.
      throw new UsageError('nothing was deleted: give --yes to delete it', 'usage', {
        details: facts,
      });
    }
    const { entry, deleted } = await purgeReleases(target, {
      signature: signatureOf(options),
      ...context,
    });
    return {
      data: { ...facts, ...collectedJson(deleted) },
      text: () =>
        `${place}: deleted ${describeCollected(deleted)}; release ${nameOf(entry)} is live, and the only one`,
    };
  },
});
