/**
 * Fills local storage for development: the fixture stores go live unless the user has published
 * others, a demo token is issued.
 */
import { resolve } from 'node:path';
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import { openPlatform, PROJECT_FOLDER } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compileRelease } from '../compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../compile/release-output.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { readLive } from '../release/open-log.ts';
import { publishRelease } from '../release/publish-release.ts';
import { readRelease } from '../release/published-release.ts';
import { openReport, readStoresToCompile } from '../source/source-stores.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { LocalKv } from '../storage/local-kv.ts';
import { chooseTarget } from '../storage/open-target.ts';
import { replaceDemoToken } from '../token/demo-token.ts';
import { DEMO_AUTHOR } from './demo-release.ts';

const FIXTURES = resolve(PROJECT_FOLDER, 'fixtures/stores.ndjson');

export interface PreparedStorage {
  /** A new one: that of the last start is gone. */
  readonly token: string;
  /** What the user has published, which stays live; null: the fixtures are live. */
  readonly kept: PublishedRelease | null;
}

/** Sees to it that stores are live and issues a demo token. @throws CommandError */
export async function prepareStorage(context: CommandContext): Promise<PreparedStorage> {
  const compiled = await compileFixtures(context);
  const platform = await openPlatform('development');
  try {
    const { progress, signal } = context;
    const target = chooseTarget(platform.env);
    const live = await readLive(target);
    const isLive = live?.manifest.release === compiled.manifest.release;
    const kept = isLive ? null : await findUsersRelease(target, live);
    // Where somebody holds publishing with the fixtures live, that stays as it is.
    const isHeld = isLive && live.hold !== null;
    if (!kept && !isHeld) {
      const signature = { by: DEMO_AUTHOR, note: null };
      const options = { signature, resume: true, progress, signal };
      await publishRelease(compiled, target, options);
      progress.end();
    }
    const { token } = await replaceDemoToken(new LocalKv(platform.env.TOKENS), Date.now());
    return { token, kept };
  } finally {
    await platform.dispose();
  }
}

/** What is live, unless an earlier start put it there; null too when it cannot be read. */
async function findUsersRelease(
  target: SnapshotTarget,
  live: LogEntry | null,
): Promise<PublishedRelease | null> {
  if (!live) return null;
  const published = await readRelease(target, live.manifest.release);
  return published?.author === DEMO_AUTHOR ? null : published;
}

/** The fixtures are few: their release is compiled in memory. */
async function compileFixtures(context: CommandContext): Promise<CompiledRelease> {
  const sink = new MemorySink();
  const stores = readStoresToCompile(
    { source: FIXTURES, isFinished: true },
    false,
    openReport(context),
    context,
  );
  const manifest = await compileRelease(stores, { spool: new MemorySpool(), sink });
  return { manifest, readObject: async (hash) => sink.objects.get(hash) ?? null };
}
