/** `snapshot list`: the releases that are kept. */
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import { environmentOption, type PlaceOptions, remoteOption } from '../cli/environment-option.ts';
import { formatBytes, formatCount } from '../cli/progress.ts';
import { defineCommand } from '../cli/run-command.ts';
import { formatTable } from '../cli/table.ts';
import { type KeptReleases, readKeptReleases } from '../release/kept-releases.ts';
import { totalBytes } from '../release/measure-release.ts';
import { pointerFacts } from '../release/published-release.ts';
import { withTarget } from '../storage/open-target.ts';

const HEADER = ['RELEASE', 'STATE', 'WENT LIVE', 'PUBLISHED', 'BY', 'STORES', 'LOCATIONS', 'SIZE'];

type State = 'live' | 'withdrawn' | 'kept';

export const listCommand = defineCommand<PlaceOptions>({
  name: 'list',
  summary: 'List the releases that are kept and when each went live last, the latest first',
  declare: (command) => {
    command.addOption(environmentOption('whose stores')).addOption(remoteOption());
  },
  examples: [['--env production --remote', 'what production serves, and what it can go back to']],
  run: async (options, context) => {
    const kept = await withTarget(options, context, readKeptReleases);
    const { pointer, releases, unreadable } = kept;
    return {
      data: {
        environment: options.env,
        live: pointer && pointerFacts(pointer),
        releases: releases.map((release) => releaseJson(release, kept)),
        unreadable,
      },
      text: () => describeReleases(kept),
    };
  },
});

function releaseJson(manifest: PublishedRelease, kept: KeptReleases) {
  const { release, publishedAt, author, storeCount, locationCount } = manifest;
  const state = stateOf(manifest, kept);
  const wentLiveAt = wentLive(manifest, kept);
  const bytes = totalBytes(manifest);
  return { release, state, wentLiveAt, publishedAt, author, storeCount, locationCount, bytes };
}

function describeReleases(kept: KeptReleases): string {
  const { releases, unreadable } = kept;
  if (releases.length + unreadable.length === 0) return 'No releases.';
  const rows = releases.map((manifest) => [
    manifest.release,
    stateOf(manifest, kept),
    wentLive(manifest, kept) ?? 'never',
    manifest.publishedAt,
    manifest.author,
    formatCount(manifest.storeCount),
    formatCount(manifest.locationCount),
    formatBytes(totalBytes(manifest)),
  ]);
  const damaged = unreadable.map((id) => [id, 'unreadable', ...HEADER.slice(2).map(() => '-')]);
  return formatTable(HEADER, [...rows, ...damaged]);
}

function stateOf({ release }: PublishedRelease, { pointer, withdrawn }: KeptReleases): State {
  if (release === pointer?.manifest.release) return 'live';
  return withdrawn.has(release) ? 'withdrawn' : 'kept';
}

/** The last time; null when it never did. */
function wentLive({ release }: PublishedRelease, { stays }: KeptReleases): string | null {
  return stays.get(release)?.since ?? null;
}
