/**
 * Fills local storage for development: an export that the user names goes live, else the fixture stores
 * unless the user has published others. A demo token is issued. Tells what it published from what users publish.
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
import type { SourceChoice } from '../source/source-stores.ts';
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

/** Goes back to what was live before. */
export const ROLLBACK_COMMAND = 'npm run snapshot -- rollback';

export type PreparedStorage = Awaited<ReturnType<typeof prepareStorage>>;

/**
 * Puts stores live and issues a demo token.
 * @param choice the export; without one, the fixtures
 * @throws UsageError, CommandError
 */
export async function prepareStorage(choice: Partial<SourceChoice>, context: CommandContext) {
  const { source } = choice;
  const replacesAll = source !== undefined;
  const { result, validation, leftOut } = await withChosenRelease(
    { ...choice, source: source ?? FIXTURES },
    context,
    (compiled) => fill(compiled, replacesAll, context),
  );
  return { ...result, validation: replacesAll ? validation : undefined, leftOut };
}

async function fill(compiled: CompiledRelease, replacesAll: boolean, context: CommandContext) {
  return withPlatform('development', async (env) => {
    const target = chooseTarget('development', env);
    const outcome = await publishDemo(compiled, target, replacesAll, context).catch((error) => {
      throw withAdvice(error);
    });
    const { token } = await replaceDemoToken(new LocalKv(env.TOKENS));
    return {
      /** A new one: that of the last start is gone. */
      token,
      ...outcome,
      /** How many stores are live. */
      storeCount: (outcome.kept ?? compiled).manifest.storeCount,
    };
  });
}

interface Outcome {
  /** What the user has published, which stays live, and whether that is held; null: the demo is live. */
  readonly kept: LogEntry | null;
  /** The same where the demo went live in its place. */
  readonly replaced: LogEntry | null;
}

/**
 * Puts a demo live, without guards, unless the user has published something else.
 * @param replacesAll whether it goes live all the same, and ends a hold
 */
async function publishDemo(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  replacesAll: boolean,
  { progress, signal, remark }: CommandContext,
): Promise<Outcome> {
  const { head: live, isShown } = await openLog(target, { remark, signal });
  const isLive = live?.manifest.release === compiled.manifest.release;
  // A hold with the same stores live stays as it is.
  if (isLive && isShown) return { kept: null, replaced: null };
  const publication = live && (await findPublication(target, live));
  const isOwn = publication && publication.by !== DEMO_AUTHOR;
  const own = isOwn ? { ...publication, hold: live.hold } : null;
  if (own && !replacesAll) return { kept: own, replaced: null };
  const signature = { by: DEMO_AUTHOR, note: null };
  // What may be replaced may be replaced even after a rollback to it.
  if (live?.hold) await resumePublishing(target, { signature, remark, signal });
  // Objects that are gone, such as after a folder of storage was emptied, come back.
  await publishRelease(compiled, target, { signature, progress, signal, afresh: !isShown });
  progress.end();
  return { kept: null, replaced: isLive ? null : own };
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
