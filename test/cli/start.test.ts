import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SourceChoice } from '../../scripts/cli/common-options.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { DEMO_AUTHOR } from '../../scripts/release/log-entry.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { chooseRollback, rollBack } from '../../scripts/release/roll-back.ts';
import { prepareStorage } from '../../scripts/start/prepare-storage.ts';
import { describeStart } from '../../scripts/start/serve.ts';
import { LOG_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { toolWith } from '../support/call-tool.ts';
import { commandContext } from '../support/command-context.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { freePort } from '../support/free-port.ts';
import { emptyStorage, inStorage, storageFolder } from '../support/kept-storage.ts';
import { startTool } from '../support/run-tool.ts';
import { compileStores, publishRelease, storesFrom } from '../support/stores/compiled-stores.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const state = storageFolder();
const env = { STORE_DIRECTORY_STATE: state, NO_COLOR: '1' };
const snapshot = toolWith('snapshot', env);

vi.stubEnv('STORE_DIRECTORY_STATE', state);

/** The request that the printed curl line makes. */
function printedRequest({ stdout }: { readonly stdout: string }) {
  const line = /^ {2}curl -H '([^:]+): ([^']+)' '([^']+)'$/m.exec(stdout);
  if (!line) throw new Error(`no curl line in:\n${stdout}`);
  const [, name = '', value = '', url = ''] = line;
  return { url, headers: { [name]: value } };
}

/** Of four stores the second is faulty. */
const SOME_FAULTY = [...storesFrom(1, 1), buildStore(2, { slug: 7 }), ...storesFrom(3, 4)];

/** One start after the other on the same storage, of which the first serves: that takes seconds. */
describe('npm start', () => {
  let started: ReturnType<typeof startTool>;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const args = ['--source', '-', '--skip-invalid', '--port', String(port)];
    started = startTool('start', args, env);
    started.child.stdin.end(gzipSync(JSON.stringify(SOME_FAULTY)));
    await started.untilPrinted('Ctrl-C');
  });

  afterAll(async () => {
    // SIGTERM, so that a start that a failed test left running takes its server with it.
    started.child.kill('SIGTERM');
    await started.ended;
  });

  it('serves the good stores of standard input to the printed curl line, on a port that is free', async () => {
    const { url, headers } = printedRequest(started.output);
    const listed = await fetch(url, { headers });
    expect(listed.status).toBe(200);
    expect(await listed.json()).toMatchObject({ total: 3, docs: [{}, {}] });
    expect(started.output.stdout).toContain('Left out 1 store (1 fault in 1 store):');
    expect(started.output.stdout).toContain('3 stores on ');
    expect((await fetch(url)).status).toBe(401);

    const second = await callStart(port);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`port ${port} cannot be used: address already in use;`);
  });

  it("lets its stores be replaced by one's own, and stops when it is told to end", async () => {
    // As the guard has it, all stores would go.
    const own = await publishFromInput(storesFrom(5, 7));
    expect(own.code).toBe(0);
    const fewer = await publishFromInput(storesFrom(8, 8));
    expect(fewer.data).toMatchObject({ error: { code: 'suspicious_change' } });
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  it('keeps those at the next start, and says how its own come back', async () => {
    // While publishing is held, too.
    expect((await snapshot.run(['rollback', await liveRelease()])).code).toBe(0);
    const said = await saidBy({});
    const { entries: kept } = await listed();
    expect(said).toContain(`release ${kept[0].release}`);
    expect(kept[0]).toMatchObject({ state: 'live', storeCount: 3 });
    expect(said).toMatch(/^3 stores on /m);
    expect(said).toContain('The token is new at each start');
    const back = [...said.matchAll(/^ {2}npm run snapshot -- (.+)$/gm)];
    expect(back).toHaveLength(2);
    for (const [, line = ''] of back) expect((await snapshot.run(line.split(' '))).code).toBe(0);
    const [latest] = (await listed()).entries;
    expect(latest).toMatchObject({ state: 'live', kind: 'publish' });
    expect(latest.storeCount).toBeGreaterThanOrEqual(60);
  });

  it('leaves a hold alone under which its own stores are live', async () => {
    expect((await snapshot.run(['rollback', await liveRelease()])).code).toBe(0);
    expect(await prepare()).toMatchObject({ kept: null });
    expect((await listed()).hold).not.toBeNull();
  });

  it('puts an export in their place that is named, hold or not, and says how they come back', async () => {
    const before = await listed();
    const source = join(state, 'export.ndjson');
    await writeFile(source, ndjson([buildStore(1, { contact: undefined }), ...storesFrom(2, 4)]));
    const defaults = join(state, 'defaults.json');
    await writeFile(defaults, JSON.stringify({ contact: buildStore(1, {}).contact }));
    const said = await saidBy({ source, defaults });
    expect(said).toContain('Taken from the defaults:\n  1 store: contact\n');
    expect((await listed()).entries[0]).toMatchObject({ state: 'live', storeCount: 4 });
    expect(said).toContain(`(release ${before.entries[0].release})`);
    const [, back = ''] = /^ {2}npm run snapshot -- (rollback)$/m.exec(said) ?? [];
    expect((await snapshot.run([back])).code).toBe(0);
    expect(await liveRelease()).toBe(before.entries[0].release);
  });

  it('reports a faulty export as validate does, and publishes nothing', async () => {
    const { entries } = await listed();
    const source = join(state, 'faulty.ndjson');
    await writeFile(source, ndjson(SOME_FAULTY));
    const report = (text: string) => text.slice(text.indexOf('\n\n'));
    const refusal = await callStart(port, '--source', source);
    expect(refusal).toMatchObject({ code: 1, stdout: '' });
    expect(refusal.stderr).toContain('--skip-invalid leaves them out [faulty_source]');
    const { stdout } = await snapshot.run(['validate', '--source', source]);
    expect(report(stdout)).toContain('line 2, store');
    expect(report(refusal.stderr)).toBe(report(stdout));
    const unfilled = await callStart(port, '--defaults', source);
    expect(unfilled).toMatchObject({ code: 2, stderr: expect.stringContaining('needs --source') });
    expect((await listed()).entries).toEqual(entries);
  });
});

