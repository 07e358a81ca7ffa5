/** What a publication says when it is stopped from outside, and what it notes when it is not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../scripts/cli/command-error.ts';
import { InterruptedError } from '../../scripts/cli/describe-error.ts';
import { concludePublication } from '../../scripts/commands/publish-outcome.ts';
import { openLog } from '../../scripts/release/open-log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { withTarget } from '../../scripts/storage/open-target.ts';
import { unsealJson } from '../../src/sealed-json.ts';
import { LAST_RUN_KEY, OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { endStorage } from '../support/kept-storage.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { compileStores, publishOptions, storesFrom } from '../support/stores/compiled-stores.ts';

const PLACE = { env: 'staging' } as const;

let folder: string;
let live: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'publish-outcome-'));
  vi.stubEnv('STORE_DIRECTORY_STATE', join(folder, 'state'));
  const source = join(folder, 'stores.ndjson');
  await writeFile(source, ndjson(storesFrom(1, 3)));
  const publish = ['publish', '--source', source, '--env', 'staging', '--json'];
  const { code, stdout } = await callTool('snapshot', publish);
  expect(code).toBe(0);
  live = JSON.parse(stdout).release;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await endStorage();
  await rm(folder, { recursive: true, force: true });
});

/** A command's context, its remarks, and what interrupts it. */
function stage(json = false) {
  const interruption = new AbortController();
  const remarks: string[] = [];
  const context = {
    json,
    signal: interruption.signal,
    remark: (text: string) => void remarks.push(text),
  };
  return { context, remarks, interrupt: () => interruption.abort(new InterruptedError()) };
}

/** The error of a publication of `release` that ends with `error`, after `work`, before it returns. */
async function interrupted(
  release: string | null,
  error: Error,
  options = {},
  work: (target?: SnapshotTarget) => Promise<unknown> = async () => {},
) {
  const { context, interrupt } = stage();
  const publish = concludePublication({ ...PLACE, ...options }, context, async (begin) => {
    const stop = async (target?: SnapshotTarget) => {
      await work(target);
      interrupt();
      throw error;
    };
    if (release === null) return stop();
    return withTarget(PLACE, context, (target) => begin(target, release, () => stop(target)));
  });
  return publish.then(
    () => null,
    ({ message, exitCode, details }: InterruptedError) => ({ message, exitCode, details }),
  );
}

