/** `snapshot purge`: everything but what is live goes, now. */

import { UsageError } from '../cli/command-error.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { defineCommand } from '../cli/run-command.ts';
import { type PurgePlan, planPurge, purgeReleases } from '../release/purge.ts';
import {
  declareSignature,
  type SignatureChoice,
  signatureOf,
} from '../release/signature-options.ts';
import { plural } from '../source/format-faults.ts';
import { withTarget } from '../storage/open-target.ts';

interface PurgeCommandOptions extends PlaceOptions, SignatureChoice {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const COST =
  'No way leads back: rollback has nowhere to go until something else is published.\nPartners who keep a copy by changes have to walk the whole list anew.\nThe next publication that needs something of it waits ten minutes before it uploads that again.';

export const purgeCommand = defineCommand<PurgeCommandOptions>('purge', {
  summary:
    'Delete every release but the live one, at once: for a store or an address that had to vanish. Publish without it first.',
  declare: (command) => {
    command
      .option('--yes', 'do it; without this it only says what it costs')
      .option('--dry-run', 'only say what would be deleted');
    declareSignature(command);
    declarePlace(command, 'whose stores');
  },
  examples: [
    ['--env production --remote', 'says what would go, and what that costs'],
    ['--yes --note "store 5f… asked for it" --env production --remote', 'deletes it'],
  ],
  run: async (options, context) => {
    const { env, dryRun = false, yes = false } = options;
    const { progress, signal } = context;
    const plan = await withTarget(options, context, async (target) => {
      const planned = await planPurge(target, { progress });
      context.progress.end();
      context.remark(`${placeName(options)}: ${describePlan(planned)}\n${COST}`);
      if (dryRun) return planned;
      if (!yes) throw unconfirmed(planned);
      return purgeReleases(target, { signature: signatureOf(options), progress, signal });
    });
    const { live, name, releases, deleted } = plan;
    const { length: deletedObjects } = deleted.objects;
    return {
      data: { environment: env, dryRun, live, purged: releases, deletedObjects },
      text: () =>
        dryRun
          ? `${placeName(options)}: nothing was deleted`
          : `${placeName(options)}: deleted ${plural(deletedObjects, 'object')}; release ${name} is live, and the only one`,
    };
  },
});

/** The plan goes with it: a machine is told of it nowhere else. */
function unconfirmed({ live, releases, deleted }: PurgePlan): UsageError {
  const details = { live, releases, objects: deleted.objects.length };
  return new UsageError('nothing was deleted: give --yes to delete it', { details });
}

function describePlan({ name, releases, deleted }: PurgePlan): string {
  const what = `${plural(releases.length, 'release')} and ${plural(deleted.objects.length, 'object')}`;
  return `all but release ${name} goes: ${what}.`;
}
