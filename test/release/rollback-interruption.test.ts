/** A rollback, or a resume, that is interrupted before it was decided: nothing is written. */
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InterruptedError } from '../../scripts/cli/describe-error.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { AnyCommand } from '../../scripts/cli/run-command.ts';
import { resumeCommand } from '../../scripts/commands/resume.ts';
import { rollbackCommand } from '../../scripts/commands/rollback.ts';
import { readHead } from '../../scripts/release/log.ts';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { withTarget } from '../../scripts/storage/open-target.ts';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { PLACES_PART } from '../../src/snapshot/manifest.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';

const INTERRUPTED = { name: 'InterruptedError', exitCode: 130 };
const { signal: never } = new AbortController();

const tool = useSnapshotTool();

beforeEach(async () => {
  vi.stubEnv('STORE_DIRECTORY_STATE', tool.state);
  await tool.snapshot(['publish', '--source', tool.goodFile]);
  await tool.snapshot(['publish', '--source', '-'], ndjson(storesFrom(1, 4)));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function run({ attach }: AnyCommand, signal: AbortSignal): Promise<void> {
  const program = new Command();
  const context = { json: true, progress: SILENT_PROGRESS, signal, remark: () => {} };
  attach(program, async (_, work) => void (await work(context)));
  await program.parseAsync([], { from: 'user' });
}

/** The log's last entry, and the pointer: what is live, and whether publishing is held. */
const decisions = () =>
  withTarget({ env: 'development' }, { signal: never, remark: () => {} }, async (target) => ({
    head: await readHead(target.ledger),
    pointer: await target.objects.get(POINTER_KEY),
  }));

/** Has reading what nothing but the warning reads fail with what `fail` throws. */
async function failWarning(fail: () => never): Promise<void> {
  const { head } = await decisions();
  const places = head?.manifest.parts[PLACES_PART]?.hash ?? '';
  const { get } = LocalKv.prototype;
  vi.spyOn(LocalKv.prototype, 'get').mockImplementation(function (this: LocalKv, key) {
    return key.endsWith(places) ? fail() : get.call(this, key);
  });
}

describe('a rollback', () => {
  it('that is interrupted while it looks for what to warn of goes nowhere', async () => {
    const before = await decisions();
    const interruption = new AbortController();
    await failWarning(() => {
      interruption.abort(new InterruptedError());
      throw interruption.signal.reason;
    });
    await expect(run(rollbackCommand, interruption.signal)).rejects.toMatchObject(INTERRUPTED);
    expect(await decisions()).toEqual(before);
  });

  it('of which the warning cannot be made is done all the same', async () => {
    await failWarning(() => {
      throw new Error('KV is away');
    });
    await run(rollbackCommand, never);
    expect((await decisions()).head).toMatchObject({ number: 3, kind: 'rollback' });
  });

  it('and a resume that hear of it without waiting for anything write nothing either', async () => {
    const aborted = AbortSignal.abort(new InterruptedError());
    const before = await decisions();
    await expect(run(rollbackCommand, aborted)).rejects.toMatchObject(INTERRUPTED);
    expect(await decisions()).toEqual(before);
    await run(rollbackCommand, never);
    const held = await decisions();
    expect(held.head?.number).toBe(3);
    await expect(run(resumeCommand, aborted)).rejects.toMatchObject(INTERRUPTED);
    expect(await decisions()).toEqual(held);
  });
});
