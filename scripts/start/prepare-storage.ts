/**
 * Fills local storage for development: the fixture stores go live unless the user has published
 * others, a demo token is issued.
 */
import { resolve } from 'node:path';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { openPlatform, PROJECT_FOLDER } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../compile/release-output.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { openLog, readLog } from '../release/open-log.ts';
import { publishRelease } from '../release/publish-release.ts';
import { resumePublishing } from '../release/roll-back.ts';
import { readStoresToCompile } from '../source/source-stores.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { LocalKv } from '../storage/local-storage.ts';
import { chooseTarget } from '../storage/open-target.ts';
import { replaceDemoToken } from '../token/demo-token.ts';
import { DEMO_AUTHOR, FIXTURES_COMMAND, findPublication } from './demo-release.ts';

const FIXTURES = resolve(PROJECT_FOLDER, 'fixtures/stores.ndjson');

export interface PreparedStorage {
  /** A new one: that of the last start is gone. */
  readonly token: string;
  /** What the user has published, which stays live; null: the fixtures are live. */
  readonly kept: LogEntry | null;
  /** How many stores are live. */
  readonly storeCount: number;
  /** Whether publishing is held, so that the fixtures come back only after a resume. */
  readonly isHeld: boolean;
}

/** Sees to it that stores are live and issues a demo token. @throws CommandError */
export async function prepareStorage(context: CommandContext): Promise<PreparedStorage> {
  const compiled = await compileFixtures(context);
  const platform = await openPlatform('development');
  try {
    const target = chooseTarget('development', platform.env);
    const kept = await publishFixtures(compiled, target, context).catch((error) => {
      throw withAdvice(error);
    });
    const isHeld = (await readLog(target)).head?.hold != null;
    const { token } = await replaceDemoToken(new LocalKv(platform.env.TOKENS));
    const { storeCount } = (kept ?? compiled).manifest;
    return { token, kept, storeCount, isHeld };
  } finally {
    await platform.dispose();
  }
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
  if (publication && publication.by !== DEMO_AUTHOR) return publication;
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
  return new CommandError(error.message, {
    code: error.code,
    details: error.details,
    explanation: `To begin anew on this machine:\n  ${FIXTURES_COMMAND} --begin-log`,
    cause: error,
  });
}

/** The fixtures are few: their release is compiled in memory. */
async function compileFixtures(context: CommandContext): Promise<CompiledRelease> {
  const sink = new MemorySink();
  const stores = readStoresToCompile({ source: FIXTURES }, context);
  const manifest = await compileRelease(stores, { spool: new MemorySpool(), sink });
  const readObjects = async (refs: readonly ObjectRef[]) =>
    refs.map(({ hash }) => sink.objects.get(hash) ?? null);
  return { manifest, readObjects };
}
