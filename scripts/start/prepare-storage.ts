/**
 * Fills local storage for development: an export that the user names goes live, else the fixture stores
 * unless the user has published others. A demo token is issued. Tells what it published from what users publish.
 */
import { resolve } from 'node:path';
import { tokenKey } from '../../src/auth/token.ts';
import { READ_STORES } from '../../src/auth/token-record.ts';
import { makeWorkFolder, openChosenRelease } from '../build/release-choice.ts';
import { type CompiledRelease, readRelease } from '../build/release-reader.ts';
import type { SourceChoice } from '../cli/common-options.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { readEntries } from '../release/log.ts';
import { DEMO_AUTHOR, publicationIn } from '../release/log-entry.ts';
import { openLog } from '../release/open-log.ts';
import { putLive } from '../release/publish-release.ts';
import type { KvStore, SnapshotTarget } from '../storage/key-value-store.ts';
import { openLocal } from '../storage/open-target.ts';
import { type IssuedToken, issueToken } from '../token/issue-token.ts';
import { readTokens } from '../token/stored-token.ts';

const FIXTURES = resolve(PROJECT_FOLDER, 'fixtures/stores.ndjson');

/** Put the fixtures live, whatever was before. */
export const FIXTURES_COMMANDS = [
  'npm run snapshot -- resume',
  'npm run snapshot -- publish --source fixtures/stores.ndjson --force',
];

export type PreparedStorage = Awaited<ReturnType<typeof prepareStorage>>;

/**
 * Puts stores live and issues a demo token.
 * @param choice the export; without one, the fixtures
 * @throws UsageError, CommandError
 */
export async function prepareStorage(choice: Partial<SourceChoice>, context: CommandContext) {
  const { source = FIXTURES } = choice;
  await using workFolder = await makeWorkFolder(context.signal);
  const release = await openChosenRelease({ ...choice, source }, workFolder.path, context);
  await using storage = await openLocal('development', context);
  const { target, tokens } = storage;
  const outcome = await publishDemo(release, target, choice.source !== undefined);
  const { token } = await replaceDemoToken(tokens);
  return {
    /** A new token: the one of the last start is gone. */
    token,
    ...outcome,
    /** How many stores are live. */
    storeCount: (outcome.kept ?? release).manifest.storeCount,
    leftOut: release.leftOut,
  };
}

/**
 * Puts a demo live, without guards, unless the user has published something else. Returns what the user has published:
 * `kept` where it stays live, `replaced` where the demo went live in its place.
 * @param replacesAll whether it goes live all the same, and ends a hold
 */
async function publishDemo(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  replacesAll: boolean,
) {
  const log = await openLog(target);
  const { head: live, isShown } = log;
  const isLive = live?.manifest.release === compiled.manifest.release;
  // A hold with the same stores live stays as it is.
  if (isLive && isShown) return { kept: null, replaced: null };
  const publication = publicationIn(await readEntries(target, live));
  const own = publication && publication.by !== DEMO_AUTHOR ? publication : null;
  if (own && !replacesAll) return { kept: own, replaced: null };
  const signature = { by: DEMO_AUTHOR, note: null };
  // Objects that are gone, such as after a folder of storage was emptied, come back.
  const options = { signature, afresh: !isShown };
  await putLive(readRelease(compiled), target, log, options);
  target.context.progress.end();
  return { kept: null, replaced: isLive ? null : own };
}

const DEMO_PARTNER = 'demo';
const DEMO_NOTE = 'issued by npm start';

/** Issues a demo token for development and deletes the tokens of earlier starts: their secrets are not stored. */
export async function replaceDemoToken(store: KvStore): Promise<IssuedToken> {
  const { tokens } = await readTokens(store);
  for (const { hash, record } of tokens) {
    if (record.partner === DEMO_PARTNER && record.note === DEMO_NOTE) {
      await store.delete(tokenKey(hash));
    }
  }
  const order = {
    partner: DEMO_PARTNER,
    scopes: [READ_STORES],
    expiresAt: null,
    utm: null,
    note: DEMO_NOTE,
  };
  return issueToken(store, 'development', order);
}
