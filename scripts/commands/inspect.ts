/** `snapshot inspect`: what is in a release, or one store of it. */
import { namesPart, storeCalled } from '../../src/query/find-store.ts';
import { renderStore } from '../../src/render/render-stores.ts';
import { SegmentList } from '../../src/render/segment-list.ts';
import { measureRelease, type ReleaseSizes } from '../build/measure-release.ts';
import { type ReleaseReader, readRelease } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/common-options.ts';
import { visible } from '../cli/output.ts';
import { formatBytes, formatCount } from '../cli/progress.ts';
import type { CommandContext, CommandResult } from '../cli/run-command.ts';
import { formatTable } from '../cli/table.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { nothingLiveError, readLog } from '../release/open-log.ts';
import { findRelease } from '../release/roll-back.ts';
import { openTarget } from '../storage/open-target.ts';

interface InspectOptions extends PlaceOptions {
  readonly store?: string;
}

export async function run(options: InspectOptions, context: CommandContext, release?: string) {
  await using target = await openTarget(options, context);
  const log = await readLog(target);
  const wanted = release ?? log.head?.manifest.release;
  if (wanted === undefined) throw nothingLiveError();
  const found = findRelease(await log.rule(), wanted);
  if (options.store === undefined) return inspectRelease(found);
  return inspectStore(readRelease(log.releases.open(found.manifest)), options.store);
}

function inspectRelease(found: LogEntry): CommandResult {
  const sizes = measureRelease(found.manifest);
  const { parts: _, ...facts } = found.manifest;
  const { publishedAt, by, number } = found;
  return {
    data: { ...facts, number, publishedAt, by, ...sizes },
    text: () => describeRelease(found, sizes),
  };
}

/** @param idOrSlug an id in any case, or exactly a slug */
async function inspectStore(reader: ReleaseReader, idOrSlug: string): Promise<CommandResult> {
  const names = await reader.table(namesPart(idOrSlug));
  const store = storeCalled(idOrSlug, await reader.records(names.candidates(idOrSlug)));
  if (store === null) {
    const message = `release ${reader.manifest.release} has no store "${idOrSlug}"`;
    throw new CommandError(message, 'store_unknown');
  }
  const query = { fields: null, language: null, rentalPointSlug: null };
  const answer = renderStore({ ...store, location: 0 }, query, null, new SegmentList());
  const data = JSON.parse(new TextDecoder().decode(answer));
  return { data, text: () => JSON.stringify(data, null, 2) };
}

function describeRelease({ manifest, publishedAt, by }: LogEntry, sizes: ReleaseSizes): string {
  const { release, storeCount, locationCount, chunkCount } = manifest;
  return formatTable([
    ['release', release],
    ['went live', `${publishedAt} by ${visible(by)}`],
    ['stores', formatCount(storeCount)],
    ['locations', formatCount(locationCount)],
    ['documents', `${formatBytes(sizes.chunkBytes)} in ${formatCount(chunkCount)} chunks`],
    ['store', `${formatBytes(sizes.storeBytes)} on average`],
    ['index', formatBytes(sizes.partBytes)],
    ...Object.entries(sizes.parts).map(([name, bytes]) => [`  ${name}`, formatBytes(bytes)]),
  ]);
}
