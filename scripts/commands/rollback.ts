/** `snapshot rollback`: an earlier release goes live again. */

import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { parseReleaseId } from '../cli/option-values.ts';
import { visible } from '../cli/output.ts';
import { plural } from '../cli/progress.ts';
import { defineCommand } from '../cli/run-command.ts';
import { declareSignature, type SignatureChoice, signatureOf } from '../cli/signature-options.ts';
import { findReturning, type Returning } from '../diff/returning-stores.ts';
import { type LogEntry, nameOf } from '../release/log-entry.ts';
import { type Rollback, rollBack } from '../release/roll-back.ts';
import { withTarget } from '../storage/open-target.ts';

/** Stores named in the warning. */
const NAMED = 5;

export const rollbackCommand = defineCommand<PlaceOptions & SignatureChoice>('rollback', {
  summary:
    'Put an earlier release live again and hold publishing: publish is refused until you run resume. If you name the live release, this only holds publishing.',
  declare: (command) => {
    command.argument(
      '[release]',
      'its id, the first digits of its id, or its name (default: the release that was live before)',
      parseReleaseId,
    );
    declareSignature(command);
    declarePlace(command);
  },
  examples: [
    ['--env production --remote', 'undoes the last publication'],
    ['9f2c41d07be85a36 --env production --remote', 'goes to a release that snapshot list shows'],
  ],
  run: async (options, context, ...[release = null]) => {
    let returning: Returning | null = null;
    const rollback = await withTarget(options, context, (target) => {
      const onChosen = async (from: LogEntry, to: LogEntry) => {
        // A warning only: an error here does not keep the rollback from being made.
        returning = await findReturning(target, from.manifest, to.manifest).catch(() => null);
        context.signal.throwIfAborted();
        if (returning) for (const line of describeReturning(returning)) context.remark(line);
      };
      return rollBack(target, { release, signature: signatureOf(options), onChosen, ...context });
    });
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
      text: () => `${placeName(options)}: ${describeRollback(rollback)}`,
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

function describeReturning({ removed, hidden }: Returning): string[] {
  const name = (ids: readonly string[]) =>
    ids.slice(0, NAMED).join(', ') + (ids.length > NAMED ? ', …' : '');
  const warn = (ids: readonly string[], what: string) =>
    ids.length === 0 ? [] : [`warning: ${plural(ids.length, 'store')} ${what}: ${name(ids)}`];
  return [
    ...warn(removed, 'removed since then will be there again'),
    ...warn(hidden, 'hidden since then will show an address again'),
  ];
}
