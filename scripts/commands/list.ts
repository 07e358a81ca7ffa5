/** `snapshot list`: the log. */
import { totalBytes } from '../build/measure-release.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { visible } from '../cli/output.ts';
import { formatBytes, formatCount } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { formatTable } from '../cli/table.ts';
import { type LogEntry, nameOf } from '../release/log-entry.ts';
import type { LogRule } from '../release/log-rule.ts';
import { readLog } from '../release/open-log.ts';
import { openTarget } from '../storage/open-target.ts';

const HEADER = ['RELEASE', 'STATE', 'WHAT', 'WHEN', 'BY', 'STORES', 'SIZE', 'NOTE'];

interface ListOptions extends PlaceOptions {
  readonly entries: number;
}

export async function run(options: ListOptions, context: CommandContext) {
  await using target = await openTarget(options, context);
  const log = await readLog(target);
  const { head, isShown } = log;
  const rule = await log.rule(options.entries);
  const entries = rule.entries.slice(0, options.entries).map((entry) => listed(entry, rule));
  const [live] = entries;
  return {
    data: {
      environment: options.env,
      live: live ? { ...live, before: head?.before?.manifest.release ?? null } : null,
      hold: head?.hold ?? null,
      isPointerBehind: !isShown,
      entries,
    },
    text: () => describeLog(entries, head) + (isShown ? '' : `\n${POINTER_BEHIND}`),
  };
}

type Listed = ReturnType<typeof listed>;

function listed(entry: LogEntry, { entries: [head], isKept }: LogRule) {
  const { number, kind, manifest, publishedAt, by, note, hold, cost } = entry;
  const { release, storeCount, locationCount } = manifest;
  // What is gone can no longer be rolled back to.
  const state = number === head?.number ? 'live' : isKept(entry) ? 'kept' : 'gone';
  return {
    name: nameOf(entry),
    number,
    release,
    kind,
    state,
    at: new Date(entry.from).toISOString(),
    publishedAt,
    by,
    note,
    hold,
    cost,
    storeCount,
    locationCount,
    bytes: totalBytes(manifest),
  };
}

const POINTER_BEHIND =
  'warning: the pointer that Workers read does not show the last entry. KV may be a minute late. If this stays, run snapshot prune: any command that writes also writes the pointer.';

function describeLog(entries: readonly Listed[], head: LogEntry | null): string {
  if (entries.length === 0) return 'Nothing was ever published here.';
  const rows = entries.map(({ name, state, kind, at, by, storeCount, bytes, note }) => [
    ...[name, state, kind, at, visible(by), formatCount(storeCount), formatBytes(bytes)],
    visible(note ?? ''),
  ]);
  const hold = head?.hold;
  const held = hold
    ? `\nPublishing is held since ${hold.at} by ${visible(hold.by)}: snapshot resume ends that.`
    : '';
  return formatTable([HEADER, ...rows]) + held;
}
