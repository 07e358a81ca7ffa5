/** `snapshot rollback`: an earlier release goes live again, and publishing is held; `snapshot resume` ends that. */

import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { type PlaceOptions, type SignatureChoice, signatureOf } from '../cli/common-options.ts';
import { plural, visible } from '../cli/output.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { diffReleases } from '../diff/compare-releases.ts';
import { warnOf } from '../diff/describe-diff.ts';
import { nameOf } from '../release/log-entry.ts';
import {
  type Choice,
  chooseRollback,
  type Rollback,
  resumePublishing,
  rollBack,
} from '../release/roll-back.ts';
import { openTarget } from '../storage/open-target.ts';

/** Runs `snapshot rollback`: puts an earlier release live again. */
export async function rollback(
  options: SignatureChoice & PlaceOptions,
  context: CommandContext,
  release: string | null = null,
) {
  await using target = await openTarget(options, context);
  const choice = await chooseRollback(target, release);
  // A warning only: an error here does not keep the rollback from being made.
  const returning = await findReturning(choice).catch(() => null);
  context.signal.throwIfAborted();
  if (returning) {
    const { removed, hidden } = returning;
    warnOf(removed, 'removed since then will be there again').forEach(context.remark);
    warnOf(hidden, 'hidden since then will show an address again').forEach(context.remark);
  }
  const done = await rollBack(target, choice, signatureOf(options));
  const { from, to, turned, entry } = done;
  return {
    data: {
      from: from.manifest.release,
      to: to.manifest.release,
      number: entry.number,
      turned,
      hold: entry.hold,
      returning,
    },
    text: describeRollback(done),
  };
}

function describeRollback({ from, to, turned, entry }: Rollback): string {
  const { release, storeCount } = to.manifest;
  const content = `release ${nameOf(entry)} (${plural(storeCount, 'store')})`;
  if (!turned) return `${content} is live already, nothing was written`;
  const held = '\npublishing is held: snapshot resume ends that';
  if (from.manifest.release === release) return `${content} stays live${held}`;
  const { publishedAt, by } = to;
  return `${content} is live again (it last went live ${publishedAt} by ${visible(by)}), after ${nameOf(from)}${held}`;
}

/**
 * Finds, by the index parts alone, the ids in lower case of stores that were removed since, or had their address hidden.
 * @throws CommandError release_damaged
 */
async function findReturning({ head, open, to }: Choice) {
  const [live, earlier] = [open(head.manifest), open(to.manifest)];
  const { added, changed } = await diffReleases(live, earlier);
  const [wasShown, isShown] = [await findShown(live), await findShown(earlier)];
  const shown = changed.filter(({ before, after }) => !wasShown.has(before) && isShown.has(after));
  const idOf = ({ id }: { readonly id: string }) => id.toLowerCase();
  return { removed: added.map(idOf), hidden: shown.map(idOf) };
}

/** Returns which stores show their address, by ordinal. */
async function findShown(release: ReleaseReader): Promise<ReadonlySet<number>> {
  const { stores } = await release.table(PLACES_PART);
  return new Set(stores);
}

/** Runs `snapshot resume`: allows publishing again. */
export async function resume(options: SignatureChoice & PlaceOptions, context: CommandContext) {
  await using target = await openTarget(options, context);
  const entry = await resumePublishing(target, signatureOf(options));
  return {
    data: { resumed: entry !== null },
    text: entry ? 'publishing is allowed again' : 'publishing was not held, nothing was written',
  };
}
