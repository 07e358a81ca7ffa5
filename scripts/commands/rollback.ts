/** `snapshot rollback`: an earlier release goes live again; `snapshot resume`: publishing is allowed again. */
import type { CompiledRelease } from '../build/compiled-release.ts';
import { readRelease } from '../build/release-reader.ts';
import { parseReleaseId, RELEASE_FORMS } from '../cli/option-values.ts';
import { visible } from '../cli/output.ts';
import { plural } from '../cli/progress.ts';
import { declareSignature, type SignatureChoice, signatureOf } from '../cli/signature-options.ts';
import { findShownStores, pairStores } from '../diff/compare-places.ts';
import { warnOf } from '../diff/describe-diff.ts';
import { type LogEntry, nameOf } from '../release/log-entry.ts';
import { publishedReleases } from '../release/published-objects.ts';
import { type Rollback, resumePublishing, rollBack } from '../release/roll-back.ts';
import { defineReleaseCommand } from './placed-command.ts';

export const rollbackCommand = defineReleaseCommand<SignatureChoice>('rollback', {
  summary:
    'Put an earlier release live again and hold publishing: publish is refused until you run resume. If you name the live release, this only holds publishing.',
  declare: (command) => {
    command.argument(
      '[release]',
      `${RELEASE_FORMS} (default: what was live before the live release was published)`,
      parseReleaseId,
    );
    declareSignature(command);
  },
  examples: [
    ['--env production --remote', 'undoes the last publication'],
    ['3 --env production --remote', 'goes to the release that snapshot list shows as 3-…'],
  ],
  run: async (target, options, context, ...[release = null]) => {
    const releases = publishedReleases(target);
    let returning: Returning | null = null;
    const onChosen = async (from: LogEntry, to: LogEntry) => {
      const live = releases.open(from.manifest);
      const earlier = releases.open(to.manifest);
      // A warning only: an error here does not keep the rollback from being made.
      returning = await findReturning(live, earlier).catch(() => null);
      context.signal.throwIfAborted();
      if (!returning) return;
      const { removed, hidden } = returning;
      warnOf(removed, 'removed since then will be there again').forEach(context.remark);
      warnOf(hidden, 'hidden since then will show an address again').forEach(context.remark);
    };
    const order = { release, signature: signatureOf(options), onChosen, ...context };
    const rollback = await rollBack(target, order);
    const { from, to, turned, entry } = rollback;
    return {
      data: {
        environment: options.env,
        from: from.manifest.release,
        to: to.manifest.release,
        number: entry.number,
        turned,
        hold: entry.hold,
        returning,
      },
      text: () => `${options.place}: ${describeRollback(rollback)}`,
    };
  },
});

export const resumeCommand = defineReleaseCommand<SignatureChoice>('resume', {
  summary: 'Allow publishing again after a rollback. The live release stays live.',
  declare: declareSignature,
  examples: [['--env production --remote --note "export repaired"', 'lets the hourly job go on']],
  run: async (target, options, context) => {
    const order = { signature: signatureOf(options), ...context };
    const entry = await resumePublishing(target, order);
    const what = entry
      ? 'publishing is allowed again'
      : 'publishing was not held, nothing was written';
    return {
      data: { environment: options.env, resumed: entry !== null },
      text: () => `${options.place}: ${what}`,
    };
  },
});

function describeRollback({ from, to, turned, entry }: Rollback): string {
  const { release, storeCount } = to.manifest;
  const content = `release ${nameOf(entry)} (${plural(storeCount, 'store')})`;
  if (!turned) return `${content} is live already, nothing was written`;
  const held = '\npublishing is held: snapshot resume ends that';
  if (from.manifest.release === release) return `${content} stays live${held}`;
  const { publishedAt, by } = to;
  return `${content} is live again (it last went live ${publishedAt} by ${visible(by)}), after ${nameOf(from)}${held}`;
}

/** Ids, in lower case, of stores that were removed since, or had their address hidden. */
interface Returning {
  readonly removed: readonly string[];
  readonly hidden: readonly string[];
}

/** By the index parts alone. @throws CommandError release_damaged */
async function findReturning(live: CompiledRelease, earlier: CompiledRelease): Promise<Returning> {
  const [from, to] = [readRelease(live), readRelease(earlier)];
  const { added, changed } = await pairStores(from, to);
  const [before, after] = [await findShownStores(from), await findShownStores(to)];
  const shown = changed.filter(({ live, next }) => !before.has(live) && after.has(next));
  const idOf = ({ id }: { readonly id: string }) => id.toLowerCase();
  return { removed: added.map(idOf), hidden: shown.map(idOf) };
}
