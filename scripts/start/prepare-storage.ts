/**
 * Fills local storage for development: the fixture stores go live unless the user has published
 * others, a demo token is issued. Tells what it published from what users publish.
 */
import { resolve } from 'node:path';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { withChosenRelease } from '../build/release-choice.ts';
import { CommandError } from '../cli/command-error.ts';
import type { PlaceOptions } from '../cli/environment-option.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { logFrom } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { openLog } from '../release/open-log.ts';
import { publishRelease } from '../release/publish-release.ts';
import { resumePublishing } from '../release/roll-back.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { LocalKv } from '../storage/local-storage.ts';
import { chooseTarget, withPlatform } from '../storage/open-target.ts';
import { replaceDemoToken } from '../token/demo-token.ts';

const FIXTURES = resolve(PROJECT_FOLDER, 'fixtures/stores.ndjson');

/** The author of what `npm start` publishes. */
export const DEMO_AUTHOR = 'npm start';

/** Puts the fixtures live, whatever was before, unless publishing is held. */
export const FIXTURES_COMMAND =
  'npm run snapshot -- publish --source fixtures/stores.ndjson --force';

export const RESUME_COMMAND = 'npm run snapshot -- resume';

export type PreparedStorage = Awaited<ReturnType<typeof prepareStorage>>;

/** Sees to it that stores are live and issues a demo token. @throws CommandError */
export async function prepareStorage(context: CommandContext) {
  const work = (compiled: CompiledRelease) => fill(compiled, context);
  return (await withChosenRelease({ source: FIXTURES }, context, work)).result;
}

async function fill(compiled: CompiledRelease, context: CommandContext) {
  return withPlatform('development', async (env) => {
    const target = chooseTarget('development', env);
    const kept = await publishFixtures(compiled, target, context).catch((error) => {
      throw withAdvice(error);
    });
    const { token } = await replaceDemoToken(new LocalKv(env.TOKENS));
    return {
      /** A new one: that of the last start is gone. */
      token,
      /** What the user has published, which stays live, and whether that is held; null: the fixtures are live. */
      kept,
      /** How many stores are live. */
      storeCount: (kept ?? compiled).manifest.storeCount,
    };
  });
}

/** Puts the fixtures live, and returns null; or what the user has published, which stays. */
async function publishFixtures(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  { progress, signal, remark }: CommandContext,
): Promise<LogEntry | null> {
  const { head: live, isShown } = await openLog(target, { remark, signal });
  const isLive = live?.manifest.release === compiled.manifest.release;
  // A hold with the fixtures live stays as it is.
  if (isLive && isShown) return null;
  const publication = live && (await findPublication(target, live));
  if (publication && publication.by !== DEMO_AUTHOR) return { ...publication, hold: live.hold };
  const signature = { by: DEMO_AUTHOR, note: null };
  // The demo of an earlier start may be replaced, even after a rollback to it.
  if (live?.hold) await resumePublishing(target, { signature, remark, signal });
  // Objects that are gone, such as after a folder of storage was emptied, come back.
  await publishRelease(compiled, target, { signature, progress, signal, afresh: !isShown });
  progress.end();
  return null;
}

/** Says what to type where local storage holds the log of something else. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof CommandError) || error.code !== 'wrong_log') return error;
  const { message, code, details } = error;
  return new CommandError(message, code, {
    details,
    explanation: `To begin anew on this machine:\n  ${FIXTURES_COMMAND} --begin-log`,
    cause: error,
  });
}

/** The entry that published what is live, not a later rollback to it; the last entry if that is gone. */
async function findPublication(target: SnapshotTarget, live: LogEntry): Promise<LogEntry> {
  const isIt = ({ kind, manifest }: LogEntry) =>
    kind === 'publish' && manifest.release === live.manifest.release;
  const entries = await logFrom(target, live).entries((soFar) => soFar.some(isIt));
  return entries.find(isIt) ?? live;
}

/**
 * Whether local development holds only what `npm start` put there. No other storage
 * is asked: what is live there is never a demo.
 */
export async function isDemoLive(
  target: SnapshotTarget,
  live: LogEntry | null,
  { env, remote = false }: PlaceOptions,
): Promise<boolean> {
  if (!live || env !== 'development' || remote) return false;
  return (await findPublication(target, live)).by === DEMO_AUTHOR;
}
