/** `snapshot view`: compiled snapshots on a map, on this machine. */

import { basename } from 'node:path';
import { ensurePages } from '../../web/build/ensure-pages.ts';
import { openSnapshotFolder } from '../build/snapshot-folder.ts';
import { UsageError } from '../cli/command-error.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { untilStopped } from '../cli/interruption.ts';
import { userPath } from '../cli/option-values.ts';
import { printJson, printText } from '../cli/output.ts';
import { plural } from '../cli/progress.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import { comparePlaces, type PlaceChanges } from '../diff/compare-places.ts';
import { nothingLiveError, readLog } from '../release/open-log.ts';
import { parsePort } from '../start/port.ts';
import { withTarget } from '../storage/open-target.ts';
import { openViewServer, type ViewedRelease } from '../view/view-server.ts';

const DEFAULT_PORT = 8790;

interface ViewOptions extends PlaceOptions {
  readonly live?: boolean;
  readonly port: number;
}

export const viewCommand = defineCommand<ViewOptions>('view', {
  summary:
    'Show a folder made by build on a map in your browser. With two folders, show what was added, removed and moved. Only this machine can reach the page; Ctrl-C ends it.',
  declare: (command) => {
    command
      .argument('[folders...]', 'a folder made by build, or two: the earlier one first')
      .option('--live', 'show the live release; beside a folder it is the earlier one')
      .option('--port <number>', 'port of the page', parsePort, DEFAULT_PORT);
    declarePlace(command);
  },
  examples: [
    ['dist/snapshot', 'shows every store of a compiled snapshot'],
    ['dist/yesterday dist/snapshot', 'shows what changed between two'],
    [
      'dist/snapshot --live --env production --remote',
      'shows what publishing the folder would change',
    ],
  ],
  run: async (options, context, ...args) => {
    const folders = args.flat();
    expectOneOrTwo(folders, options);
    const opened = await Promise.all(
      folders.map(async (text) => {
        const folder = userPath(text);
        return { name: basename(folder), release: await openSnapshotFolder(folder) };
      }),
    );
    await ensurePages();
    if (!options.live) return serve(opened, options, context);
    return withTarget(options, context, async (target) => {
      const { head, releases } = await readLog(target);
      if (!head) throw nothingLiveError();
      const release = releases.open(head.manifest);
      const live = { name: `live in ${placeName(options)}`, release };
      return serve([live, ...opened], options, context);
    });
  },
});

/** @throws UsageError */
function expectOneOrTwo(folders: readonly string[], options: ViewOptions): void {
  const { live = false, remote = false, env } = options;
  const count = folders.length + (live ? 1 : 0);
  if (count === 0) throw new UsageError('name a folder made by build, or --live');
  if (count > 2) throw new UsageError('at most two snapshots can be shown, the live one included');
  if (!live && (remote || env !== 'development')) {
    throw new UsageError('--env and --remote say which live release is meant: add --live');
  }
}

/** The last of the releases is the one that is looked at, the other what it is compared with. */
async function serve(
  releases: readonly ViewedRelease[],
  options: ViewOptions,
  context: CommandContext,
) {
  const before = releases.at(-2) ?? null;
  const after = releases.at(-1) as ViewedRelease;
  const changes = before && (await comparePlaces(before.release, after.release));
  const server = await openViewServer({ before, after, changes }, options.port);
  try {
    await announce(server.url, releases, changes, context);
    await untilStopped(context.signal);
  } finally {
    await server.close();
  }
  return { data: undefined, text: () => 'Stopped.' };
}

async function announce(
  url: string,
  releases: readonly ViewedRelease[],
  changes: PlaceChanges | null,
  { json }: CommandContext,
): Promise<void> {
  const snapshots = releases.map(({ name, release: { manifest } }) => {
    return { name, release: manifest.release, storeCount: manifest.storeCount };
  });
  const counts = changes && {
    added: changes.added.length,
    removed: changes.removed.length,
    moved: changes.moved.length,
    changed: changes.changed.length,
  };
  if (json) return printJson({ url, snapshots, changes: counts });
  const lines = snapshots.map(({ name, release, storeCount }) => {
    return `${name}: ${plural(storeCount, 'store')}, release ${release}`;
  });
  if (counts) {
    const { added, removed, moved, changed } = counts;
    lines.push(`${added} added, ${removed} removed, ${moved} moved, ${changed} changed otherwise`);
  }
  await printText([...lines, `${url}  (Ctrl-C ends it)`].join('\n'));
}
