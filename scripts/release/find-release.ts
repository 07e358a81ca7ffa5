/** How a command names a release that is kept. */
import { CommandError } from '../cli/command-error.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogRule } from './log-rule.ts';

/**
 * The entry that put the only release that `wanted` names live last: `parseReleaseId` has it. Of one
 * that lies in two generations it is the later. The number of a name counts too: the release must have
 * gone live under it.
 * @throws CommandError release_unknown, release_ambiguous
 */
export function findRelease({ kept, entries }: LogRule, wanted: string): LogEntry {
  const [start = '', number] = wanted.split('-').reverse();
  const wasLive = (release: string) =>
    entries.some((entry) => entry.number === Number(number) && entry.manifest.release === release);
  const found = kept.filter(
    ({ manifest: { release } }) =>
      release.startsWith(start) && (number === undefined || wasLive(release)),
  );
  const [first] = found;
  if (!first) {
    const message = `no release ${wanted} is kept here; snapshot list shows those that are`;
    throw new CommandError(message, 'release_unknown');
  }
  const ids = [...new Set(found.map(({ manifest }) => manifest.release))];
  if (ids.length > 1) {
    const message = `the id ${start} is ambiguous: ${ids.join(', ')}`;
    throw new CommandError(message, 'release_ambiguous', { details: { ids } });
  }
  return first;
}

/** What was live before the live release was published, as far as it is kept. @throws CommandError */
export function findEarlier({ kept, entries }: LogRule, head: LogEntry): LogEntry {
  const numbered = new Map(entries.map((entry) => [entry.number, entry]));
  for (let number = head.back; number !== null; ) {
    const entry = numbered.get(number);
    const found = kept.find(({ manifest }) => manifest.release === entry?.manifest.release);
    // From there one goes on as one could have then.
    if (entry && found && found.manifest.release !== head.manifest.release) {
      return { ...found, back: entry.back };
    }
    number = entry?.back ?? null;
  }
  const message =
    'there is no release before it to go back to; snapshot list shows those that are kept';
  throw new CommandError(message, 'no_earlier_release');
}
