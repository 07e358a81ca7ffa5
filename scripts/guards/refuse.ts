/** Says why a release is refused. */
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import { formatCount, plural } from '../cli/progress.ts';
import type { Refusal } from './judge.ts';

const AGAINST = {
  live: 'against the live release',
  day: 'against what was live a day ago',
  first: 'on a first publication',
} as const satisfies Record<Refusal['against'], string>;

/**
 * Throws when there are refusals.
 * @param details further members of the error, for machines
 * @throws CommandError suspicious_change
 */
export function refuse(refusals: readonly Refusal[], details: object): void {
  const [first, ...others] = refusals;
  if (!first) return;
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more reason')}`;
  const message = `${describeRefusal(first)}${more}: this looks like a bad export; nothing was published`;
  throw new CommandError(message, {
    code: 'suspicious_change',
    details: { refusals, ...details },
    explanation: [
      ...refusals.map(explain),
      '',
      'Is the export right? snapshot diff names the stores and what would change in them.',
      'If this is what is wanted, give the options named above, or --force for all.',
    ].join('\n'),
  });
}

/** What one refusal says, without its limit: `3 of 10 stores (30 %) would go`. */
function describeRefusal({ count, of, share, before, would }: Refusal): string {
  const rise = before === null ? '' : `, ${percent(before)} before`;
  const stores = `${formatCount(count)} of ${plural(of, 'store')} (${percent(share)}${rise})`;
  return `${stores} would ${would}`;
}

/** The least that a row has to be allowed to pass, in percent. */
export function enoughFor({ share, before }: Refusal): number {
  return Math.ceil(share - (before ?? 0));
}

function explain(refusal: Refusal): string {
  const { name, against, before, limit, examples } = refusal;
  const allowed = before === null ? `at most ${percent(limit)}` : `at most ${limit} points more`;
  const title = `  ${name}: ${describeRefusal(refusal)} ${AGAINST[against]}, ${allowed} (--allow ${name}=${enoughFor(refusal)})`;
  // Values are foreign text: nothing in them may reach a terminal as it is.
  const shown = examples.map(
    ({ id, slug, before: was, after }) => `      ${visible(`${id} ${slug}: ${was} → ${after}`)}`,
  );
  return [title, ...shown].join('\n');
}

function percent(share: number): string {
  return `${Math.round(10 * share) / 10} %`;
}