describe('a publication that is interrupted', () => {
  it('ends with 0 if its release is live all the same', async () => {
    expect(await interrupted(live, new InterruptedError())).toEqual({
      message: `interrupted: staging, on this machine: release ${live} is live all the same`,
      exitCode: 0,
      details: { live: true },
    });
  });

  it('brings up a pointer that was left behind', async () => {
    const read = () =>
      withTarget(PLACE, stage().context, (target) => target.objects.get(POINTER_KEY));
    const pointer = await read();
    await withTarget(PLACE, stage().context, ({ objects }) => objects.delete(POINTER_KEY));
    expect(await interrupted(live, new InterruptedError())).toMatchObject({ exitCode: 0 });
    expect(await read()).toEqual(pointer);
  });

  it('ends with 1 if the pointer cannot be written, for readers do not see it', async () => {
    const { context } = stage();
    await withTarget(PLACE, context, ({ objects }) => objects.delete(POINTER_KEY));
    const put = vi.spyOn(LocalKv.prototype, 'put').mockRejectedValue(new Error('KV is away'));
    expect(await interrupted(live, new InterruptedError())).toEqual({
      message: `interrupted: staging, on this machine: entry 1 of the log says that release ${live} is live, but the pointer to it could not be written: KV is away; run it again`,
      exitCode: 1,
      details: { live: null },
    });
    put.mockRestore();
    await withTarget(PLACE, context, (target) => openLog(target));
  });

  it('ends with 1 if objects of it are missing: the pointer stays where it is', async () => {
    const { context } = stage();
    const lost = await withTarget(PLACE, context, async ({ objects }) => {
      await objects.delete(POINTER_KEY);
      const { value: key } = await objects.list(OBJECT_PREFIX)[Symbol.asyncIterator]().next();
      const bytes = await objects.get(key.key);
      await objects.delete(key.key);
      return { key: key.key as string, bytes: bytes as Uint8Array };
    });
    const outcome = await interrupted(live, new InterruptedError());
    expect(outcome).toMatchObject({ exitCode: 1, details: { live: null } });
    expect(outcome?.message).toContain(
      `release 1-${live} is live by the log, but 1 of its objects`,
    );
    await withTarget(PLACE, context, async (target) => {
      expect(await target.objects.get(POINTER_KEY)).toBeNull();
      await target.objects.put(lost.key, lost.bytes);
      await openLog(target);
    });
  });

  it.each(['afresh', 'beginLog'])(
    'with %s ends with 130 if its release is live only as it was before',
    async (option) => {
      expect(await interrupted(live, new InterruptedError(), { [option]: true })).toEqual({
        message: `interrupted: staging, on this machine: release ${live} is live as it was before, not afresh`,
        exitCode: 130,
        details: { live: false },
      });
    },
  );

  it('afresh ends with 0 if an entry of its own was made', async () => {
    const compiled = await compileStores(storesFrom(1, 3));
    const outcome = await interrupted(live, new InterruptedError(), { afresh: true }, (target) =>
      publishRelease(compiled, target as SnapshotTarget, publishOptions({ afresh: true })),
    );
    expect(outcome).toMatchObject({ exitCode: 0, details: { live: true } });
  });

  it.each([
    ['itself', new InterruptedError()],
    ['through its storage', new Error('workerd has ended')],
  ])('(%s) ends with 130 if another one is', async (_how, error) => {
    expect(await interrupted('0123456789abcdef', error)).toEqual({
      message: `interrupted: staging, on this machine: release 0123456789abcdef is not live, ${live} is`,
      exitCode: 130,
      details: { live: false },
    });
  });

  it.each([
    ['before there is a release', null, {}],
    ['in a rehearsal', '0123456789abcdef', { dryRun: true }],
  ])('%s has published nothing', async (_when, release, options) => {
    expect(await interrupted(release, new InterruptedError(), options)).toEqual({
      message: 'interrupted: staging, on this machine: nothing was published',
      exitCode: 130,
      details: { live: false },
    });
  });

  it('ends with 1 where it cannot be told', async () => {
    // Without it no request is sent.
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    expect(await interrupted(live, new InterruptedError(), { remote: true })).toEqual({
      message: `interrupted: staging, on Cloudflare: whether release ${live} is live could not be read; see snapshot list`,
      exitCode: 1,
      details: { live: null },
    });
  });

  it('as it ends gives people the last line, and machines the whole result', async () => {
    for (const json of [false, true]) {
      const { context, interrupt } = stage(json);
      const work = concludePublication(PLACE, context, (begin) =>
        withTarget(PLACE, context, (target) =>
          begin(target, live, async () => {
            interrupt();
            return 'the result';
          }),
        ),
      );
      if (json) expect((await work).result).toBe('the result');
      else await expect(work).rejects.toMatchObject({ exitCode: 0, details: { live: true } });
    }
  });
});

describe('a publication that is refused', () => {
  it('says where, for jobs publish to two environments', async () => {
    const said = { code: 'publication_held', details: { hold: null }, explanation: 'Wait.' };
    const refusal = new CommandError('publishing is held', said);
    const { context } = stage();
    const result = concludePublication(PLACE, context, (begin) =>
      withTarget(PLACE, context, (target) => begin(target, live, () => Promise.reject(refusal))),
    );
    const message = 'staging, on this machine: publishing is held';
    await expect(result).rejects.toMatchObject({ message, ...said, cause: refusal, exitCode: 1 });
  });
});

describe('a run that comes to its end', () => {
  it('notes the time of the storage: that of this machine may be days off', async () => {
    const target = new MemoryTarget();
    await concludePublication(PLACE, stage().context, (begin) =>
      begin(target, live, async () => 0),
    );
    const text = new TextDecoder().decode(target.values.get(LAST_RUN_KEY));
    expect(unsealJson(text)).toEqual({ ranAt: new Date(target.time).toISOString(), release: live });
  });

  it('is no failure because that cannot be noted', async () => {
    const { context, remarks } = stage();
    const result = await withTarget(PLACE, context, (target) => {
      vi.spyOn(target.objects, 'put').mockRejectedValue(new Error('KV is down'));
      return concludePublication(PLACE, context, (begin) =>
        begin(target, live, async () => 'done'),
      );
    });
    expect(result).toEqual({ result: 'done', runFailure: 'KV is down' });
    expect(remarks).toEqual([expect.stringContaining('/healthz will not show it: KV is down')]);
  });
});
