/** A rollback, or a resume, that is interrupted before it was decided: nothing is written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../scripts/cli/describe-error.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { AnyCommand } from '../../scripts/cli/run-command.ts';
import { resumeCommand } from '../../scripts/commands/resume.ts';
import { rollbackCommand } from '../../scripts/commands/rollback.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { LOG_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { PLACES_PART } from '../../src/snapshot/manifest.ts';
import { writeRemoteConfig } from '../support/cloudflare/remote-config.ts';
import { openTarget } from '../support/cloudflare/stage.ts';
import { CloudflareStandIn, type Fault } from '../support/cloudflare/stand-in.ts';
import type { StandInRequest } from '../support/cloudflare/stand-in-answer.ts';
import { compileStores, publishOptions, storesFrom } from '../support/stores/compiled-stores.ts';

const INTERRUPTED = { name: 'InterruptedError', exitCode: 130 };

let folder: string;
let standIn: CloudflareStandIn;
/** Resets the stand-in to two releases, of which the second is live. */
let begin: () => void;
/** Hash of a part that nothing but the warning reads. */
let placesOfLive: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollback-interruption-'));
  standIn = await CloudflareStandIn.start();
  vi.stubEnv('STORE_DIRECTORY_CONFIG', await writeRemoteConfig(folder, 'kv'));
  for (const [name, value] of Object.entries(standIn.variables)) vi.stubEnv(name, value);
  for (const last of [3, 4]) {
    const compiled = await compileStores(storesFrom(1, last));
    const target = openTarget(standIn, 'kv');
    await publishRelease(compiled, target, publishOptions());
    placesOfLive = compiled.manifest.parts[PLACES_PART]?.hash ?? '';
  }
  begin = standIn.remember();
});

beforeEach(() => begin());

afterAll(async () => {
  vi.unstubAllEnvs();
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command on remote staging. */
async function run({ attach }: AnyCommand, signal: AbortSignal): Promise<void> {
  const program = new Command();
  const context = { json: true, progress: SILENT_PROGRESS, signal, remark: () => {} };
  attach(program, async (work) => void (await work(context)));
  await program.parseAsync(['--env', 'staging', '--remote'], { from: 'user' });
}

/** Runs a command that is interrupted while the answer to the request that is looked for does not come. */
async function interruptAt(
  command: AnyCommand,
  isIt: (request: StandInRequest) => boolean,
): Promise<void> {
  await run(command, new AbortController().signal);
  const before = standIn.requests.findIndex(isIt);
  expect(before).toBeGreaterThan(0);
  begin();
  const fine = Array.from({ length: before }, (): Fault => ({ kind: 'delay', delay: 0 }));
  standIn.failNext(...fine, { kind: 'silence' });
  const interruption = new AbortController();
  standIn.onSilence = () => interruption.abort(new InterruptedError());
  await run(command, interruption.signal);
}

/** What says which release is live, and whether publishing is held. */
const decisions = () => ({
  log: [...standIn.bucket.objects.keys()].filter((key) => key.startsWith(LOG_PREFIX)),
  pointer: String(standIn.snapshots.values.get(POINTER_KEY)),
});

describe('a rollback', () => {
  it('that is interrupted while it looks for what to warn of goes nowhere', async () => {
    const before = decisions();
    const reading = interruptAt(rollbackCommand, ({ path }) => path.includes(placesOfLive));
    await expect(reading).rejects.toMatchObject(INTERRUPTED);
    expect(decisions()).toEqual(before);
  });

  it('of which the warning cannot be made is done all the same', async () => {
    const isIt = (key: string) => key.endsWith(placesOfLive);
    const key = [...standIn.snapshots.values.keys()].find(isIt) ?? '';
    standIn.snapshots.set(key, 'damaged');
    await run(rollbackCommand, new AbortController().signal);
    expect(decisions().log).toHaveLength(3);
  });

  it('and a resume that hear of it without waiting for anything write nothing either', async () => {
    const aborted = AbortSignal.abort(new InterruptedError());
    const before = decisions();
    await expect(run(rollbackCommand, aborted)).rejects.toMatchObject(INTERRUPTED);
    expect(decisions()).toEqual(before);
    await run(rollbackCommand, new AbortController().signal);
    const held = decisions();
    expect(held.log).toHaveLength(before.log.length + 1);
    await expect(run(resumeCommand, aborted)).rejects.toMatchObject(INTERRUPTED);
    expect(decisions()).toEqual(held);
  });
});
