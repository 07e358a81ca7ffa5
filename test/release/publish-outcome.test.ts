/** What a publication says when it is stopped from outside, and what it notes when it is not. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompiledRelease } from '../../scripts/build/release-reader.ts';
import { CommandError, InterruptedError } from '../../scripts/cli/command-error.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { run, wantedEntry, writeRun } from '../../scripts/commands/publish.ts';
import { publicationError } from '../../scripts/commands/publish-outcome.ts';
import { openLog } from '../../scripts/release/open-log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { LocalKv } from '../../scripts/storage/local-storage.ts';
import { openTarget } from '../../scripts/storage/open-target.ts';
import { LAST_RUN_KEY, OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { unsealJson } from '../../src/storage/sealed-json.ts';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { endStorage } from '../support/kept-storage.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { compileStores, publishOptions, storesFrom } from '../support/stores/compiled-stores.ts';
import { keysOf } from '../support/target-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLACE = { env: 'staging' } as const;

const folder = temporaryFolder();
let live: string;

beforeAll(async () => {
  vi.stubEnv('STORE_DIRECTORY_STATE', join(folder, 'state'));
  await writeFile(join(folder, 'stores.ndjson'), ndjson(storesFrom(1, 3)));
  const { code, result } = await publish();
  expect(code).toBe(0);
  live = result.release;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await endStorage();
});

async function publish() {
  const source = join(folder, 'stores.ndjson');
  const args = ['publish', '--source', source, '--env', 'staging', '--json'];
  const { code, stdout } = await callTool('snapshot', args);
  return { code, result: JSON.parse(stdout) };
}

/** A command's context, its remarks, and what interrupts it. */
function stage(json = false) {
  const interruption = new AbortController();
  const remarks: string[] = [];
  const context = {
    json,
    progress: SILENT_PROGRESS,
    signal: interruption.signal,
    remark: (text: string) => void remarks.push(text),
  };
  return { context, remarks, interrupt: () => interruption.abort(new InterruptedError()) };
}

/** How a publication of `release` ends with `error`, after `work`, before it writes anything itself. */
async function interrupted(
  release: string | null,
  options: { afresh?: boolean; beginLog?: boolean; dryRun?: boolean; remote?: boolean } = {},
  error: Error = new InterruptedError(),
  work: (target: SnapshotTarget) => Promise<unknown> = async () => {},
) {
  const { context, interrupt } = stage();
  const compiled = { manifest: { release } } as CompiledRelease;
  const wanted = await onTarget(async (target) => {
    const found = release === null ? null : await wantedEntry(target, compiled, options);
    await work(target);
    return found;
  });
  interrupt();
  const outcome = await publicationError(error, wanted, { ...PLACE, ...options }, context);
  const { message, exitCode, details } = outcome as InterruptedError;
  return { message, exitCode, details };
}

/** Does something to the storage of the publications. */
async function onTarget<T>(work: (target: SnapshotTarget) => Promise<T>): Promise<T> {
  await using target = await openTarget(PLACE, stage().context);
  return await work(target);
}

const OTHER = '0123456789abcdef';
const AS_BEFORE = 'is live as it was before, not afresh';

