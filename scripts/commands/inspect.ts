/** `snapshot list` and `snapshot inspect`: the log, what is in a release, and one store of it. */
import { namesPart, storeCalled } from '../../src/query/find-store.ts';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { renderStore } from '../../src/render/render-stores.ts';
import { type ReleaseReader, totalBytes } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { formatBytes, formatCount, formatTable, visible } from '../cli/output.ts';
import type { CommandContext, CommandResult } from '../cli/run-command.ts';
import { readEntries } from '../release/log.ts';
import { judgeLog, type LogEntry, type LogRule, nameOf } from '../release/log-entry.ts';
import { nothingLiveError, readLog } from '../release/open-log.ts';
import { findRelease } from '../release/roll-back.ts';
import { openTarget } from '../storage/open-target.ts';

const LIST_HEADER = ['RELEASE', 'STATE', 'WHAT', 'WHEN', 'BY', 'STORES', 'SIZE', 'NOTE'];

interface ListOptions extends PlaceOptions {
  readonly entries: number;
}

/** Runs `snapshot list`: shows the log. */
export async function list(options: ListOptions, context: CommandContext) {
  await using target = await openTarget(options, context);
  const { head, isShown } = await readLog(target);
  const rule = judgeLog(await readEntries(target, head, options.entries));
  const entries = rule.entries.slice(0, options.entries).map((entry) => listed(entry, rule));
  return {
    data: {
      hold: head?.hold ?? null,
      isPointerBehind: !isShown,
      entries,
    },
    text: describeLog(entries, head) + (isShown ? '' : `\n${POINTER_BEHIND}`),
  };
}

type Listed = ReturnType<typeof listed>;

function listed(entry: LogEntry, { entries: [head], isKept }: LogRule) {
  const { number, kind, manifest, by, note, hold } = entry;
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
    by,
    note,
    hold,
    storeCount,
    locationCount,
    bytes: totalBytes(manifest),
  };
}

const POINTER_BEHIND =
  'warning: the pointer that Workers read does not show the last entry. KV may be a minute late. If this stays, run snapshot prune: any command that writes also writes the pointer.';

function describeLog(entries: readonly Listed[], head: LogEntry | null): string {
  if (entries.length === 0) return 'nothing was ever published here';
  const rows = entries.map(({ name, state, kind, at, by, storeCount, bytes, note }) => [
    name,
    state,
    kind,
    at,
    visible(by),
    formatCount(storeCount),
    formatBytes(bytes),
    visible(note ?? ''),
  ]);
  const hold = head?.hold;
  const held = hold
    ? `\nPublishing is held since ${hold.at} by ${visible(hold.by)}: snapshot resume ends that.`
    : '';
  return `the latest entries of the log\n${formatTable([LIST_HEADER, ...rows])}${held}`;
}

interface InspectOptions extends PlaceOptions {
  readonly store?: string;
}

/** Runs `snapshot inspect`: shows what is in a release, or one store of it. */
export async function inspect(options: InspectOptions, context: CommandContext, release?: string) {
  await using target = await openTarget(options, context);
  const { head, open } = await readLog(target);
  const wanted = release ?? head?.manifest.release;
  if (wanted === undefined) throw nothingLiveError();
  const found = findRelease(judgeLog(await readEntries(target, head)), wanted);
  if (options.store === undefined) return inspectRelease(found);
  return await inspectStore(open(found.manifest), options.store);
}

function inspectRelease({ publishedAt, by, number, manifest }: LogEntry): CommandResult {
  const { parts, release, storeCount, locationCount, chunkCount, chunkBytes } = manifest;
  // The largest first.
  const sizes = Object.entries(parts).sort(([, a], [, b]) => b.bytes - a.bytes);
  const rows = [
    ['went live', `${publishedAt} by ${visible(by)}`],
    ['stores', formatCount(storeCount)],
    ['locations', formatCount(locationCount)],
    ['documents', `${formatBytes(chunkBytes)} in ${formatCount(chunkCount)} chunks`],
    ...sizes.map(([name, { bytes }]) => [name, formatBytes(bytes)]),
  ];
  return {
    data: { ...manifest, number, publishedAt, by, totalBytes: totalBytes(manifest) },
    text: `release ${release}\n${formatTable(rows)}`,
  };
}

/** Shows a store. @param idOrSlug an id in any case, or exactly a slug */
async function inspectStore(reader: ReleaseReader, idOrSlug: string): Promise<CommandResult> {
  const names = await reader.table(namesPart(idOrSlug));
  const store = storeCalled(idOrSlug, await reader.records(names.candidates(idOrSlug)));
  if (store === null) {
    const message = `release ${reader.manifest.release} has no store "${idOrSlug}"`;
    throw new CommandError(message, 'store_unknown');
  }
  const query = { fields: null, language: null, rentalPointSlug: null, at: null };
  const answer = renderStore(store, {}, query, null, new AnswerBuffer());
  return { data: JSON.parse(new TextDecoder().decode(answer)) };
}
