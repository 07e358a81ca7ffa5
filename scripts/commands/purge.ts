/** `snapshot purge`: everything but what is live goes, now. */

import { UsageError } from '../cli/command-error.ts';
import {
  type PlaceOptions,
  placeName,
  type SignatureChoice,
  signatureOf,
} from '../cli/common-options.ts';
import { plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { nameOf } from '../release/log-entry.ts';
import { nothingLiveError, readLog } from '../release/open-log.ts';
import { purgeReleases } from '../release/purge.ts';
import { openTarget } from '../storage/open-target.ts';
import { collectedJson, describeCollected } from './prune.ts';

interface PurgeChoice extends SignatureChoice, PlaceOptions {
  readonly yes?: boolean;
}

const COST = [
  'No rollback is possible then, until another release is published.',
  'Partners who keep a copy by changes have to walk the whole list anew.',
  'The live release is uploaded once more. When Workers read the new copy (after three minutes on Cloudflare), the rest is deleted.',
].join('\n');

export async function run(options: PurgeChoice, context: CommandContext) {
  await using target = await openTarget(options, context);
  const { env, yes = false } = options;
  const place = placeName(options);
  const log = await readLog(target);
  const { head } = log;
  if (!head) throw nothingLiveError();
  const { kept } = await log.rule();
  const releases = kept.map(({ manifest }) => manifest.release);
  const purged = [...new Set(releases)].filter((id) => id !== head.manifest.release);
  const facts = { environment: env, live: head.manifest.release, purged };
  const others = purged.length === 0 ? 'no other one' : plural(purged.length, 'other kept release');
  context.remark(
    `${place}: a purge keeps release ${nameOf(head)} alone, and deletes ${others}.\n${COST}`,
  );
  if (!yes) {
    // A machine is told of it nowhere else.
    throw new UsageError('nothing was deleted: give --yes to delete it', 'usage', {
      details: facts,
    });
  }
  const order = { signature: signatureOf(options), ...context };
  const { entry, deleted } = await purgeReleases(target, order);
  return {
    data: { ...facts, ...collectedJson(deleted) },
    text: () =>
      `${place}: deleted ${describeCollected(deleted)}; release ${nameOf(entry)} is live, and the only one`,
  };
}
