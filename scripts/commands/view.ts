/** `snapshot view`: compiled snapshots on a map, on this machine. */

import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { ensurePages } from '../../web/build/ensure-pages.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { openSnapshotFolder } from '../build/snapshot-folder.ts';
import { UsageError } from '../cli/command-error.ts';
import { declarePlace, type PlaceOptions, placeName } from '../cli/environment-option.ts';
import { untilStopped } from '../cli/interruption.ts';
import { userPath } from '../cli/option-values.ts';
import { printJson, printText } from '../cli/output.ts';
import { plural } from '../cli/progress.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import { nothingLiveError, readLive } from '../release/open-log.ts';
import { openPublished } from '../release/published-objects.ts';
import { parsePort } from '../start/port.ts';
import { withTarget } from '../storage/open-target.ts';
import { comparePlaces, type PlaceChanges } from '../view/compare-places.ts';
import { SnapshotAnswers } from '../view/snapshot-answers.ts';
import { openViewServer, type ViewedSnapshot, type ViewedSnapshots } from '../view/view-server.ts';

const DEFAULT_PORT = 8790;

interface ViewOptions extends PlaceOptions {
  readonly live?: boolean;
  readonly port: number;
  readonly open?: boolean;
}

interface NamedRelease {
  readonly name: string;
  readonly release: CompiledRelease;
}

export const viewCommand = defineCommand<ViewOptions>('view', {
  summary:
    'Show a folder made by build on a map in your browser. With two folders, show what was added, removed and moved. Only this machine can reach the page; Ctrl-C ends it.',
  declare: (command) => {
    command
      .argument('[folders...]', 'a folder made by build, or two: the earlier one first')
      .option('--live', 'take the live release as the earlier one, or alone')
      .option('--port <number>', 'where to listen', parsePort, DEFAULT_PORT)
      .option('--open', 'open the browser too');
    declarePlace(command, 'whose stores');
  },
  examples: [
    ['dist/snapshot', 'every store of a compiled snapshot'],
    ['dist/yesterday dist/snapshot', 'what changed between two'],
    ['dist/snapshot --live --env production --remote', 'what publishing it would change'],
  ],
  run: async (options, context, ...args) => {
    const folders = args.flat();
    expectOneOrTwo(folders, options);
    const opened = await Promise.all(folders.map(openFolder));
    await ensurePages();
    if (!options.live) return serve(opened, options, context);
    return withTarget(options, context, async (target) => {
      const entry = await readLive(target);
      if (!entry) throw nothingLiveError();
      const release = openPublished(target, entry.manifest);
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

async function openFolder(path: string): Promise<NamedRelease> {
  const folder = userPath(path);
  return { name: basename(folder), release: await openSnapshotFolder(folder) };
}

async function serve(
  releases: readonly NamedRelease[],
  options: ViewOptions,
  context: CommandContext,
) {
  const snapshots = await prepare(releases);
  const { signal } = context;
  const server = await openViewServer(snapshots, options.port);
  try {
    await announce(server.url, snapshots, context);
    if (options.open) openBrowser(server.url, context);
    await untilStopped(signal);
  } finally {
    await server.close();
  }
  return { data: undefined, text: () => 'Stopped.' };
}

/** The last of the releases is the one that is looked at, the other what it is compared with. */
async function prepare(releases: readonly NamedRelease[]): Promise<ViewedSnapshots> {
  const views = releases.map(
    ({ name, release }): ViewedSnapshot => ({ name, answers: new SnapshotAnswers(release) }),
  );
  const after = views.at(-1) as ViewedSnapshot;
  const [first, second] = releases;
  if (!first || !second) return { before: null, after, changes: null };
  const changes = await comparePlaces(first.release, second.release);
  return { before: views[0] as ViewedSnapshot, after, changes };
}

async function announce(
  url: string,
  { before, after, changes }: ViewedSnapshots,
  { json }: CommandContext,
): Promise<void> {
  const shown = [before, after].flatMap((snapshot) => snapshot ?? []);
  const facts = shown.map(({ name, answers: { release } }) => ({
    name,
    release: release.id,
    storeCount: release.storeCount,
  }));
  if (json) return printJson({ url, snapshots: facts, changes: changes && countsOf(changes) });
  const lines = facts.map(
    ({ name, release, storeCount }) =>
      `${name}: ${plural(storeCount, 'store')}, release ${release}`,
  );
  await printText([...lines, ...describeChanges(changes), `${url}  (Ctrl-C ends it)`].join('\n'));
}

function countsOf({ added, removed, moved, changed }: PlaceChanges) {
  return {
    added: added.length,
    removed: removed.length,
    moved: moved.length,
    changed: changed.length,
  };
}

function describeChanges(changes: PlaceChanges | null): string[] {
  if (!changes) return [];
  const { added, removed, moved, changed } = countsOf(changes);
  return [`${added} added, ${removed} removed, ${moved} moved, ${changed} changed otherwise`];
}

/** The program that opens addresses on this system; who has none is told the address anyway. */
function openBrowser(url: string, { remark }: CommandContext): void {
  const programs: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };
  const child = spawn(programs[process.platform] ?? 'xdg-open', [url], {
    stdio: 'ignore',
    detached: true,
  });
  child.on('error', () => remark('No browser could be opened: open the address yourself.'));
  child.unref();
}
