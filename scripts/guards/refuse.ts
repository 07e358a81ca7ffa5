/** Says why a release is refused. */
import { CommandError } from '../cli/command-error.ts';
import { formatCount, plural } from '../cli/progress.ts';
import type { GuardReport } from './guard-release.ts';
import { GUARDS, type Guard } from './guards.ts';
import type { Refusal } from './judge.ts';

const AGAINST = {
  live: 'against the live release',
  day: 'against what was live a day ago',
  first: 'on a first publication',
} as const satisfies Record<Refusal['against'], string>;

/** What one refusal says, without its limit: `3 of 10 stores (30 %) would go`. */
function describeRefusal({ code, against, count, of, share, before }: Refusal): string {
  const guard: Guard = GUARDS[code];
  const would = against === 'first' && guard.looksAt === 'share' ? guard.first?.would : undefined;
  const rise = before === null ? '' : `, ${percent(before)} before`;
  const stores = `${formatCount(count)} of ${plural(of, 'store')} (${percent(share)}${rise})`;
  return `${stores} would ${would ?? guard.would}`;
}

/**
 * Throws when there are refusals.
 * @param details further members of the error, for machines
 * @throws CommandError suspicious_change
 */
export function refuse({ refusals }: GuardReport, details: object): void {
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
      'If this is what is wanted, give the options named above with a higher bound, or --force.',
    ].join('\n'),
  });
}

function explain(refusal: Refusal): string {
  const { code, against, before, limit } = refusal;
  const guard: Guard = GUARDS[code];
  const isDay = against === 'day' && guard.dayOption !== undefined;
  const option = isDay ? guard.dayOption : guard.option;
  const allowed = before === null ? `at most ${percent(limit)}` : `at most ${limit} points more`;
  return `  ${code}: ${describeRefusal(refusal)} ${AGAINST[against]}, ${allowed} (--${option})`;
}

function percent(share: number): string {
  return `${Math.round(10 * share) / 10} %`;
}
