/** `snapshot view`: what it serves, to whom, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ndjson, storeWith } from '../support/faulty-sources.ts';
import { freePort } from '../support/free-port.ts';
import { startTool } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

const tool = useSnapshotTool();

async function build(name: string, stores: readonly unknown[]): Promise<string> {
  const source = join(tool.folder, `${name}.ndjson`);
  const out = join(tool.folder, name);
  await writeFile(source, ndjson(stores));
  expect((await tool.snapshot(['build', '--source', source, '--out', out])).code).toBe(0);
  return out;
}

const BEFORE = [1, 2, 3, 4, 5].map((number) => buildStore(number));
const AFTER = [
  buildStore(1),
  storeWith(2, { 'profile.name': 'Another name' }),
  storeWith(3, { 'profile.name': 'Another name', 'geo.main.point.lat': 48.103 }),
  storeWith(4, { 'geo.displayAddress': false }),
  buildStore(6),
];

/** Runs the command until `use` is done, then ends it as Ctrl-C does. */
async function view<T>(args: readonly string[], use: (origin: string) => Promise<T>) {
  const port = await freePort();
  const { child, output, ended, untilPrinted } = startTool(
    'snapshot',
    ['view', ...args, '--json', '--port', String(port)],
    { STORE_DIRECTORY_STATE: tool.state },
  );
  try {
    await untilPrinted('}');
    const result = await use(`http://127.0.0.1:${port}`);
    child.kill('SIGINT');
    const code = await ended;
    // All that is printed is one document.
    return { announced: JSON.parse(output.stdout), result, code, port };
  } finally {
    child.kill('SIGKILL');
  }
}

const json = async (url: string) => JSON.parse(await (await fetch(url)).text());

/** The status that a request with this `Host` gets; fetch would not send another one. */
function statusFor(origin: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${origin}/snapshots.json`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('snapshot view', () => {
  it.skipIf(process.platform === 'win32')('gives its port free when npm is killed', async () => {
    const args = [
      'run',
      '--silent',
      'snapshot',
      '--',
      'view',
      await build('one', BEFORE),
      '--json',
    ];
    const env = { ...process.env, STORE_DIRECTORY_STATE: tool.state };
    const npm = spawn('npm', [...args, '--port', String(await freePort())], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(npm.stdout, 'data');
    npm.kill('SIGKILL');
    // The output of both is closed once the server has ended, too.
    expect(await once(npm, 'close')).toEqual([null, 'SIGKILL']);
  });

  it('serves one snapshot, page and stores, to loopback names alone, until Ctrl-C', async () => {
    const folder = await build('one', BEFORE);
    const { announced, result, code, port } = await view([folder], async (origin) => ({
      facts: await json(`${origin}/snapshots.json`),
      page: await fetch(`${origin}/explore`),
      list: await json(`${origin}/snapshots/after/v2/external/stores?limit=2&fields=slug`),
      store: await json(`${origin}/snapshots/after/v2/external/stores/store-3?fields=id,slug`),
      fault: await fetch(`${origin}/snapshots/after/v2/external/stores?limt=2`),
      unknown: await fetch(`${origin}/snapshots/after/v2/external/stores/nobody`),
      before: await fetch(`${origin}/snapshots/before/v2/external/stores`),
      outside: await fetch(`${origin}/files/..%2f..%2fpackage.json`),
      posted: await fetch(`${origin}/explore`, { method: 'POST' }),
      own: await statusFor(origin, `localhost:${new URL(origin).port}`),
      foreign: await statusFor(origin, `stores.example:${new URL(origin).port}`),
      otherPort: await statusFor(origin, '127.0.0.1'),
    }));
    expect(announced).toMatchObject({
      url: `http://127.0.0.1:${port}/explore`,
      snapshots: [{ name: 'one', storeCount: 5 }],
      changes: null,
    });
    expect(result.facts).toMatchObject({ before: null, after: { name: 'one', storeCount: 5 } });
    const html = await result.page.text();
    expect(html).toContain('data-source="snapshots"');
    expect(result.page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const [script = ''] = /\/files\/explore-[\w]+\.js/.exec(html) ?? [];
    expect(script).not.toBe('');
    expect(result.list).toEqual({ total: 5, docs: [{ slug: 'store-1' }, { slug: 'store-2' }] });
    expect(result.store).toEqual({ id: storeId(3), slug: 'store-3' });
    const statuses = ['fault', 'unknown', 'before', 'outside', 'posted'] as const;
    expect(statuses.map((name) => result[name].status)).toEqual([400, 404, 404, 404, 405]);
    expect(await result.fault.json()).toMatchObject({ code: 'invalid_parameters' });
    expect([result.own, result.foreign, result.otherPort]).toEqual([200, 421, 421]);
    expect(code).toBe(0);
    await expect(fetch(announced.url)).rejects.toThrow();
  });

  it('tells what was added, removed, moved and changed between two', async () => {
    const folders = [await build('before', BEFORE), await build('after', AFTER)];
    const { announced, result } = await view(folders, async (origin) => ({
      facts: await json(`${origin}/snapshots.json`),
      gone: await json(`${origin}/snapshots/before/v2/external/stores/store-5?fields=slug`),
    }));
    expect(announced.changes).toEqual({ added: 1, removed: 1, moved: 1, changed: 2 });
    expect(result.facts.changes).toEqual({
      added: [storeId(6)],
      removed: [storeId(5)],
      moved: [{ id: storeId(3), from: { lat: 48.003, lng: 7.003 } }],
      changed: [storeId(2), storeId(4)],
      shown: [],
    });
    expect(result.gone).toEqual({ slug: 'store-5' });
  });

  it('takes the live release as the earlier one', async () => {
    const folder = await build('next', AFTER);
    const live = await build('live', BEFORE);
    expect((await tool.snapshot(['publish', '--snapshot', live])).code).toBe(0);
    const { announced } = await view(['--live', folder], async () => null);
    expect(announced.snapshots.map(({ name }: { name: string }) => name)).toEqual([
      'live in development',
      'next',
    ]);
    expect(announced.changes).toEqual({ added: 1, removed: 1, moved: 1, changed: 2 });
  });

  it('refuses what it cannot show', async () => {
    const cases = [
      [[], 'usage'],
      [['a', 'b', 'c'], 'usage'],
      [['a', '--remote'], 'usage'],
      [['a', '--env', 'production'], 'usage'],
      [[join(tool.folder, 'nothing')], 'snapshot_unreadable'],
    ] as const;
    for (const [args, expected] of cases) {
      const { code, stdout } = await tool.snapshot(['view', ...args, '--json']);
      expect([code, JSON.parse(stdout).error.code], args.join(' ')).toEqual([2, expected]);
    }
    const { code, stdout } = await tool.snapshot(['view', '--live', '--json']);
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'nothing_live']);
  });
});