describe('a publication that is interrupted', () => {
  it.each([
    ['LIVE', {}, 'release LIVE is live all the same', 0, true],
    ['LIVE', { afresh: true }, `release LIVE ${AS_BEFORE}`, 130, false],
    ['LIVE', { beginLog: true }, `release LIVE ${AS_BEFORE}`, 130, false],
    [OTHER, {}, `release ${OTHER} is not live, LIVE is`, 130, false],
    [OTHER, { dryRun: true }, 'nothing was published', 130, false],
    [null, {}, 'nothing was published', 130, false],
  ])('says of %s with %j: %s', async (release, options, words, exitCode, isLive) => {
    const wanted = release === 'LIVE' ? live : release;
    expect(await interrupted(wanted, options)).toEqual({
      message: `interrupted: staging, on this machine: ${words.replace('LIVE', live)}`,
      exitCode,
      details: { live: isLive },
    });
  });

  it('through its storage says the same', async () => {
    const error = new Error('workerd has ended');
    expect(await interrupted(OTHER, {}, error)).toMatchObject({ exitCode: 130 });
  });

  it('brings up a pointer that was left behind', async () => {
    const read = () => onTarget(({ objects }) => objects.get(POINTER_KEY));
    const pointer = await read();
    await onTarget(({ objects }) => objects.delete(POINTER_KEY));
    expect(await interrupted(live)).toMatchObject({ exitCode: 0 });
    expect(await read()).toEqual(pointer);
  });

  it('ends with 1 if the pointer cannot be written, for readers do not see it', async () => {
    await onTarget(({ objects }) => objects.delete(POINTER_KEY));
    const put = vi.spyOn(LocalKv.prototype, 'put').mockRejectedValue(new Error('KV is away'));
    const outcome = await interrupted(live);
    put.mockRestore();
    expect(outcome).toMatchObject({ exitCode: 1, details: { live: null } });
    expect(outcome?.message).toMatch(
      / the pointer to it could not be written: KV is away; run it again$/,
    );
    await onTarget(openLog);
  });

  it('ends with 1 if objects of it are missing: the pointer stays where it is', async () => {
    const [key = '', bytes] = await onTarget(async ({ objects }) => {
      await objects.delete(POINTER_KEY);
      const [first = ''] = await keysOf(objects, OBJECT_PREFIX);
      const value = await objects.get(first);
      await objects.delete(first);
      return [first, value as Uint8Array] as const;
    });
    const outcome = await interrupted(live);
    expect(outcome).toMatchObject({ exitCode: 1, details: { live: null } });
    expect(outcome?.message).toMatch(/release \d+-\w+ is live by the log, but 1 of its objects/);
    // The next one relies on no object of it.
    const { code, result } = await publish();
    expect(code).toBe(1);
    expect(result.error).toMatchObject({
      code: 'pointer_behind',
      message: expect.stringContaining('publish --afresh uploads everything anew'),
    });
    await onTarget(async (target) => {
      expect(await target.objects.get(POINTER_KEY)).toBeNull();
      await target.objects.put(key, bytes);
      await openLog(target);
    });
  });

  it('afresh ends with 0 if an entry of its own was made', async () => {
    const compiled = await compileStores(storesFrom(1, 3));
    const options = { afresh: true };
    const outcome = await interrupted(live, options, new InterruptedError(), (target) =>
      publishRelease(compiled, target, publishOptions(options)),
    );
    expect(outcome).toMatchObject({ exitCode: 0, details: { live: true } });
  });

  it('ends with 1 where it cannot be told', async () => {
    // Without it no request is sent.
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    expect(await interrupted(live, { remote: true })).toEqual({
      message: `interrupted: staging, on Cloudflare: whether release ${live} is live could not be read; see snapshot list`,
      exitCode: 1,
      details: { live: null },
    });
  });

  it('as it ends gives people the last line, and machines the whole result', async () => {
    const options = { ...PLACE, source: join(folder, 'stores.ndjson'), allow: new Map() };
    for (const json of [false, true]) {
      const { context, interrupt } = stage(json);
      // What would go live has been compared, and nothing is left to write.
      const progress = { ...SILENT_PROGRESS, end: interrupt };
      const work = run(options, { ...context, progress });
      if (json) expect(await work).toMatchObject({ data: { release: live } });
      else await expect(work).rejects.toMatchObject({ exitCode: 0, details: { live: true } });
    }
  });
});

describe('a publication that is refused', () => {
  it('says where, for jobs publish to two environments', async () => {
    const code = 'publication_held';
    const said = { details: { hold: null }, explanation: 'Wait.' };
    const refusal = new CommandError('publishing is held', code, said);
    const wanted = { release: live, after: 0 };
    const error = await publicationError(refusal, wanted, PLACE, stage().context);
    const message = 'staging, on this machine: publishing is held';
    expect(error).toMatchObject({ message, code, ...said, cause: refusal, exitCode: 1 });
  });
});

describe('a run that comes to its end', () => {
  it('notes the time of the storage: that of this machine may be days off', async () => {
    const target = new MemoryTarget();
    await writeRun(target, live, stage().context);
    const text = new TextDecoder().decode(target.values.get(LAST_RUN_KEY));
    expect(unsealJson(text)).toEqual({ ranAt: new Date(target.time).toISOString(), release: live });
  });

  it('is no failure because that cannot be noted', async () => {
    const { context, remarks } = stage();
    await onTarget(async (target) => {
      vi.spyOn(target.objects, 'put').mockRejectedValue(new Error('KV is down'));
      await writeRun(target, live, context);
    });
    expect(remarks).toEqual([expect.stringContaining('/healthz will not show it: KV is down')]);
  });
});