describe('the storage that npm start prepares', () => {
  /** A demo that is sooner compiled and uploaded than the fixtures. */
  const demo = { source: join(state, 'demo.ndjson') };

  beforeAll(() => writeFile(demo.source, ndjson(storesFrom(1, 2))));

  beforeEach(emptyStorage);

  it('has everything uploaded again where the values are gone', async () => {
    await prepare(demo);
    await inStorage(async ({ objects }) => {
      for await (const { key } of objects.list('')) await objects.delete(key);
    });
    const context = commandContext();
    expect(await prepareStorage(demo, context)).toMatchObject({ kept: null });
    expect(context.remarks).toEqual([expect.stringContaining('are missing, such as')]);
    const { head, isShown } = await inStorage(readLog);
    expect([head?.number, isShown]).toEqual([2, true]);
  });

  it('has its demo live again though an earlier one was gone back to, which holds', async () => {
    await prepare(demo);
    const { head: latest } = await inStorage(readLog);
    await inStorage(async (target) => {
      const earlier = await compileStores(storesFrom(1, 3));
      const signature = { by: DEMO_AUTHOR, note: null };
      await publishRelease(earlier, target, { signature });
      const choice = await chooseRollback(target, earlier.manifest.release);
      await rollBack(target, choice, signature);
    });
    await prepare(demo);
    const { head } = await inStorage(readLog);
    expect(head).toMatchObject({ manifest: { release: latest?.manifest.release }, hold: null });
  });

  it('is left alone where it is the log of something else', async () => {
    await prepare(demo);
    // As after a change of `bucket_name`: a pointer that no log here knows.
    const before = await inStorage(async ({ objects, ledger }) => {
      for await (const { key } of ledger.list(LOG_PREFIX)) await ledger.delete(key);
      return objects.get(POINTER_KEY);
    });
    await expect(prepare(demo)).rejects.toMatchObject({ code: 'wrong_log', exitCode: 1 });
    expect(await inStorage(({ objects }) => objects.get(POINTER_KEY))).toEqual(before);
  });
});

const prepare = (choice: Partial<SourceChoice> = {}) => prepareStorage(choice, commandContext());

/** What a start says, without its server, on the storage of the others. */
async function saidBy(choice: Partial<SourceChoice>): Promise<string> {
  return describeStart('http://127.0.0.1:1', await prepare(choice));
}

const listed = async () => (await snapshot.json(['list'])).data;

const liveRelease = async (): Promise<string> => (await listed()).entries[0].release;

const callStart = (port: number, ...args: string[]) =>
  toolWith('start', env).run(['--port', String(port), ...args]);

const publishFromInput = (stores: readonly SourceStore[]) =>
  snapshot.json(['publish', '--source', '-'], ndjson(stores));
