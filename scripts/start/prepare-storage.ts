/** Fills local storage for development: the fixture stores go live, a demo token is issued. */
import { resolve } from 'node:path';
import { compileRelease } from '../../src/compile/compile-release.ts';
import { MemorySink, MemorySpool } from '../../src/compile/memory-output.ts';
import { openPlatform, PROJECT_FOLDER } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';
import { chooseTarget } from '../publish/local-target.ts';
import { publishRelease } from '../publish/publish-release.ts';
import { openReport, readStoresToCompile } from '../snapshot/source-stores.ts';
import { replaceDemoToken } from '../token/demo-token.ts';
import { KvTokenStore } from '../token/kv-token-store.ts';

const FIXTURES = resolve(PROJECT_FOLDER, 'fixtures/stores.ndjson');

/** Publishes the fixture stores and returns a new demo token. @throws CommandError */
export async function prepareStorage(context: CommandContext): Promise<string> {
  const compiled = await compileFixtures(context);
  const platform = await openPlatform('development');
  try {
    const { progress, signal } = context;
    const options = { author: 'npm start', now: new Date(), progress, signal };
    await publishRelease(compiled, chooseTarget(platform.env), options);
    progress.end();
    const { token } = await replaceDemoToken(new KvTokenStore(platform.env.TOKENS), Date.now());
    return token;
  } finally {
    await platform.dispose();
  }
}

/** The fixtures are few: their release is compiled in memory. */
async function compileFixtures(context: CommandContext): Promise<CompiledRelease> {
  const sink = new MemorySink();
  const stores = readStoresToCompile(FIXTURES, false, openReport(context), context);
  const manifest = await compileRelease(stores, { spool: new MemorySpool(), sink });
  return { manifest, readObject: async (hash) => sink.objects.get(hash) ?? null };
}
